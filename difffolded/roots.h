/*
 * Detects that one column has root frames that the other lacks, such as threads. Its
 * stacks then look like those of the other column, but with one or two more frames at
 * the root.
 */
#ifndef FG_DIFFFOLDED_ROOTS_H
#define FG_DIFFFOLDED_ROOTS_H

#include "lib/base/count.h"
#include "lib/base/intern.h"

/* The number of frames at the root that are compared. */
#define FG_DIFF_ROOTS_DEPTH 3

struct fg_diff_root;

/* A zeroed struct is empty. */
struct fg_diff_roots {
	struct fg_intern names;
	struct fg_diff_root *of; /* by id of the name */
	size_t alloc;
	uint32_t ids[FG_DIFF_ROOTS_DEPTH]; /* the first frames of the newest stack */
	/* number of `ids`, and bytes of their names, with a ';' after each */
	size_t depth, len;
	/* the weight of the stacks that start with `ids`, not yet added to `of` */
	double weights[2];
	double totals[2];
};

/* The extra root frames of a column. */
struct fg_diff_extra {
	unsigned column;
	unsigned frames; /* number of extra frames; 0: neither column has any */
	/* name of the heaviest first frame of the column; borrowed */
	struct fg_str name;
};

void fg_diff_roots_release(struct fg_diff_roots *r);

/* Adds a stack that shares `shared` bytes at its start with the one before. */
void fg_diff_roots_add(struct fg_diff_roots *r, struct fg_str stack, size_t shared,
		       const struct fg_sum sums[2]);

struct fg_diff_extra fg_diff_roots_extra(struct fg_diff_roots *r);

#endif
