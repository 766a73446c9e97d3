/*
 * Makes a tree from the frames of a flame graph's picture.
 *
 * The picture can be from any tool, because we only need the title and the rectangle of
 * each frame. The parent of a frame is the one below it (above it in an icicle graph)
 * on which it starts. If frames come depth first, the parent is the latest frame of
 * that row.
 */
#ifndef FG_LIB_SVG_PICTURE_H
#define FG_LIB_SVG_PICTURE_H

#include "lib/base/diag.h"
#include "lib/profile/tree.h"

struct fg_picture_frame {
	uint32_t name; /* id in picture->names */
	double x, y, width; /* in pixels, or all in percent */
	bool has_count, has_start, has_before, has_delta;
	struct fg_count count; /* inclusive count */
	struct fg_count start; /* sum of the counts to its left */
	struct fg_count before;
	double delta; /* change of its own counts, in percent of the root's total */
};

struct fg_picture {
	struct fg_intern names;
	struct fg_picture_frame *frames;
	size_t count;
	size_t alloc;
	enum fg_tree_order order;
	bool depth_first; /* frames are added depth first */
};

void fg_picture_init(struct fg_picture *p);
void fg_picture_release(struct fg_picture *p);

/*
 * Reads a title such as "NAME (1,234 samples, 5.67%; +0.12%)". Sets count and delta of
 * `frame` and returns the name. If the title has another form, all of it is the name.
 */
struct fg_str fg_picture_title(struct fg_str title, struct fg_picture_frame *frame);

/* Adds a copy of `frame` with that name. Replaces ';' and line breaks in the name. */
void fg_picture_add(struct fg_picture *p, struct fg_str name,
		    const struct fg_picture_frame *frame);

/*
 * Makes the tree: initialises and finishes it. Counts of a frame that none of its
 * children has become its own counts. Returns 0, or -1 after reporting what is wrong
 * with the SVG. Release the tree in either case.
 */
int fg_picture_tree(const struct fg_picture *p, struct fg_tree *tree,
		    const struct fg_place *at, struct fg_diag *diag);

#endif
