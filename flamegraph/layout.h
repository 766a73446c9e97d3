/*
 * Which frames are drawn, and where: pixels from counts.
 *
 * Numbers are doubles, computed as other tools compute them; they are rounded where
 * they are written.
 */
#ifndef FG_FLAMEGRAPH_LAYOUT_H
#define FG_FLAMEGRAPH_LAYOUT_H

#include "flamegraph/options.h"
#include "lib/profile/tree.h"

/* Pixels: left and right of the frames, and between two rows. */
#define FG_SIDE_PADDING 10
#define FG_FRAME_GAP 1

/* With more frames than this, a picture is slow to open. */
#define FG_MANY_FRAMES 20000

struct fg_layout_frame {
	uint32_t node;
	uint32_t depth;
	uint64_t start; /* counts to the left of it, in the tree's units */
};

struct fg_layout {
	double total; /* what the width stands for */
	double per_count; /* pixels */
	double width, height; /* of the picture */
	double top, bottom; /* padding */
	double legend; /* what of the bottom a legend takes */
	double heat; /* what of the top a heat map takes */
	double frame_height; /* with the gap */
	bool inverted;
	uint64_t drawn; /* the least total that is drawn, in the tree's units, */
	struct fg_min_width least; /* and the width that it stands for, not rounded */

	struct fg_layout_frame *frames; /* depth first; [0] is the root */
	size_t count;
	size_t alloc;
	uint32_t max_depth;
};

/*
 * Lays out a finished tree. Says so on `diag` when --total is of no use. The root is
 * always drawn.
 */
void fg_layout_init(struct fg_layout *l, const struct fg_tree *tree,
		    const struct fg_graph_options *options, struct fg_diag *diag);

/*
 * Where more frames than FG_MANY_FRAMES would be drawn, leaves out the narrowest until
 * there are no more than that, but none that is wider than half a pixel. For pictures
 * whose viewer can show what is left out.
 */
void fg_layout_thin(struct fg_layout *l, const struct fg_tree *tree);

/* Makes room below for a legend of that height. */
void fg_layout_add_legend(struct fg_layout *l, double height);

/* Makes room on top, below the headings, for a heat map of that height. */
void fg_layout_add_heat(struct fg_layout *l, double height);

void fg_layout_release(struct fg_layout *l);

/* The left edge of what is `count` counts from the left. */
static inline double fg_layout_x(const struct fg_layout *l, double count)
{
	return FG_SIDE_PADDING + count * l->per_count;
}

/* The top edge of a row, whose frames are frame_height - FG_FRAME_GAP high. */
double fg_layout_y(const struct fg_layout *l, uint32_t depth);

#endif
