/*
 * The legend: what the colours of a differential graph stand for, or those of
 * --colors library and kind; and what ran and what waited, where names say that.
 */
#ifndef FG_FLAMEGRAPH_LEGEND_H
#define FG_FLAMEGRAPH_LEGEND_H

#include "flamegraph/graph.h"

/* How much room it needs below the frames, in pixels; 0 where there is none. */
double fg_legend_height(struct fg_graph *g);

/* Writes swatches with what they stand for into the last lines of the picture. */
void fg_legend_write(struct fg_graph *g, struct fg_out *out);

#endif
