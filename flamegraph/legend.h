/*
 * Writes the legend: the colours of a difference or of --colors library and kind. If
 * the names of frames mark waiting, it has the shares of running and waiting.
 */
#ifndef FG_FLAMEGRAPH_LEGEND_H
#define FG_FLAMEGRAPH_LEGEND_H

#include "flamegraph/graph.h"

/*
 * Returns the height that the legend needs below the frames, in pixels, or 0 if the
 * graph has no legend.
 */
double fg_legend_height(struct fg_graph *g);

/* Writes swatches with their texts into the last lines of the picture. */
void fg_legend_write(struct fg_graph *g, struct fg_out *out);

#endif
