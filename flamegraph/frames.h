/* The frames of the picture: the hot path. */
#ifndef FG_FLAMEGRAPH_FRAMES_H
#define FG_FLAMEGRAPH_FRAMES_H

#include "flamegraph/graph.h"

/* Writes every frame that is laid out, depth first. */
void fg_frames_write(struct fg_graph *graph, struct fg_out *out);

#endif
