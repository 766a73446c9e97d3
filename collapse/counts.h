/*
 * Distinct stacks and what each weighs.
 *
 * A stack is a sequence of frame ids of one struct fg_intern, root first. No
 * text exists until the sorted lines are written (counts_write.h).
 */
#ifndef FG_COLLAPSE_COUNTS_H
#define FG_COLLAPSE_COUNTS_H

#include "collapse/path.h"
#include "lib/base/count.h"
#include "lib/base/intern.h"
#include "lib/base/slots.h"

struct fg_counts_entry {
	const uint32_t *ids; /* root first; owned by the table */
	uint32_t depth;
	struct fg_sum sum;
};

struct fg_counts {
	struct fg_arena ids;
	struct fg_counts_entry *entries; /* in the order of first appearance */
	size_t count;
	size_t alloc;
	struct fg_sum
		*minus; /* by entry: to be taken off its sum; NULL if nothing is */
	size_t minus_alloc;
	struct fg_slots slots; /* an entry's index and 1 */
	uint64_t seed; /* of the stacks' hashes */
};

void fg_counts_init(struct fg_counts *c);
void fg_counts_release(struct fg_counts *c);

/*
 * The entry of a stack, made with a sum of 0 when it is new. Valid until the
 * next call. The ids are copied.
 */
struct fg_counts_entry *fg_counts_entry(struct fg_counts *c, const uint32_t *ids,
					size_t depth);

/* The same for a table whose stacks all come by way of a path: it has their hashes. */
struct fg_counts_entry *fg_counts_entry_of_path(struct fg_counts *c,
						const struct fg_path *path);

/*
 * Takes a weight off an entry. Its sum stays what it is until fg_counts_settle(),
 * because what is added later may outweigh it.
 */
void fg_counts_take(struct fg_counts *c, const struct fg_counts_entry *entry,
		    struct fg_sum weight);

/* Stacks that had more taken off than they had, and by how much. */
struct fg_shrunk {
	uint64_t stacks;
	struct fg_sum weight;
};

/*
 * After the last weight: makes each sum what is left of it, and removes the entries of
 * which nothing is left. The others may move.
 */
void fg_counts_settle(struct fg_counts *c, struct fg_shrunk *shrunk);

/* Has the processor fetch where the stack of a path will be looked for. */
void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path);

/*
 * No stack is looked up any more: frees what only that needs, the largest part of it.
 * fg_counts_entry must not be called again.
 */
void fg_counts_finish(struct fg_counts *c);

#endif
