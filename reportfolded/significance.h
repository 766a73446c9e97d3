/*
 * Whether two shares differ by more than noise: the two-proportion z-test.
 *
 * Of n samples, x are in a function: before and after. If its share had stayed the
 * same, the difference of the two shares, over the standard deviation that the pooled
 * share gives, would be normal with mean 0 and deviation 1.
 */
#ifndef FG_REPORTFOLDED_SIGNIFICANCE_H
#define FG_REPORTFOLDED_SIGNIFICANCE_H

#include <stdbool.h>

/* Samples, which need not be whole numbers: those of a function, and all. */
struct fg_proportion {
	double x, n;
};

/* The test's z, positive where the share grew; 0 where nothing can be told. */
double fg_two_proportions(struct fg_proportion before, struct fg_proportion after);

/* How likely noise alone gives a difference of that z or more, in either direction. */
double fg_two_sided(double z);

#endif
