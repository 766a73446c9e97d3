/* A flame graph from folded stacks: everything between the options and the bytes. */
#ifndef FG_FLAMEGRAPH_DRAW_H
#define FG_FLAMEGRAPH_DRAW_H

#include "flamegraph/graph.h"
#include "lib/base/reader.h"

enum fg_graph_result {
	FG_GRAPH_DRAWN,
	FG_GRAPH_FAILED, /* after reporting; nothing useful was written */
	FG_GRAPH_EMPTY, /* no counts: reported, and a picture that says so written */
};

/* Reads all of `reader` and writes an SVG to `out`, which stays open. */
enum fg_graph_result fg_graph_draw(const struct fg_graph_options *options,
				   struct fg_reader *reader, struct fg_out *out,
				   struct fg_diag *diag);

#endif
