/*
 * Detects that one column has root frames that the other lacks, such as threads. Its
 * stacks are then those of the other, one or two frames further up.
 */
#ifndef FG_DIFFFOLDED_ROOTS_H
#define FG_DIFFFOLDED_ROOTS_H

#include "lib/base/count.h"
#include "lib/base/intern.h"

/* So many frames at the root are compared. */
#define FG_DIFF_ROOTS_DEPTH 3

struct fg_diff_root;

/* A zeroed struct is empty. */
struct fg_diff_roots {
	struct fg_intern names;
	struct fg_diff_root *of; /* by id of the name */
	size_t alloc;
	uint32_t ids[FG_DIFF_ROOTS_DEPTH]; /* the first frames of the newest stack */
	size_t depth, len; /* number of `ids`, and their bytes with a ';' each */
	double totals[2];
};

/* The root frames that one column has in excess. */
struct fg_diff_extra {
	unsigned column;
	unsigned frames; /* 0: neither has more */
	struct fg_str name; /* the heaviest of those frames; borrowed */
};

void fg_diff_roots_release(struct fg_diff_roots *r);

/* Adds a stack that shares `shared` bytes at its start with the one before. */
void fg_diff_roots_add(struct fg_diff_roots *r, struct fg_str stack, size_t shared,
		       const struct fg_sum sums[2]);

struct fg_diff_extra fg_diff_roots_extra(const struct fg_diff_roots *r);

#endif
