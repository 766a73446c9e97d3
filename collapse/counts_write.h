/*
 * Distinct stacks as lines of folded stacks.
 */
#ifndef FG_COLLAPSE_COUNTS_WRITE_H
#define FG_COLLAPSE_COUNTS_WRITE_H

#include "collapse/counts_order.h"
#include "lib/base/out.h"

struct fg_counts_format {
	enum fg_counts_style style;
	unsigned decimals; /* sums are in units of 10^-decimals */
	bool whole; /* they are rounded half up; what is 0 then is left out */

	/* When set: whether the stack of that text gets a line. */
	bool (*keep)(void *data, struct fg_str stack);
	void *data;
};

/* In units of 1 instead of 10^-decimals, rounded half up. */
struct fg_sum fg_counts_round(struct fg_sum sum, unsigned decimals);

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
	struct fg_counts_step *items;
	size_t count;
	struct fg_str first_frame; /* of all lines, before their stacks; or empty */
};

/*
 * Writes one line a step, `a;b;c SUM`, in the order of the steps. `keep` of the format
 * is asked about the stack without the first frame.
 */
size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out);

#endif
