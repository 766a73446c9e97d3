/*
 * Writes the SVG document around the frames.
 *
 * flamegraph(1) documents what the viewer and other programs rely on. Everything that
 * decides how the picture looks is an attribute, so the picture is right even without
 * script and style sheets.
 */
#ifndef FG_FLAMEGRAPH_SVG_H
#define FG_FLAMEGRAPH_SVG_H

#include "flamegraph/graph.h"

void fg_svg_write(struct fg_graph *graph, struct fg_out *out);

/* Writes a picture that says that there was nothing to draw. */
void fg_svg_write_empty(const struct fg_graph_options *options, struct fg_out *out);

#endif
