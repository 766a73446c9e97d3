/*
 * Tells if two profiles differ by more than noise.
 *
 * Each profile has x of n samples in a function. If we compare shares, n is the number
 * of samples in that profile, and x varies by chance. If we compare costs (--absolute),
 * n is the number of samples that make up the total before, and the number of samples
 * varies by chance, too (Poisson).
 *
 * The test is a z-test. If the function did not change, the difference of the two
 * quotients x / n, divided by its standard deviation, is normal with mean 0 and
 * deviation 1. The deviation follows from the pooled quotient, the sum of both x
 * divided by the sum of both n.
 */
#ifndef FG_LIB_FINDINGS_SIGNIFICANCE_H
#define FG_LIB_FINDINGS_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Samples of a function, and all samples. They need not be whole numbers. */
struct fg_proportion {
	double x, n;
};

struct fg_comparison {
	struct fg_proportion before, after;
	bool costs; /* compare costs; else shares */
};

/* Returns the test's z: positive if the share grew, 0 if we cannot tell. */
double fg_comparison_z(const struct fg_comparison *c);

/*
 * Returns the probability that noise alone gives that z or more, in either direction.
 */
double fg_two_sided(double z);

/*
 * Returns the probability that noise alone gives such a growth or more: Fisher's exact
 * test, the binomial test for costs, and for very many samples the normal limit of
 * both. Returns 1 if there is no growth.
 */
double fg_comparison_tail(const struct fg_comparison *c);

/* A function, and the growth of x / n that it must not exceed. */
struct fg_limited {
	struct fg_comparison counts;
	double limit;
};

/*
 * Returns how many deviations a function must grow by to count as grown, so that noise
 * alone makes any of the functions exceed its limit with a probability of at most
 * `alpha`. The result is never less than fg_two_sided() needs for `alpha`. Neighbours
 * in `all` with the same counts are treated as one function.
 */
double fg_gate_deviations(const struct fg_limited *all, size_t count, double alpha);

/* Returns true if the function has exceeded its limit by more than noise. */
bool fg_gate_exceeded(const struct fg_limited *f, double deviations);

/*
 * Returns the least growth of x / n that is significant in a function with that pooled
 * quotient. Returns INFINITY if it cannot grow so much.
 */
double fg_gate_visible(const struct fg_comparison *c, double deviations);

/*
 * Returns the probability of finding a real growth of the function by `growth`. Returns
 * 1 if it cannot grow so much.
 */
double fg_gate_power(const struct fg_limited *f, double deviations, double growth);

#endif
