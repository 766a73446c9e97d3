/*
 * Stacks in any order, each with its counts before and after.
 */
#ifndef FG_DIFFFOLDED_TABLE_H
#define FG_DIFFFOLDED_TABLE_H

#include "lib/counts.h"

/* The frames of the stack added last, of which the next often has the first ones. */
struct fg_table_frames {
	struct fg_buf text;
	size_t depth;
	uint32_t *ids;
	size_t ids_alloc;
	size_t *ends; /* of each frame in the text */
	size_t ends_alloc;
};

struct fg_table {
	struct fg_intern names;
	struct fg_counts counts;
	struct fg_table_frames last;
};

void fg_table_init(struct fg_table *t);
void fg_table_release(struct fg_table *t);

/* Adds the count of a stack to column 0 or 1. */
void fg_table_add(struct fg_table *t, struct fg_str stack, unsigned column,
		  struct fg_count n);

#endif
