/*
 * Writes the elements with a picture's data, which svgparse.h reads: the frames of its
 * tree, and their counts in slices of time. treedata.h and slicedata.h make the bytes
 * inside.
 */
#ifndef FG_LIB_SVG_SVGWRITE_H
#define FG_LIB_SVG_SVGWRITE_H

#include "lib/base/out.h"

struct fg_svgwrite_tree {
	struct fg_str deflated; /* from fg_treedata_write(), compressed */
	uint64_t frames; /* number of frames in the data */
	bool cut; /* frames with a total below `min` were left out */
	uint64_t min;
};

/* Writes an element <fg:data>. */
void fg_svgwrite_tree(struct fg_out *out, const struct fg_svgwrite_tree *tree);

/*
 * Writes an element <fg:slices>. `deflated` comes from fg_slicedata_write(), and
 * `totals` from fg_slicedata_write_totals(); both are compressed, and `totals` may be
 * empty.
 */
void fg_svgwrite_slices(struct fg_out *out, struct fg_str deflated,
			struct fg_str totals);

#endif
