/*
 * Stacks put aside in any order, and sorted.
 *
 * Runs of sorted stacks are merged two by two while the pile grows, by how much each
 * stack has in common with the one before: what two stacks share is compared once and
 * not at every step.
 */
#ifndef FG_DIFFFOLDED_PILE_H
#define FG_DIFFFOLDED_PILE_H

#include "difffolded/merge.h"

struct fg_pile_item {
	size_t line; /* where it is */
	size_t shared; /* bytes it has in common with the item before */
};

/* A zeroed one is empty. */
struct fg_pile {
	struct fg_buf lines;
	struct fg_pile_item *items;
	size_t count;
	size_t items_alloc;
	struct fg_pile_item *spare; /* where a run is that is merged */
	size_t spare_alloc;
};

void fg_pile_release(struct fg_pile *p);

/* Empties it and keeps its memory. */
void fg_pile_clear(struct fg_pile *p);

/* Adds a copy. */
void fg_pile_add(struct fg_pile *p, const struct fg_stack_count *s);

/* Puts the items in the byte order of their stacks. */
void fg_pile_sort(struct fg_pile *p);

/* What was added, item by item. */
struct fg_stack_count fg_pile_line(const struct fg_pile *p, size_t index);

#endif
