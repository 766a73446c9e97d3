/*
 * Adds up the weights of stacks that a grammar walks again and again from the root
 * down, like in a profile of begin and end events. They are in a tree of rows
 * (collapse/rows.h), each with a sum; a row is found by its parent and frame.
 */
#ifndef FG_COLLAPSE_SUMS_H
#define FG_COLLAPSE_SUMS_H

#include "collapse/rows.h"
#include "lib/base/slots.h"

struct fg_sums {
	struct fg_rows rows; /* row 0 is not a frame; each row comes after its parent */
	struct fg_sum *sums; /* the sum of each row */
	uint32_t *touched; /* rows that have a sum */
	size_t touched_count;

	/* private */
	size_t sums_alloc, touched_alloc;
	struct fg_slots slots; /* rows other than 0, by parent and frame */
	uint64_t seed; /* for hashes */
};

/* Starts with row 0, which has no sum. */
void fg_sums_init(struct fg_sums *s);
void fg_sums_release(struct fg_sums *s);

/* Starts again like fg_sums_init(), but keeps the memory. */
void fg_sums_restart(struct fg_sums *s);

/* Returns the row of `frame` below `parent`. Adds it if it is new. */
uint32_t fg_sums_child(struct fg_sums *s, uint32_t parent, uint32_t frame);

/*
 * Adds a row below `parent` that fg_sums_child() never returns, so that the caller may
 * set its frame later.
 */
uint32_t fg_sums_new_row(struct fg_sums *s, uint32_t parent, uint32_t frame);

void fg_sums_add(struct fg_sums *s, uint32_t row, struct fg_sum weight);

/* Returns the sum of a row and sets it to 0. Call it for each row in `touched`. */
struct fg_sum fg_sums_take(struct fg_sums *s, uint32_t row);

#endif
