/*
 * How much one sample counts, which noise tests have to know.
 *
 * Counts may be samples, or their periods. An option says it, else the input's header,
 * else the greatest common divisor of the stacks' counts, where it explains them: where
 * nine in ten are at most FG_SAMPLE_WEIGHT_SMALL times that, and of
 * FG_SAMPLE_WEIGHT_MANY stacks or more one in ten at most FG_SAMPLE_WEIGHT_RARE times.
 * It is no less than what a sample counts if all samples count the same. Both columns
 * have one divisor where that is likely, else each its own; of a column before that was
 * scaled to the total after, it is found as far as rounding has left it. What may well
 * be chance is not taken.
 */
#ifndef FG_LIB_PROFILE_SAMPLE_WEIGHT_H
#define FG_LIB_PROFILE_SAMPLE_WEIGHT_H

#include "lib/base/diag.h"
#include "lib/profile/tree.h"

#define FG_SAMPLE_WEIGHT_SMALL 10000
#define FG_SAMPLE_WEIGHT_MANY 20
#define FG_SAMPLE_WEIGHT_RARE 2

enum fg_sample_weight_source {
	FG_SAMPLE_WEIGHT_UNKNOWN,
	FG_SAMPLE_WEIGHT_OPTION,
	FG_SAMPLE_WEIGHT_HEADER,
	FG_SAMPLE_WEIGHT_DIVISOR,
	FG_SAMPLE_WEIGHT_SCALED, /* the divisor after; before is near multiples */
};

struct fg_sample_weight {
	enum fg_sample_weight_source source;
	double of[2]; /* by column, in units of the tree's counts */
};

/* What is known before the counts are looked at. */
struct fg_sample_weight_hints {
	double given[2]; /* by an option; 0 where there is none */
	struct fg_str header; /* the value of "# sample-weight:", or empty */
	bool differ; /* headers say several: nothing is guessed */
	uint64_t least; /* a smaller divisor is chance, and counts are samples */
};

/* Reads "4" or "4,5", or with a blank between them: 0, or -1 where it is neither. */
int fg_sample_weight_parse(struct fg_str text, double *of);

/* Of a differential tree that is finished. A header that is no number is warned of. */
void fg_sample_weight_find(struct fg_sample_weight *w, const struct fg_tree *t,
			   const struct fg_sample_weight_hints *hints,
			   struct fg_diag *diag);

/*
 * Of a finished tree with one column, in units of its counts: the divisor that explains
 * them and is no chance, or 1 where they are samples; 0 where they are neither.
 */
double fg_sample_weight_of_one(const struct fg_tree *t, uint64_t least);

/* How the totals of the columns are. */
enum fg_sample_weight_totals {
	FG_TOTALS_DIFFERENT,
	FG_TOTALS_EQUAL,
	FG_TOTALS_ROUNDED, /* equal, but for what whole numbers before take or give */
};

enum fg_sample_weight_totals fg_sample_weight_totals(const struct fg_tree *t);

#endif
