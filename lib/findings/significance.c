/* Tests two shares or costs for significance, and computes what a test can find. */
#include "lib/findings/significance.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/*
 * Beyond this many deviations, the tail of the normal distribution is 0 in double
 * precision.
 */
#define DEVIATIONS_MAX 38.0

/* We stop a bisection after this many halvings, when the interval has no width left. */
#define HALVINGS 60

/* A term that is smaller than this does not change a sum. */
#define NEGLIGIBLE 1e-17

static double upper_tail(double z)
{
	return erfc(z / sqrt(2)) / 2;
}

double fg_two_sided(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

/* ---- one function */

static double pooled(const struct fg_comparison *c)
{
	return (c->before.x + c->after.x) / (c->before.n + c->after.n);
}

static double growth_of(const struct fg_comparison *c)
{
	return c->after.x / c->after.n - c->before.x / c->before.n;
}

/* Returns the variance of x / n, multiplied by n, for a function with that share. */
static double variance(const struct fg_comparison *c, double share)
{
	return c->costs ? share : share * (1 - share);
}

/* Returns the standard deviation of the difference if both shares are `share`. */
static double deviation(const struct fg_comparison *c, double share)
{
	double square = variance(c, share) * (1 / c->before.n + 1 / c->after.n);

	return square > 0 ? sqrt(square) : 0;
}

static bool has_samples(const struct fg_comparison *c)
{
	return c->before.n > 0 && c->after.n > 0;
}

double fg_comparison_z(const struct fg_comparison *c)
{
	double of_noise;

	if (!has_samples(c))
		return 0;
	of_noise = deviation(c, pooled(c));
	/* it is 0 if the function has no samples or all of them */
	return of_noise > 0 ? growth_of(c) / of_noise : 0;
}

/*
 * Returns the logarithm of the binomial coefficient: the ways to choose n out of `of`.
 */
static double choices(double of, double n)
{
	return lgamma(of + 1) - lgamma(n + 1) - lgamma(of - n + 1);
}

/*
 * Limits of the exact test. If a function has more samples, the normal distribution is
 * as good as the exact sum, whose number of terms is about the root of the samples. If
 * a profile has more samples, the logarithms of Fisher's test are too coarse. Its
 * functions are then such small parts that the binomial test is as good.
 */
#define FUNCTION_EXACT 1e8
#define PROFILE_EXACT 1e11

/*
 * Returns the probability that chance alone puts as many or more of the function's
 * samples into the profile after. Computes the first term, then each term from the one
 * before, until they are negligible.
 */
double fg_comparison_tail(const struct fg_comparison *c)
{
	double x = round(c->after.x), all = round(c->before.x) + x;
	double before = round(c->before.n), after = round(c->after.n);
	bool apart = c->costs || before + after > PROFILE_EXACT;
	double term, sum = 0;

	if (!has_samples(c) || !(growth_of(c) > 0) || !(before > 0) || !(after > 0))
		return 1;
	if (all > FUNCTION_EXACT)
		return upper_tail(fg_comparison_z(c));
	if (apart)
		term = exp(choices(all, x) + x * log(after / (before + after)) +
			   (all - x) * log(before / (before + after)));
	else
		term = exp(choices(all, x) + choices(before + after - all, after - x) -
			   choices(before + after, after));
	for (; x <= all && term > sum * NEGLIGIBLE; x++) {
		sum += term;
		term *= (all - x) / (x + 1);
		term *= apart ? after / before : (after - x) / (before - all + x + 1);
	}
	return sum < 1 ? sum : 1;
}

/* ---- what a gate finds */

/*
 * Quotients are rounded. A value that exceeds a limit by less than this counts as equal
 * to it.
 */
#define ROUNDING 1e-11

/*
 * Returns the probability that noise alone makes any function exceed its limit by
 * enough to be significant. `limits` are in deviations.
 */
static double any_tail(const double *limits, size_t count, double deviations)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += upper_tail(fmax(limits[i], deviations));
	return sum;
}

static bool are_same(const struct fg_comparison *a, const struct fg_comparison *b)
{
	return !(a->before.x < b->before.x) && !(a->before.x > b->before.x) &&
	       !(a->after.x < b->after.x) && !(a->after.x > b->after.x);
}

/*
 * Returns the limits that noise could exceed, in deviations, and sets *listed to their
 * number. The caller frees the array.
 */
static double *list_limits(const struct fg_limited *all, size_t count, size_t *listed)
{
	double *limits = fg_xcalloc(count, sizeof(*limits));

	*listed = 0;
	for (size_t i = 0; i < count; i++) {
		const struct fg_comparison *c = &all[i].counts;
		double of_noise = has_samples(c) ? deviation(c, pooled(c)) : 0;

		if (i && are_same(c, &all[i - 1].counts))
			continue;
		if (of_noise > 0 && all[i].limit / of_noise < DEVIATIONS_MAX)
			limits[(*listed)++] = all[i].limit / of_noise;
	}
	return limits;
}

double fg_gate_deviations(const struct fg_limited *all, size_t count, double alpha)
{
	double low = 0, high = DEVIATIONS_MAX;
	size_t listed;
	double *limits = list_limits(all, count, &listed);

	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (fg_two_sided(middle) >= alpha ||
		    any_tail(limits, listed, middle) > alpha)
			low = middle;
		else
			high = middle;
	}
	free(limits);
	return high;
}

bool fg_gate_exceeded(const struct fg_limited *f, double deviations)
{
	return growth_of(&f->counts) > f->limit + ROUNDING &&
	       fg_comparison_tail(&f->counts) <= upper_tail(deviations);
}

/*
 * Returns the least growth that is significant if observed in a function that has
 * really grown by `growth`.
 */
static double least_found(const struct fg_comparison *c, double deviations,
			  double growth)
{
	double after = c->after.n / (c->before.n + c->after.n);
	double share = pooled(c) + growth * after;

	/* the second term is half a sample, because samples are whole numbers */
	return deviations * deviation(c, share) +
	       (1 / c->before.n + 1 / c->after.n) / 2;
}

double fg_gate_visible(const struct fg_comparison *c, double deviations)
{
	double low = 0, high = c->costs ? 1 : 1 - pooled(c);

	while (c->costs && least_found(c, deviations, high) > high)
		high *= 2;
	if (least_found(c, deviations, high) > high)
		return INFINITY;
	for (unsigned i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (least_found(c, deviations, middle) > middle)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double fg_gate_power(const struct fg_limited *f, double deviations, double growth)
{
	const struct fg_comparison *c = &f->counts;
	double before = pooled(c), after = before + growth;
	double least = fmax(f->limit, least_found(c, deviations, growth));
	double spread;

	if (!c->costs && after >= 1)
		return 1;
	spread = sqrt(variance(c, before) / c->before.n +
		      variance(c, after) / c->after.n);
	return upper_tail((least - growth) / spread);
}
