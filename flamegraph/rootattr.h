/*
 * Writes attributes of the root element that tell the viewer about the picture.
 *
 * flamegraph(1) explains each of them.
 */
#ifndef FG_FLAMEGRAPH_ROOTATTR_H
#define FG_FLAMEGRAPH_ROOTATTR_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Writes all attributes and their namespace. */
void fg_rootattr_write(struct fg_graph *g, struct fg_out *out);

/*
 * Writes the attributes of another profile than the first. Leaves out attributes that
 * are the same for all profiles.
 */
void fg_rootattr_write_profile(struct fg_graph *g, struct fg_out *out);

#endif
