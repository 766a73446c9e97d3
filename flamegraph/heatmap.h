/*
 * The heat map that is drawn over the frames: a column for each second, say, and in it
 * a cell for each slice of time, from the bottom, the deeper the more it counts.
 */
#ifndef FG_FLAMEGRAPH_HEATMAP_H
#define FG_FLAMEGRAPH_HEATMAP_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* The height that it takes, in pixels. */
double fg_heatmap_height(const struct fg_graph_options *options);

/* Draws it from `top` on; nothing where there are no slices. */
void fg_heatmap_write(struct fg_graph *g, double top, struct fg_out *out);

#endif
