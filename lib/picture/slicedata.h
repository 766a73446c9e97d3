/*
 * What each slice of time has of the stacks in a tree's data, as bytes that can travel
 * in a file, and back.
 *
 * The bytes are those that folded(5) describes under "Data in pictures". Reading trusts
 * nothing: every size is bounded by how many bytes there are, every sum and index is
 * checked.
 */
#ifndef FG_LIB_PICTURE_SLICEDATA_H
#define FG_LIB_PICTURE_SLICEDATA_H

#include "lib/base/diag.h"
#include "lib/profile/slice.h"

#define FG_SLICEDATA_MAGIC "fgs1"

enum fg_slicedata_flags { FG_SLICEDATA_START = 1 };

/* A zeroed one has no slices. */
struct fg_slicedata {
	struct fg_slice_header header;

	uint32_t *stacks; /* the frames, as the tree's data number them, */
	size_t stack_count; /* that have counts in a slice */

	/* The slices that have counts, in order: which one, and where its items end. */
	uint64_t *slices;
	size_t *ends;
	size_t slice_count;

	/* Of a slice: the numbers of its stacks, ascending, and the counts of each. */
	uint32_t *items;
	uint64_t *counts; /* in the tree's units */
	size_t item_count;
};

void fg_slicedata_release(struct fg_slicedata *d);

/* Appends the bytes, not compressed, to `out`. */
void fg_slicedata_write(const struct fg_slicedata *d, struct fg_buf *out);

/* The same of what each slice counts in all, for who does not wait for the rest. */
void fg_slicedata_write_totals(const struct fg_slicedata *d, struct fg_buf *out);

/*
 * Reads `bytes` of a tree with so many frames into `d`, which it initialises; release
 * it whatever is returned: 0, or -1 after reporting what is wrong with the SVG. The
 * counts may be more than the tree has.
 */
int fg_slicedata_read(struct fg_str bytes, size_t frames, struct fg_slicedata *d,
		      const struct fg_place *at, struct fg_diag *diag);

#endif
