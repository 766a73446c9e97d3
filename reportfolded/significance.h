/*
 * Whether two profiles differ by more than noise.
 *
 * Of n samples, x are in a function: before and after. Where shares are compared, n is
 * how many samples there are, and x / n the share. Where costs are, n is how many
 * samples make up all that was counted before, so that x / n is the cost as a part of
 * the former total; x, and the number of samples too, are as chance has it (Poisson).
 *
 * If nothing had changed, the difference of both quotients, over the standard deviation
 * that the pooled one gives, would be normal with mean 0 and deviation 1.
 */
#ifndef FG_REPORTFOLDED_SIGNIFICANCE_H
#define FG_REPORTFOLDED_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

/* Samples, which need not be whole numbers: those of a function, and all. */
struct fg_proportion {
	double x, n;
};

struct fg_comparison {
	struct fg_proportion before, after;
	bool costs; /* else shares */
};

/* The test's z, positive where the share grew; 0 where nothing can be told. */
double fg_comparison_z(const struct fg_comparison *c);

/* How likely noise alone gives a difference of that z or more, in either direction. */
double fg_two_sided(double z);

/*
 * How likely noise alone gives a growth as large or larger: Fisher's exact test, of
 * costs the binomial one, of very many samples what both come to. 1 where there is
 * none.
 */
double fg_comparison_tail(const struct fg_comparison *c);

/* A function, and the growth of x / n that it must not exceed. */
struct fg_limited {
	struct fg_comparison counts;
	double limit;
};

/*
 * By how many deviations a function has to grow for its growth to be taken for one, so
 * that noise alone makes any of all exceed its limit with a probability of `alpha` at
 * most; no fewer than those that fg_two_sided takes to be below `alpha`. Neighbours
 * with the same counts are one.
 */
double fg_gate_deviations(const struct fg_limited *all, size_t count, double alpha);

/* Whether the function has exceeded its limit, by more than noise. */
bool fg_gate_exceeded(const struct fg_limited *f, double deviations);

/*
 * The least growth of x / n that is no noise in a function with that pooled quotient;
 * INFINITY where it cannot grow so much.
 */
double fg_gate_visible(const struct fg_comparison *c, double deviations);

/*
 * How likely it is found, from 0 to 1, that the function has really grown by `growth`;
 * 1 where it cannot grow so much.
 */
double fg_gate_power(const struct fg_limited *f, double deviations, double growth);

#endif
