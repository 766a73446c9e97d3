/*
 * Draws a flame graph from folded stacks: all steps between the options and the bytes.
 *
 * fg_graph_args_check() makes the options; input.h reads the stacks, svg.h writes the
 * picture, and draw.c runs the steps in between.
 */
#ifndef FG_FLAMEGRAPH_DRAW_H
#define FG_FLAMEGRAPH_DRAW_H

#include "flamegraph/graph.h"
#include "lib/base/reader.h"

enum fg_graph_result {
	FG_GRAPH_DRAWN,
	FG_GRAPH_FAILED, /* reported; the output is useless */
	FG_GRAPH_EMPTY, /* no counts: reported, and the picture says so too */
};

/* Reads all of `reader` and writes an SVG to `out`, which stays open. */
enum fg_graph_result fg_graph_draw(const struct fg_graph_options *options,
				   struct fg_reader *reader, struct fg_out *out,
				   struct fg_diag *diag);

#endif
