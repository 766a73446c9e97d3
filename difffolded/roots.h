/*
 * Tells whether one column has root frames that the other lacks, such as threads: its
 * stacks are those of the other, one or two frames further up.
 */
#ifndef FG_DIFFFOLDED_ROOTS_H
#define FG_DIFFFOLDED_ROOTS_H

#include "lib/base/count.h"
#include "lib/base/intern.h"

/* So many frames at the root are looked at. */
#define FG_DIFF_ROOTS_DEPTH 3

struct fg_diff_root;

/* A zeroed one is empty. */
struct fg_diff_roots {
	struct fg_intern names;
	struct fg_diff_root *of; /* by the id of the name */
	size_t alloc;
	uint32_t ids[FG_DIFF_ROOTS_DEPTH]; /* of the stack that was added last */
	size_t depth, len; /* how many, and their bytes with a ';' each */
	double totals[2];
};

/* What one column has more. */
struct fg_diff_extra {
	unsigned column;
	unsigned frames; /* 0: neither has more */
	struct fg_str name; /* the heaviest of those frames; borrowed */
};

void fg_diff_roots_release(struct fg_diff_roots *r);

/* Adds a stack, of which `shared` bytes at the start are those of the one before. */
void fg_diff_roots_add(struct fg_diff_roots *r, struct fg_str stack, size_t shared,
		       const struct fg_sum sums[2]);

struct fg_diff_extra fg_diff_roots_extra(const struct fg_diff_roots *r);

#endif
