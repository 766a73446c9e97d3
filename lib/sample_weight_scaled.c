/*
 * The weight of a sample before, where diff-folded --normalize has scaled the counts:
 * they are no multiples of it any more, but near some.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/sample_weight.h"
#include "lib/xalloc.h"

/* The smallest count is that of so many samples at most. */
#define LEAST_SAMPLES 4

/* Positive counts before, in ascending order, and what a sample of them may count. */
struct fit {
	double *counts;
	size_t count;
	double low, high;
};

static int compare(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* Whether both columns have one sum, but for what rounding a count before takes. */
static bool looks_scaled(const struct fg_tree *t)
{
	double unit = (double)fg_pow10(t->decimals), less = 0;
	size_t stacks = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		less += ((double)counts[FG_AFTER] - (double)counts[FG_BEFORE]) / unit;
		stacks += counts[FG_BEFORE] > 0;
	}
	return fabs(less) <= (double)stacks;
}

static void gather(struct fit *f, const struct fg_tree *t)
{
	double unit = (double)fg_pow10(t->decimals);

	f->counts = fg_xcalloc(t->count, sizeof(*f->counts));
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		if (counts[FG_BEFORE])
			f->counts[f->count++] = (double)counts[FG_BEFORE] / unit;
	}
	qsort(f->counts, f->count, sizeof(*f->counts), compare);
}

/*
 * Narrows what a sample may count by one count, that of a whole number of samples and
 * rounded: -1 where there is no such number, 1 where there are several, 0.
 */
static int narrow(struct fit *f, double count)
{
	double samples = floor(count * 2 / (f->low + f->high) + 0.5);
	double low = (count - 1) / samples, high = (count + 1) / samples;

	if (samples < 1 || low >= f->high || high <= f->low)
		return -1;
	if ((count - 1) / (samples + 1) < f->high &&
	    (count + 1) / (samples + 1) > f->low)
		return 1;
	if (samples > 1 && (count + 1) / (samples - 1) > f->low &&
	    (count - 1) / (samples - 1) < f->high)
		return 1;
	f->low = low > f->low ? low : f->low;
	f->high = high < f->high ? high : f->high;
	return 0;
}

/* Whether nine in ten counts fit, the smallest being that of so many samples. */
static bool fits(struct fit *f, unsigned samples)
{
	size_t wrong = 0, clear = 0;

	f->low = (f->counts[0] - 1) / samples;
	f->high = (f->counts[0] + 1) / samples;
	for (size_t i = 0; i < f->count; i++) {
		int status = narrow(f, f->counts[i]);

		wrong += status < 0;
		clear += !status;
	}
	return wrong <= f->count / 10 && clear >= f->count / 2;
}

double fg_sample_weight_of_scaled(const struct fg_tree *t)
{
	struct fit f = { NULL, 0, 0, 0 };
	double weight = 0;

	if (!looks_scaled(t))
		return 0;
	gather(&f, t);
	if (f.count && f.counts[0] >= 2)
		for (unsigned i = 1; i <= LEAST_SAMPLES && weight <= 0; i++)
			if (fits(&f, i))
				weight = (f.low + f.high) / 2 *
					 (double)fg_pow10(t->decimals);
	free(f.counts);
	return weight;
}
