/*
 * Draws the heat map above the frames. A column is, say, a second. Its cells are slices
 * of time, from the bottom up; the more a cell counts, the deeper its shade.
 */
#ifndef FG_FLAMEGRAPH_HEATMAP_H
#define FG_FLAMEGRAPH_HEATMAP_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Returns the height of the heat map in pixels. */
double fg_heatmap_height(const struct fg_graph_options *options);

/* Draws the heat map below `top`. Does nothing if there are no slices. */
void fg_heatmap_write(struct fg_graph *g, double top, struct fg_out *out);

#endif
