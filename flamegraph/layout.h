/*
 * Decides which frames are drawn, and computes their pixels from their counts.
 *
 * Positions are doubles, computed with the same steps as in other tools. They are
 * rounded when they are written.
 */
#ifndef FG_FLAMEGRAPH_LAYOUT_H
#define FG_FLAMEGRAPH_LAYOUT_H

#include "flamegraph/options.h"
#include "lib/profile/tree.h"

/* Pixels left and right of the frames, and between two rows. */
#define FG_SIDE_PADDING 10
#define FG_FRAME_GAP 1

/* A browser takes seconds to open a picture with more frames. */
#define FG_MANY_FRAMES 20000

/*
 * A picture with a viewer draws at most this many frames, unless more are a pixel wide.
 * The viewer draws the others on zoom. Each action costs the browser time for each
 * frame that is drawn.
 */
#define FG_VIEWER_FRAMES 5000

struct fg_layout_frame {
	uint32_t node;
	uint32_t depth;
	uint64_t start; /* sum of the counts to its left, in the tree's units */
};

struct fg_layout {
	double total; /* the count that spans the whole width */
	double per_count; /* width of a count of 1, in pixels */
	double width, height; /* size of the picture */
	double top, bottom; /* space above and below the frames */
	double legend; /* the part of the bottom that the legend takes */
	double heat; /* the part of the top that the heat map or the axis takes */
	double summary; /* the part of the top that the summary above it takes */
	double frame_height; /* including the gap */
	bool inverted;
	uint64_t drawn; /* the least total that is drawn, in the tree's units */
	/* the least width that is drawn; `drawn` is computed from it */
	struct fg_min_width least;

	struct fg_layout_frame *frames; /* depth first; [0] is the root */
	size_t count;
	size_t alloc;
	uint32_t max_depth;
};

/* Lays out a finished tree. The root is always drawn. Warns if --total is useless. */
void fg_layout_init(struct fg_layout *l, const struct fg_tree *tree,
		    const struct fg_graph_options *options, struct fg_diag *diag);

/*
 * Leaves out the narrowest frames until at most `most` are left. Keeps all frames that
 * are at least a pixel wide. Call it only if the picture has the data of all frames.
 */
void fg_layout_thin(struct fg_layout *l, const struct fg_tree *tree, size_t most);

/* Adds space for a legend of that height at the bottom. */
void fg_layout_add_legend(struct fg_layout *l, double height);

/* Adds space for a heat map or an axis of that height below the headings. */
void fg_layout_add_heat(struct fg_layout *l, double height);

/* Adds space for a summary of that height below the headings. */
void fg_layout_add_summary(struct fg_layout *l, double height);

/* Makes the picture high enough for frames down to `depth`, which may not be drawn. */
void fg_layout_deepen(struct fg_layout *l, uint32_t depth);

void fg_layout_release(struct fg_layout *l);

/* Returns the left edge in pixels of a frame that has `count` counts to its left. */
static inline double fg_layout_x(const struct fg_layout *l, double count)
{
	return FG_SIDE_PADDING + count * l->per_count;
}

/*
 * Returns the top edge of a row in pixels. Its frames are frame_height - FG_FRAME_GAP
 * high.
 */
double fg_layout_y(const struct fg_layout *l, uint32_t depth);

#endif
