/*
 * Writes the data of a picture, which svgparse.h reads: the frames of its tree, and
 * their counts in slices of time. treedata.h and slicedata.h have the bytes inside.
 */
#ifndef FG_LIB_SVG_SVGWRITE_H
#define FG_LIB_SVG_SVGWRITE_H

#include "lib/base/out.h"

struct fg_svgwrite_tree {
	struct fg_str deflated; /* what fg_treedata_write() makes, compressed */
	uint64_t frames; /* that it has */
	bool cut; /* frames of less than `min` are left out */
	uint64_t min;
};

/* Writes an element <fg:data>. */
void fg_svgwrite_tree(struct fg_out *out, const struct fg_svgwrite_tree *tree);

/*
 * Writes an element <fg:slices> of what fg_slicedata_write() makes, compressed.
 * `totals` are those of fg_slicedata_write_totals(), compressed, or empty.
 */
void fg_svgwrite_slices(struct fg_out *out, struct fg_str deflated,
			struct fg_str totals);

#endif
