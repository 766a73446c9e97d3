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

/* Has the processor fetch where the stack of a path will be looked for. */
void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path);

/*
 * No stack is looked up any more: frees what only that needs, the largest part of it.
 * fg_counts_entry must not be called again.
 */
void fg_counts_finish(struct fg_counts *c);

#endif
