/* Writes the slices of time in a picture as the folded stacks that they came from. */
#ifndef FG_LIB_SVG_SLICELINES_H
#define FG_LIB_SVG_SLICELINES_H

#include "lib/svg/slicedata.h"
#include "lib/profile/tree.h"

/* A zeroed struct has no lines. */
struct fg_slicelines {
	const struct fg_tree *tree;
	struct fg_slicedata data;
	struct fg_slice_shape shape;
	/* indexed by node: position of its line among lines without slices */
	uint32_t *places;
	uint32_t *order; /* indices of items, in the order of their lines */
	size_t slice, item; /* indices of the next slice and item to write */
};

/*
 * Reads the slices of a sorted and finished tree. Subtracts their counts from the
 * frames' own counts, so that the tree keeps only counts that are in no slice. Returns
 * 0, or -1 after reporting what is wrong with the SVG. Release `l` in either case.
 */
int fg_slicelines_init(struct fg_slicelines *l, struct fg_tree *tree,
		       struct fg_str bytes, const struct fg_place *at,
		       struct fg_diag *diag);
void fg_slicelines_release(struct fg_slicelines *l);

/*
 * fg_slicelines_header() appends the header lines. fg_slicelines_next() appends the
 * line of the next stack and returns 1, or returns 0 at the end.
 */
void fg_slicelines_header(const struct fg_slicelines *l, struct fg_buf *out);
int fg_slicelines_next(struct fg_slicelines *l, struct fg_buf *out);

#endif
