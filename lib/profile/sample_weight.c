/*
 * Finds the weight of one sample: from an option, the header, or the common divisor of
 * the counts.
 */
#include "lib/profile/sample_weight.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

/*
 * Limits for the probability that the counts have a divisor by chance. If it is at most
 * the first limit, we rule chance out; if it is above the second, we assume chance.
 */
#define HARDLY_CHANCE 0.0001
#define MAY_BE_CHANCE 0.01

/*
 * We try weights that make the smallest count 1 sample, 2 samples and so on, up to this
 * many.
 */
#define LEAST_SAMPLES 4

/*
 * A count is near a multiple of the weight if it is at most this far below it (rounded
 * up).
 */
#define NEAR 2

/*
 * We accept a weight only if the probability that counts fit it by chance is lower than
 * this.
 */
#define CHANCE 0.001

int fg_sample_weight_parse(struct fg_str text, double *of)
{
	size_t end = 0;

	text = fg_str_trim(text);
	while (end < text.len && text.ptr[end] != ',' && !fg_is_space(text.ptr[end]))
		end++;
	if (fg_str_double(fg_str_before(text, end), &of[FG_BEFORE]))
		return -1;
	of[FG_AFTER] = of[FG_BEFORE];
	text = fg_str_trim(fg_str_from_pos(text, end + 1));
	if (text.len && fg_str_double(text, &of[FG_AFTER]))
		return -1;
	return of[FG_BEFORE] > 0 && of[FG_AFTER] > 0 ? 0 : -1;
}

/*
 * ---- the weight of a sample in the column before, if diff-folded --normalize has
 * scaled its counts: they are no longer multiples of the weight, but near to multiples
 */

struct fit {
	double *counts; /* counts of the column before, except 0, in ascending order */
	size_t count;
	double low, high; /* limits of the weight of one sample */
};

static int compare_counts(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/*
 * diff-folded rounds each scaled count down to a whole number, but writes at least 1.
 * So we treat totals as equal if they differ by no more than this rounding can explain.
 */
enum fg_sample_weight_totals fg_sample_weight_totals(const struct fg_tree *t)
{
	uint64_t unit = fg_pow10(t->decimals);
	double less = 0, most_cut = 0, most_raised = 0;
	bool whole = true;

	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		less += (double)counts[FG_AFTER] - (double)counts[FG_BEFORE];
		if (!counts[FG_BEFORE])
			continue;
		most_cut += (double)unit;
		most_raised += counts[FG_BEFORE] == unit ? (double)unit : 0;
		whole = whole && counts[FG_BEFORE] % unit == 0;
	}
	if (!(fabs(less) > 0))
		return FG_TOTALS_EQUAL;
	return whole && less < most_cut && -less < most_raised ? FG_TOTALS_ROUNDED :
								 FG_TOTALS_DIFFERENT;
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
	qsort(f->counts, f->count, sizeof(*f->counts), compare_counts);
}

/*
 * Narrows the limits by one more count, which is a whole number of samples times the
 * weight, rounded down. Returns 0, -1 if no number of samples fits, or 1 if several do.
 */
static int narrow(struct fit *f, double count)
{
	double samples = floor((count + 0.5) * 2 / (f->low + f->high) + 0.5);
	double low = count / samples, high = (count + 1) / samples;

	if (samples < 1 || low >= f->high || high <= f->low)
		return -1;
	if (count / (samples + 1) < f->high && (count + 1) / (samples + 1) > f->low)
		return 1;
	if (samples > 1 && (count + 1) / (samples - 1) > f->low &&
	    count / (samples - 1) < f->high)
		return 1;
	f->low = low > f->low ? low : f->low;
	f->high = high < f->high ? high : f->high;
	return 0;
}

/*
 * Returns the probability that `clear` counts are near multiples of the weight by
 * chance.
 */
static double chance_of_fit(const struct fit *f, size_t clear)
{
	double each = NEAR / ((f->low + f->high) / 2);

	return clear && each < 1 ? LEAST_SAMPLES * pow(each, (double)clear - 1) : 1;
}

/*
 * Tries the weight for which the smallest count is `samples` samples. Returns true if
 * nine in ten counts fit and that is not chance.
 */
static bool most_fit(struct fit *f, unsigned samples)
{
	size_t wrong = 0, clear = 0;

	f->low = f->counts[0] / samples;
	f->high = (f->counts[0] + 1) / samples;
	for (size_t i = 0; i < f->count; i++) {
		int status = narrow(f, f->counts[i]);

		wrong += status < 0;
		clear += !status;
	}
	return wrong <= f->count / 10 && clear >= f->count / 2 &&
	       chance_of_fit(f, clear) < CHANCE;
}

/*
 * Returns the weight of a sample in the column before, if its counts look like
 * diff-folded -n has scaled them to the total after, and nearly all are multiples of
 * the weight except for rounding. Otherwise, or if that may be chance, returns 0.
 */
static double weight_of_scaled(const struct fg_tree *t)
{
	struct fit f = { NULL, 0, 0, 0 };
	double weight = 0;

	if (fg_sample_weight_totals(t) == FG_TOTALS_DIFFERENT)
		return 0;
	gather(&f, t);
	if (f.count && f.counts[0] >= 2)
		for (unsigned i = 1; i <= LEAST_SAMPLES && weight <= 0; i++)
			if (most_fit(&f, i))
				/*
				 * use the largest possible weight: it is better to
				 * assume too few samples than too many
				 */
				weight = f.high * (double)fg_pow10(t->decimals);
	free(f.counts);
	return weight;
}

/* ---- the common divisor */

/* The counts of a column, and their common divisor. */
struct column {
	uint64_t *counts; /* the counts of its stacks, except 0 */
	size_t stacks;
	uint64_t common; /* divisor of all counts; 0 if there are none */
	/* the same, but 1 if it would be less than `least` */
	uint64_t divisor;
	bool explained; /* the counts can be sums of samples that weigh `divisor` */
};

/*
 * Returns true if a column's counts can be sums of samples of that weight: nearly all
 * stacks have few samples, and if there are many stacks, some have very few. Numbers of
 * microseconds and bytes are not like that.
 */
static bool explains(const struct column *c, uint64_t weight)
{
	size_t small = 0, rare = 0;

	if (!weight)
		return false;
	for (size_t i = 0; i < c->stacks; i++) {
		uint64_t samples = c->counts[i] / weight;

		small += samples <= FG_SAMPLE_WEIGHT_SMALL;
		rare += samples <= FG_SAMPLE_WEIGHT_RARE;
	}
	return small >= c->stacks - c->stacks / 10 &&
	       (c->stacks < FG_SAMPLE_WEIGHT_MANY || rare >= c->stacks / 10);
}

/*
 * Returns the divisor. If it is less than `least`, returns 1, because the counts are
 * then samples.
 */
static uint64_t believed(uint64_t divisor, const struct fg_tree *t, uint64_t least)
{
	uint64_t one = fg_pow10(t->decimals);

	return divisor && divisor / one < least ? one : divisor;
}

/* Looks at the counts of a column. The caller frees the array of counts. */
static struct column look_at(const struct fg_tree *t, unsigned column, uint64_t least)
{
	struct column c = { .counts = NULL };
	size_t alloc = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		if (!counts[column])
			continue;
		FG_GROW(c.counts, alloc, c.stacks + 1);
		c.counts[c.stacks++] = counts[column];
		if (c.common != 1)
			c.common = fg_common_divisor(counts[column], c.common);
	}
	c.divisor = believed(c.common, t, least);
	c.explained = explains(&c, c.divisor);
	return c;
}

/* Returns the probability that as many random numbers share a factor by chance. */
static double chance_of_factor(double factor, size_t numbers)
{
	return factor > 1 ? pow(factor, 1 - (double)numbers) : 1;
}

/*
 * Returns the probability that a column's own divisor is larger than the divisor of
 * both columns by chance.
 */
static double chance_of(const struct column *c, uint64_t both)
{
	return chance_of_factor((double)c->divisor / (double)both, c->stacks);
}

/*
 * Returns true if we assume that a sample weighs the same before and after, which is
 * usual. If the totals are equal, one column may have been scaled to the other. Then we
 * assume it only if the divisors are equal, too.
 */
static bool count_alike(const struct column columns[2], uint64_t both,
			enum fg_sample_weight_totals totals)
{
	if (totals == FG_TOTALS_EQUAL)
		return columns[FG_BEFORE].divisor == columns[FG_AFTER].divisor;
	return chance_of(&columns[FG_BEFORE], both) > HARDLY_CHANCE &&
	       chance_of(&columns[FG_AFTER], both) > HARDLY_CHANCE;
}

static bool has_own(const struct column *c, uint64_t both)
{
	return c->explained && (c->divisor == both || chance_of(c, both) < CHANCE);
}

/*
 * Returns the weight of a sample if it is the same in both columns: their common
 * divisor. Returns 1 (counts are samples) if there are so few counts that they may
 * share the divisor by chance.
 */
static uint64_t alike_weight(const struct fg_tree *t, const struct column columns[2],
			     uint64_t both)
{
	uint64_t one = fg_pow10(t->decimals);
	size_t counts = columns[FG_BEFORE].stacks + columns[FG_AFTER].stacks;
	double factor = (double)both / (double)one;

	return factor > 1 && chance_of_factor(factor, counts) > MAY_BE_CHANCE ? one :
										both;
}

/*
 * Returns true if the counts before include 1, 2 and 3. Then they were probably not
 * scaled.
 */
static bool has_first_numbers(const struct fg_tree *t)
{
	uint64_t one = fg_pow10(t->decimals);
	bool found[3] = { false, false, false };

	for (uint32_t i = 0; i < t->count; i++)
		for (unsigned n = 0; n < 3; n++)
			found[n] |= t->before && t->before[i] == (n + 1) * one;
	return found[0] && found[1] && found[2];
}

static enum fg_sample_weight_source find_scaled(struct fg_sample_weight *w,
						const struct fg_tree *t,
						const struct column *after,
						uint64_t least)
{
	double scaled = after->explained ? weight_of_scaled(t) : 0;

	if (!(scaled > 0) || scaled < (double)(least * fg_pow10(t->decimals)))
		return FG_SAMPLE_WEIGHT_UNKNOWN;
	w->of[FG_BEFORE] = scaled;
	w->of[FG_AFTER] = (double)after->divisor;
	return FG_SAMPLE_WEIGHT_SCALED;
}

/* Finds the weights from the common divisors of the columns. */
static enum fg_sample_weight_source judge_divisors(struct fg_sample_weight *w,
						   const struct fg_tree *t,
						   const struct column columns[2],
						   uint64_t least)
{
	uint64_t both = believed(
		fg_common_divisor(columns[FG_BEFORE].common, columns[FG_AFTER].common),
		t, least);
	enum fg_sample_weight_totals totals = fg_sample_weight_totals(t);
	uint64_t weight = alike_weight(t, columns, both);
	bool alike = count_alike(columns, both, totals) &&
		     explains(&columns[FG_BEFORE], weight) &&
		     explains(&columns[FG_AFTER], weight);
	bool apart =
		has_own(&columns[FG_BEFORE], both) && has_own(&columns[FG_AFTER], both);

	if (totals == FG_TOTALS_ROUNDED) {
		enum fg_sample_weight_source found =
			find_scaled(w, t, &columns[FG_AFTER], least);

		if (found != FG_SAMPLE_WEIGHT_UNKNOWN)
			return found;
		alike = alike && both == fg_pow10(t->decimals) && has_first_numbers(t);
		apart = false;
	}
	if (!alike && !apart)
		return FG_SAMPLE_WEIGHT_UNKNOWN;
	for (unsigned i = 0; i < 2; i++)
		w->of[i] = (double)(alike ? weight : columns[i].divisor);
	return FG_SAMPLE_WEIGHT_DIVISOR;
}

static enum fg_sample_weight_source
find_divisor(struct fg_sample_weight *w, const struct fg_tree *t, uint64_t least)
{
	const struct column columns[2] = { look_at(t, FG_BEFORE, least),
					   look_at(t, FG_AFTER, least) };
	enum fg_sample_weight_source source = judge_divisors(w, t, columns, least);

	free(columns[FG_BEFORE].counts);
	free(columns[FG_AFTER].counts);
	return source;
}

void fg_sample_weight_find(struct fg_sample_weight *w, const struct fg_tree *t,
			   const struct fg_sample_weight_hints *hints,
			   struct fg_diag *diag)
{
	const double *given = hints->given;

	*w = (struct fg_sample_weight){ FG_SAMPLE_WEIGHT_UNKNOWN,
					{ given[FG_BEFORE], given[FG_AFTER] } };
	if (given[FG_AFTER] > 0)
		w->source = FG_SAMPLE_WEIGHT_OPTION;
	else if (hints->header.len && !fg_sample_weight_parse(hints->header, w->of))
		w->source = FG_SAMPLE_WEIGHT_HEADER;
	else if (hints->header.len)
		fg_warn(diag, NULL, "the header '# sample-weight:' has no number");
	if (w->source == FG_SAMPLE_WEIGHT_UNKNOWN) {
		if (!hints->differ)
			w->source = find_divisor(w, t, hints->least);
		return;
	}
	for (unsigned i = 0; i < 2; i++) /* counts are in units of 10^-decimals */
		w->of[i] *= (double)fg_pow10(t->decimals);
}

double fg_sample_weight_of_one(const struct fg_tree *t, uint64_t least)
{
	const struct column c = look_at(t, FG_AFTER, least);
	uint64_t one = fg_pow10(t->decimals), weight = 0;

	/* counts with fractions are not samples */
	if (one == 1 || c.common % one == 0) {
		if (c.explained &&
		    (c.divisor == one || chance_of(&c, one) <= HARDLY_CHANCE))
			weight = c.divisor;
		else if (explains(&c, one))
			weight = one;
	}
	free(c.counts);
	return (double)weight;
}
