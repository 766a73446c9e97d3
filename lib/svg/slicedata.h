/*
 * Writes and reads the counts of stacks by slice of time, which a picture carries
 * beside its tree.
 *
 * folded(5) describes the bytes under "Data in pictures". The reader trusts no number:
 * it limits every size by the number of bytes, and checks every sum and index.
 */
#ifndef FG_LIB_SVG_SLICEDATA_H
#define FG_LIB_SVG_SLICEDATA_H

#include "lib/base/diag.h"
#include "lib/profile/slice.h"

#define FG_SLICEDATA_MAGIC "fgs1"

enum fg_slicedata_flags { FG_SLICEDATA_START = 1 };

/* A zeroed struct has no slices. */
struct fg_slicedata {
	struct fg_slice_header header;

	/* indexed by stack: the number of its frame in the tree's data */
	uint32_t *stacks;
	size_t stack_count;

	/*
	 * The slices that have counts, in order: their numbers, and the end of each
	 * slice in `items`.
	 */
	uint64_t *slices;
	size_t *ends;
	size_t slice_count;

	/*
	 * Slice after slice: the numbers of its stacks (indices of `stacks`),
	 * ascending, and their counts.
	 */
	uint32_t *items;
	uint64_t *counts; /* in the tree's units */
	size_t item_count;
};

void fg_slicedata_release(struct fg_slicedata *d);

/* Appends the bytes, not compressed, to `out`. */
void fg_slicedata_write(const struct fg_slicedata *d, struct fg_buf *out);

/*
 * Appends only the total of each slice, which the viewer shows before it decodes the
 * rest.
 */
void fg_slicedata_write_totals(const struct fg_slicedata *d, struct fg_buf *out);

/*
 * Reads `bytes` into `d`, which it initialises. The bytes belong to a tree with
 * `frames` frames. Does not compare the counts with those of the tree. Returns 0, or -1
 * after reporting what is wrong with the SVG. Release `d` in either case.
 */
int fg_slicedata_read(struct fg_str bytes, size_t frames, struct fg_slicedata *d,
		      const struct fg_place *at, struct fg_diag *diag);

#endif
