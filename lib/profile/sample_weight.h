/*
 * Finds the weight of one sample, which tests for noise need.
 *
 * Counts may be samples, or sums of their periods. The weight of a sample comes from an
 * option, else from the input's header, else it is the greatest common divisor of the
 * counts, if that explains them: nine in ten counts must be at most
 * FG_SAMPLE_WEIGHT_SMALL times the divisor, and among FG_SAMPLE_WEIGHT_MANY stacks or
 * more, one in ten at most FG_SAMPLE_WEIGHT_RARE times. Both columns share a divisor if
 * that is likely, else each has its own. If the column before was scaled to the total
 * of the column after, we search for a weight that divides nearly all counts except for
 * rounding. We do not use a divisor that the counts may have by chance.
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
	/* from the divisors, but the counts before were scaled */
	FG_SAMPLE_WEIGHT_SCALED,
};

struct fg_sample_weight {
	enum fg_sample_weight_source source;
	double of[2]; /* indexed by column, in units of the tree's counts */
};

/* Hints that do not come from the counts. */
struct fg_sample_weight_hints {
	double given[2]; /* weights that the user gave with an option, or 0 */
	struct fg_str header; /* the value of "# sample-weight:", or empty */
	/* the headers of the inputs disagree; we then do not use the divisor either */
	bool differ;
	/*
	 * if the divisor is less than this, we treat it as chance and counts as samples
	 */
	uint64_t least;
};

/* Reads "4", "4,5" or "4 5" into of[2]. Returns 0, or -1 for any other text. */
int fg_sample_weight_parse(struct fg_str text, double *of);

/* Finds both weights of a finished differential tree; warns of a bad header. */
void fg_sample_weight_find(struct fg_sample_weight *w, const struct fg_tree *t,
			   const struct fg_sample_weight_hints *hints,
			   struct fg_diag *diag);

/*
 * Returns the weight for a finished tree with one column, in units of its counts: the
 * divisor that explains them, 1 if they are samples, or 0 if it is unknown.
 */
double fg_sample_weight_of_one(const struct fg_tree *t, uint64_t least);

/* The relation of the totals of the two columns. */
enum fg_sample_weight_totals {
	FG_TOTALS_DIFFERENT,
	FG_TOTALS_EQUAL,
	FG_TOTALS_ROUNDED, /* equal except for rounding in the column before */
};

enum fg_sample_weight_totals fg_sample_weight_totals(const struct fg_tree *t);

#endif
