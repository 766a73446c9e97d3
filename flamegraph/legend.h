/* The legend of a differential graph. */
#ifndef FG_FLAMEGRAPH_LEGEND_H
#define FG_FLAMEGRAPH_LEGEND_H

#include "flamegraph/graph.h"

/* Writes swatches with what they stand for into the last line of the picture. */
void fg_legend_write(const struct fg_graph *g, struct fg_out *out);

#endif
