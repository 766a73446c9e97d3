/*
 * How much one sample counts, which noise tests have to know.
 *
 * Counts may be samples, or their periods. --sample-weight says it, else the input's
 * header, else the greatest common divisor of the stacks' counts, where it explains
 * them: where nine in ten are at most FG_WEIGHT_SMALL times that. Both columns have one
 * divisor if that explains both, else each its own; of a column before that was scaled
 * to the total after, it is found as far as rounding has left it.
 */
#ifndef FG_REPORTFOLDED_WEIGHT_H
#define FG_REPORTFOLDED_WEIGHT_H

#include "reportfolded/profile.h"
#include "reportfolded/significance.h"

#define FG_WEIGHT_SMALL 10000

enum fg_weight_source {
	FG_WEIGHT_UNKNOWN,
	FG_WEIGHT_OPTION,
	FG_WEIGHT_HEADER,
	FG_WEIGHT_DIVISOR,
	FG_WEIGHT_SCALED, /* the divisor after, and what before is a multiple of */
};

struct fg_weight {
	enum fg_weight_source source;
	double of[2]; /* by column, in units of the profile's counts */
};

/* Reads "4" or "4,5", or with a blank between them: 0, or -1 where it is neither. */
int fg_weight_parse(struct fg_str text, double *of);

/*
 * `given` are the numbers of --sample-weight, by column, 0 where there are none. A
 * header that is none is warned of.
 */
void fg_weight_find(struct fg_weight *w, const struct fg_report_profile *p,
		    const double *given, struct fg_diag *diag);

/*
 * Where the counts before look scaled to the total after, as by diff-folded -n, and
 * nearly all are multiples of one number but for rounding, that number; else 0.
 */
double fg_weight_of_scaled(const struct fg_report_profile *p);

/* The samples of a count of `column` and of the whole; the weight is known. */
struct fg_proportion fg_weight_samples(const struct fg_weight *w,
				       const struct fg_report_profile *p,
				       unsigned column, uint64_t count);

/* One sentence: what one sample counts and why, or that noise tests are off. */
void fg_weight_describe(const struct fg_weight *w, const struct fg_report_profile *p,
			struct fg_buf *b);

#endif
