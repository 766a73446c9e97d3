/*
 * Puts the slices of time as data into the picture's <metadata>, for the viewer and for
 * --extract.
 *
 * If they exceed --data-limit, the slices are made wider.
 */
#ifndef FG_FLAMEGRAPH_HEATDATA_H
#define FG_FLAMEGRAPH_HEATDATA_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Makes the slices and their data. Call it after fg_data_init(). */
void fg_heatdata_init(struct fg_heatdata *d, struct fg_graph *g);
void fg_heatdata_release(struct fg_heatdata *d);

/* Writes the element with the data, if there is one. */
void fg_heatdata_write(const struct fg_heatdata *d, struct fg_out *out);

#endif
