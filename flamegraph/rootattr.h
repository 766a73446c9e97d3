/*
 * What the viewer has to know of a picture, as attributes of its root.
 *
 * The manual, flamegraph(1), says what each of them means.
 */
#ifndef FG_FLAMEGRAPH_ROOTATTR_H
#define FG_FLAMEGRAPH_ROOTATTR_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Writes them all, and the namespace that they are of. */
void fg_rootattr_write(struct fg_graph *g, struct fg_out *out);

/* Of another profile of the picture: those that may differ from the first one's. */
void fg_rootattr_write_profile(struct fg_graph *g, struct fg_out *out);

#endif
