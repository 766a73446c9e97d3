/*
 * What stacks weigh that are met again and again, from their roots: a tree of rows,
 * each found by its parent and its frame, with a sum.
 */
#ifndef FG_COLLAPSE_SUMS_H
#define FG_COLLAPSE_SUMS_H

#include "collapse/rows.h"
#include "lib/base/slots.h"

struct fg_sums {
	struct fg_rows rows; /* row 0 is no frame; no row is before its parent */
	struct fg_sum *sums; /* by row */
	uint32_t *touched; /* the rows that have a sum */
	size_t touched_count;

	/* private */
	size_t sums_alloc, touched_alloc;
	struct fg_slots slots; /* rows but row 0, by parent and frame */
	uint64_t seed;
};

/* Row 0 alone, without a sum. */
void fg_sums_init(struct fg_sums *s);
void fg_sums_release(struct fg_sums *s);

/* Makes it as after fg_sums_init, but keeps the memory. */
void fg_sums_restart(struct fg_sums *s);

/* The row of a frame below a row, which is made where it is new. */
uint32_t fg_sums_child(struct fg_sums *s, uint32_t parent, uint32_t frame);

/* Adds to the sum of a row. */
void fg_sums_add(struct fg_sums *s, uint32_t row, struct fg_sum weight);

/* The sum of a row, which is 0 afterwards; to be taken of all touched rows. */
struct fg_sum fg_sums_take(struct fg_sums *s, uint32_t row);

#endif
