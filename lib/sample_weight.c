/* The weight of one sample: given, of a header, or the counts' common divisor. */
#include "lib/sample_weight.h"

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

/* Of all stacks of a column; 0 where all counts are 0. */
static uint64_t common_divisor(const struct fg_tree *t, unsigned column)
{
	uint64_t common = 0;

	for (uint32_t i = 0; i < t->count && common != 1; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		common = fg_common_divisor(counts[column], common);
	}
	return common;
}

/* Whether nearly all counts of the column are small multiples of it. */
static bool explains(const struct fg_tree *t, unsigned column, uint64_t weight)
{
	size_t stacks = 0, small = 0;

	if (!weight)
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		stacks += counts[column] > 0;
		small += counts[column] &&
			 counts[column] / weight <= FG_SAMPLE_WEIGHT_SMALL;
	}
	return small >= stacks - stacks / 10;
}

/* A divisor by chance is none: then counts are samples. */
static uint64_t believed(uint64_t divisor, const struct fg_tree *t, uint64_t least)
{
	uint64_t one = fg_pow10(t->decimals);

	return divisor && divisor / one < least ? one : divisor;
}

static enum fg_sample_weight_source
find_divisor(struct fg_sample_weight *w, const struct fg_tree *t, uint64_t least)
{
	uint64_t of_before = common_divisor(t, FG_BEFORE);
	uint64_t of_after = common_divisor(t, FG_AFTER);
	uint64_t of_both = fg_common_divisor(of_before, of_after);
	uint64_t before = believed(of_before, t, least);
	uint64_t after = believed(of_after, t, least);
	uint64_t both = believed(of_both, t, least), one = fg_pow10(t->decimals);
	bool same = explains(t, FG_BEFORE, both) && explains(t, FG_AFTER, both);
	double scaled = 0;

	/* 1 divides everything */
	if ((!same || of_both == one) && explains(t, FG_AFTER, after))
		scaled = fg_sample_weight_of_scaled(t);
	if (scaled > 0 && scaled >= (double)(least * one)) {
		w->of[FG_BEFORE] = scaled;
		w->of[FG_AFTER] = (double)after;
		return FG_SAMPLE_WEIGHT_SCALED;
	}
	if (same)
		before = after = both;
	w->of[FG_BEFORE] = (double)before;
	w->of[FG_AFTER] = (double)after;
	if (explains(t, FG_BEFORE, before) && explains(t, FG_AFTER, after))
		return FG_SAMPLE_WEIGHT_DIVISOR;
	return FG_SAMPLE_WEIGHT_UNKNOWN;
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
		w->source = find_divisor(w, t, hints->least);
		return;
	}
	for (unsigned i = 0; i < 2; i++) /* counts are in units of 10^-decimals */
		w->of[i] *= (double)fg_pow10(t->decimals);
}
