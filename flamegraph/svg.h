/*
 * The SVG document around the frames.
 *
 * The contract with the viewer and with other programs is in the manual,
 * flamegraph(1). Everything that decides how the picture looks is an attribute, so
 * that it is right without script and without style sheets.
 */
#ifndef FG_FLAMEGRAPH_SVG_H
#define FG_FLAMEGRAPH_SVG_H

#include "flamegraph/graph.h"

/* Writes the whole document. */
void fg_svg_write(struct fg_graph *graph, struct fg_out *out);

/* A picture that says that there was nothing to draw. */
void fg_svg_write_empty(const struct fg_graph_options *options, struct fg_out *out);

#endif
