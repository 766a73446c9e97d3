/*
 * Counts distinct stacks, and writes their lines.
 *
 * A stack is a sequence of frame ids of one struct fg_intern, root first. Its text is
 * made only when its line is written:
 *
 *     fg_counts_init(&counts);
 *     fg_sum_add(&fg_counts_entry(&counts, ids, depth)->sum, 1);
 *     ...
 *     fg_counts_write(&counts, &names, &format, out);
 *     fg_counts_release(&counts);
 */
#ifndef FG_COLLAPSE_COUNTS_H
#define FG_COLLAPSE_COUNTS_H

#include "collapse/stack.h"
#include "lib/base/count.h"
#include "lib/base/intern.h"
#include "lib/base/out.h"
#include "lib/base/slots.h"

/* ---- counting */

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
	/* sum to subtract from each entry; NULL if there is none */
	struct fg_sum *minus;
	size_t minus_alloc;
	/* the hash table: an item is the index of an entry plus 1 */
	struct fg_slots slots;
	uint64_t seed; /* for hashes of stacks */
};

void fg_counts_init(struct fg_counts *c);
void fg_counts_release(struct fg_counts *c);

/*
 * Returns the entry of a stack, made with a sum of 0 if it is new. It is valid until
 * the next call. The ids are copied.
 */
struct fg_counts_entry *fg_counts_entry(struct fg_counts *c, const uint32_t *ids,
					size_t depth);

/*
 * Like fg_counts_entry(), but uses the hash of the path. Do not use both functions for
 * the same table.
 */
struct fg_counts_entry *fg_counts_entry_of_path(struct fg_counts *c,
						const struct fg_path *path);

/* Prefetches the memory in which the stack of `path` will be looked up. */
void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path);

/*
 * Subtracts a weight from an entry. Its sum does not change before fg_counts_settle(),
 * because a weight that is added later may outweigh it.
 */
void fg_counts_subtract(struct fg_counts *c, const struct fg_counts_entry *entry,
			struct fg_sum weight);

/* Multiplies all sums. */
void fg_counts_scale(struct fg_counts *c, uint64_t factor);

/* Stacks whose weights add up to less than 0, and by how much. */
struct fg_shrunk {
	uint64_t stacks;
	struct fg_sum weight;
};

/*
 * Subtracts everything that fg_counts_subtract() noted. Call it after the last weight.
 * Removes the entries whose sums are then 0 or less, so other entries may move, and
 * adds the stacks below 0 to *shrunk.
 */
void fg_counts_settle(struct fg_counts *c, struct fg_shrunk *shrunk);

/*
 * Frees the hash table, the largest part of the memory. Call it after the last stack:
 * no entry can be looked up from then on.
 */
void fg_counts_finish(struct fg_counts *c);

/* ---- the order of the lines */

enum fg_counts_style {
	FG_COUNTS_EXACT, /* all digits */
	/* numbers from 2^64 on have 15 digits, like Perl prints a double */
	FG_COUNTS_PERL,
};

struct fg_counts_order;

/*
 * Returns an iterator over all entries in the byte order of the stacks' text. Names
 * must not contain ';'. Neither `c` nor `names` may change while it is open.
 */
struct fg_counts_order *fg_counts_order_open(const struct fg_counts *c,
					     const struct fg_intern *names,
					     enum fg_counts_style style);

/* Returns the next entry, or NULL after the last. */
const struct fg_counts_entry *fg_counts_order_next(struct fg_counts_order *o);

void fg_counts_order_close(struct fg_counts_order *o);

/* ---- the lines */

struct fg_counts_format {
	enum fg_counts_style style;
	unsigned decimals; /* sums are in units of 10^-decimals */
	/* sums are rounded half up; lines whose sum is then 0 are left out */
	bool whole;

	/*
	 * Returns true if `stack` gets a line. If `keep` is NULL, every stack gets one.
	 */
	bool (*keep)(void *data, struct fg_str stack);
	void *data;
};

/* Returns a sum in units of 1 instead of 10^-decimals, rounded half up. */
struct fg_sum fg_counts_round(struct fg_sum sum, unsigned decimals);

/*
 * Writes one line for each stack, "a;b;c SUM", in the byte order of the stacks' text.
 * Names must not contain ';'. Returns the number of lines.
 */
size_t fg_counts_write(const struct fg_counts *c, const struct fg_intern *names,
		       const struct fg_counts_format *format, struct fg_out *out);

/* One line of output: a stack of `counts`, with its own sum. */
struct fg_counts_step {
	uint32_t entry; /* index in counts->entries */
	struct fg_sum sum;
};

struct fg_counts_steps {
	const struct fg_counts *counts;
	struct fg_counts_step *items;
	size_t count;
	/* the frame to write before each stack; may be empty */
	struct fg_str first_frame;
};

/*
 * Like fg_counts_write(), but writes one line for each step, in the order of the steps.
 * `keep` gets the stack without the first frame.
 */
size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out);

#endif
