/*
 * Distinct stacks and what each weighs.
 *
 * A stack is a sequence of frame ids of one struct fg_intern, root first. No
 * text exists until the sorted lines are written.
 */
#ifndef FG_COLLAPSE_COUNTS_H
#define FG_COLLAPSE_COUNTS_H

#include "collapse/path.h"
#include "lib/count.h"
#include "lib/intern.h"
#include "lib/out.h"

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
	struct fg_counts_slot *slots; /* open addressing; a power of two */
	size_t slots_alloc;
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

enum fg_counts_style {
	FG_COUNTS_EXACT, /* all digits */
	FG_COUNTS_PERL, /* from 2^64 on as Perl prints a double, 15 digits */
};

struct fg_counts_format {
	enum fg_counts_style style;
	unsigned decimals; /* sums are in units of 10^-decimals */
	bool whole; /* they are rounded half up; what is 0 then is left out */

	/* When set: whether the stack of that text gets a line. */
	bool (*keep)(void *data, struct fg_str stack);
	void *data;
};

/*
 * No stack is looked up any more: frees what only that needs, the largest part of it.
 * fg_counts_entry must not be called again.
 */
void fg_counts_finish(struct fg_counts *c);

/*
 * Writes one line a stack, `a;b;c SUM`, in the byte order of the stacks' text. Names
 * must not hold ';'. Returns how many lines there are.
 */
size_t fg_counts_write(const struct fg_counts *c, const struct fg_intern *names,
		       const struct fg_counts_format *format, struct fg_out *out);

/* A stack by its place in counts->entries, with a sum of its own. */
struct fg_counts_step {
	uint32_t entry;
	struct fg_sum sum;
};

struct fg_counts_steps {
	const struct fg_counts *counts;
	const struct fg_counts_step *items;
	size_t count;
};

/* Writes one line a step, `a;b;c SUM`, in the order of the steps. */
size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out);

/* ---- the order of lines, without making their text (counts_order.c) */

struct fg_counts_order;

/* Starts at the first entry. Names must not hold ';', and neither table may change. */
struct fg_counts_order *fg_counts_order_open(const struct fg_counts *c,
					     const struct fg_intern *names);

/* The next entry, or NULL after the last. */
const struct fg_counts_entry *fg_counts_order_next(struct fg_counts_order *o);

void fg_counts_order_close(struct fg_counts_order *o);

#endif
