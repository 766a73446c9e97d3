/*
 * Writes the picture's <metadata>: the data of the frames and of the heat map, the
 * other profiles of the file, and the attributes of frames that only the viewer draws.
 */
#ifndef FG_FLAMEGRAPH_METADATA_H
#define FG_FLAMEGRAPH_METADATA_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Writes nothing if there are no data (--data none). */
void fg_metadata_write(const struct fg_graph *g, struct fg_out *out);

#endif
