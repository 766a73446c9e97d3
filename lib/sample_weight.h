/*
 * How much one sample counts, which noise tests have to know.
 *
 * Counts may be samples, or their periods. An option says it, else the input's header,
 * else the greatest common divisor of the stacks' counts, where it explains them: where
 * nine in ten are at most FG_SAMPLE_WEIGHT_SMALL times that. Both columns have one
 * divisor if that explains both, else each its own; of a column before that was scaled
 * to the total after, it is found as far as rounding has left it.
 */
#ifndef FG_LIB_SAMPLE_WEIGHT_H
#define FG_LIB_SAMPLE_WEIGHT_H

#include "lib/diag.h"
#include "lib/tree.h"

#define FG_SAMPLE_WEIGHT_SMALL 10000

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
	uint64_t least; /* a smaller divisor is chance, and counts are samples */
};

/* Reads "4" or "4,5", or with a blank between them: 0, or -1 where it is neither. */
int fg_sample_weight_parse(struct fg_str text, double *of);

/* Of a differential tree that is finished. A header that is no number is warned of. */
void fg_sample_weight_find(struct fg_sample_weight *w, const struct fg_tree *t,
			   const struct fg_sample_weight_hints *hints,
			   struct fg_diag *diag);

/*
 * Where the counts before look scaled to the total after, as by diff-folded -n, and
 * nearly all are multiples of one number but for rounding, that number; else 0.
 */
double fg_sample_weight_of_scaled(const struct fg_tree *t);

#endif
