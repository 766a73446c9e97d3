/* The weight of one sample: given, of a header, or the counts' common divisor. */
#include "reportfolded/weight.h"

int fg_weight_parse(struct fg_str text, double *of)
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

/* Counts are in units of 10^-decimals. */
static void scale(struct fg_weight *w, const struct fg_report_profile *p)
{
	for (unsigned i = 0; i < 2; i++)
		w->of[i] *= (double)fg_pow10(p->tree.decimals);
}

/* Of all stacks of a column; 0 where all counts are 0. */
static uint64_t common_divisor(const struct fg_report_profile *p, unsigned column)
{
	uint64_t common = 0;

	for (uint32_t i = 0; i < p->tree.count && common != 1; i++) {
		uint64_t counts[2];

		fg_report_self(p, i, counts);
		common = fg_common_divisor(counts[column], common);
	}
	return common;
}

/* Whether nearly all counts of the column are small multiples of it. */
static bool explains(const struct fg_report_profile *p, unsigned column,
		     uint64_t weight)
{
	size_t stacks = 0, small = 0;

	if (!weight)
		return false;
	for (uint32_t i = 0; i < p->tree.count; i++) {
		uint64_t counts[2];

		fg_report_self(p, i, counts);
		stacks += counts[column] > 0;
		small += counts[column] && counts[column] / weight <= FG_WEIGHT_SMALL;
	}
	return small >= stacks - stacks / 10;
}

static enum fg_weight_source find_divisor(struct fg_weight *w,
					  const struct fg_report_profile *p)
{
	uint64_t before = common_divisor(p, FG_BEFORE);
	uint64_t after = common_divisor(p, FG_AFTER);
	uint64_t both = fg_common_divisor(before, after);
	bool same = explains(p, FG_BEFORE, both) && explains(p, FG_AFTER, both);
	double scaled = 0;

	/* 1 divides everything */
	if ((!same || both == fg_pow10(p->tree.decimals)) &&
	    explains(p, FG_AFTER, after))
		scaled = fg_weight_of_scaled(p);
	if (scaled > 0) {
		w->of[FG_BEFORE] = scaled;
		w->of[FG_AFTER] = (double)after;
		return FG_WEIGHT_SCALED;
	}
	if (same)
		before = after = both;
	w->of[FG_BEFORE] = (double)before;
	w->of[FG_AFTER] = (double)after;
	if (explains(p, FG_BEFORE, before) && explains(p, FG_AFTER, after))
		return FG_WEIGHT_DIVISOR;
	return FG_WEIGHT_UNKNOWN;
}

void fg_weight_find(struct fg_weight *w, const struct fg_report_profile *p,
		    const double *given, struct fg_diag *diag)
{
	struct fg_str header = fg_buf_str(&p->unit.sample_weight);

	*w = (struct fg_weight){ FG_WEIGHT_UNKNOWN,
				 { given[FG_BEFORE], given[FG_AFTER] } };
	if (given[FG_AFTER] > 0)
		w->source = FG_WEIGHT_OPTION;
	else if (header.len && !fg_weight_parse(header, w->of))
		w->source = FG_WEIGHT_HEADER;
	if (w->source != FG_WEIGHT_UNKNOWN) {
		scale(w, p);
		return;
	}
	if (header.len)
		fg_warn(diag, NULL, "the header '# sample-weight:' has no number");
	w->source = find_divisor(w, p);
}

struct fg_proportion fg_weight_samples(const struct fg_weight *w,
				       const struct fg_report_profile *p,
				       unsigned column, uint64_t count)
{
	return (struct fg_proportion){ (double)count / w->of[column],
				       (double)p->totals[column] / w->of[column] };
}

void fg_weight_describe(const struct fg_weight *w, const struct fg_report_profile *p,
			struct fg_buf *b)
{
	static const char *const sources[] = {
		[FG_WEIGHT_OPTION] = "as --sample-weight says",
		[FG_WEIGHT_HEADER] = "as the input says",
		[FG_WEIGHT_DIVISOR] = "the greatest common divisor of the counts",
		[FG_WEIGHT_SCALED] = "whose multiples the counts nearly are",
	};
	double unit = (double)fg_pow10(p->tree.decimals);

	if (w->source == FG_WEIGHT_UNKNOWN) {
		fg_buf_add_str(b, FG_STR("noise tests are off: what one sample counts "
					 "is not known (--sample-weight)"));
		return;
	}
	fg_buf_addf(b, "one sample counts %.8g", w->of[FG_BEFORE] / unit);
	if (p->columns == 2 && w->of[FG_BEFORE] != w->of[FG_AFTER])
		fg_buf_addf(b, " before and %.8g after", w->of[FG_AFTER] / unit);
	fg_buf_addf(b, ", %s", sources[w->source]);
}
