/* Writes the frames of the picture, which is most of a run's time. */
#ifndef FG_FLAMEGRAPH_FRAMES_H
#define FG_FLAMEGRAPH_FRAMES_H

#include "flamegraph/graph.h"

/*
 * Returns true if wide frames have their share beside the label with these options. In
 * a differential graph they never have it.
 */
bool fg_frames_show_shares(const struct fg_graph_options *options);

/* Writes every frame of the layout, depth first. */
void fg_frames_write(struct fg_graph *graph, struct fg_out *out);

#endif
