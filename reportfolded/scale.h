/*
 * Counts as the whole numbers below 2^63 that pprof has, in a unit in which they are
 * whole, if there is one: 1.5 ms are 1500 us. Else each is rounded so that all of them,
 * and those of each frame, sum to what they do within 1.
 */
#ifndef FG_REPORTFOLDED_SCALE_H
#define FG_REPORTFOLDED_SCALE_H

#include "reportfolded/values.h"

struct fg_scale {
	struct fg_str unit; /* as pprof names it; empty: none */
	unsigned decimals; /* of the counts as they come */
	unsigned finer; /* the unit is 10^finer times as fine as theirs */
	bool rounds; /* decimals are left that do not fit the unit */
	struct fg_sum read; /* the sum of what has come */
	uint64_t written; /* and of what was made of it */
};

/* 0, or -1 after reporting that the counts are too large. `v` is borrowed. */
int fg_scale_init(struct fg_scale *s, const struct fg_value *v, struct fg_diag *diag);

/* What becomes of the next count. */
uint64_t fg_scale_next(struct fg_scale *s, uint64_t count);

/* The same of a number that is no count: 0 where it is not whole or too large. */
uint64_t fg_scale_exactly(const struct fg_scale *s, struct fg_count number);

#endif
