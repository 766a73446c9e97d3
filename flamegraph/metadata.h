/*
 * The picture's <metadata>: its data, those of its heat map, the other profiles of the
 * same file, and the attributes of frames that only a viewer draws.
 */
#ifndef FG_FLAMEGRAPH_METADATA_H
#define FG_FLAMEGRAPH_METADATA_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Writes nothing where there are no data (--data none). */
void fg_metadata_write(const struct fg_graph *g, struct fg_out *out);

#endif
