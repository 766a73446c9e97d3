/*
 * What stacks counted where in time: in a run of equal samples, in a slice. Of each,
 * the stack is an entry of the counts of its number of roots, until all stacks are put
 * together; then it is one of all.
 */
#ifndef FG_COLLAPSE_PLACED_H
#define FG_COLLAPSE_PLACED_H

#include "collapse/counts_write.h"

struct fg_placed {
	uint64_t place; /* what tells places apart, for who keeps the list */
	uint32_t entry;
	uint16_t root_depth;
	bool minus; /* the weight is taken off what the stack counts there */
	struct fg_sum weight;
};

/* A zeroed struct is empty. */
struct fg_placed_list {
	struct fg_placed *items;
	size_t count, alloc;
};

void fg_placed_release(struct fg_placed_list *l);

/*
 * Adds to the item of number *newest_plus_1 - 1, if there is one and it is of the same
 * stack and place; else adds an item, whose number goes there.
 */
void fg_placed_add(struct fg_placed_list *l, size_t *newest_plus_1,
		   const struct fg_placed *what);

/* All weights so far are in a unit that is larger by `factor`. */
void fg_placed_scale(struct fg_placed_list *l, uint64_t factor);

/* What takes the place of a stack's number where it is left out. */
#define FG_PLACED_GONE UINT32_MAX

/*
 * Stack i of those with `root_depth` roots is stack where[i] of all, or none of them:
 * FG_PLACED_GONE. Once for each number of roots.
 */
void fg_placed_renumber(struct fg_placed_list *l, size_t root_depth,
			const uint32_t *where);

/* The numbers of all items, to be sorted; free in the end. */
uint32_t *fg_placed_numbers(const struct fg_placed_list *l);

/* What lines are made of: all stacks, by their new numbers. */
struct fg_placed_lines {
	const struct fg_counts *counts;
	const struct fg_intern *names;
	const struct fg_counts_format *format;
	struct fg_shrunk *shrunk; /* gets what stacks count less than 0 */
};

#endif
