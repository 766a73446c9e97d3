/*
 * Writes and reads the counts of stacks by slice of time, which a picture carries
 * beside its tree.
 *
 * The bytes are described in folded(5) under "Data in pictures". Reading trusts
 * nothing: every size is bounded by the number of bytes, every sum and index is
 * checked.
 */
#ifndef FG_LIB_SVG_SLICEDATA_H
#define FG_LIB_SVG_SLICEDATA_H

#include "lib/base/diag.h"
#include "lib/profile/slice.h"

#define FG_SLICEDATA_MAGIC "fgs1"

enum fg_slicedata_flags { FG_SLICEDATA_START = 1 };

/* A zeroed one has no slices. */
struct fg_slicedata {
	struct fg_slice_header header;

	uint32_t *stacks; /* frames with counts in a slice, as the tree numbers them */
	size_t stack_count;

	/* The slices that have counts, in order: their numbers, and where items end. */
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

/* Appends only the total of each slice, to be shown before the rest is decoded. */
void fg_slicedata_write_totals(const struct fg_slicedata *d, struct fg_buf *out);

/*
 * Reads `bytes`, which belong to a tree with `frames` frames, into `d`, which it
 * initialises. Returns 0, or -1 after reporting what is wrong with the SVG; release `d`
 * in either case. Whether the tree has as large counts is not checked.
 */
int fg_slicedata_read(struct fg_str bytes, size_t frames, struct fg_slicedata *d,
		      const struct fg_place *at, struct fg_diag *diag);

#endif
