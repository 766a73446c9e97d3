/*
 * Several profiles in one picture: the first is drawn, the others are in its data and
 * named below it, and the viewer has a switch.
 */
#ifndef FG_FLAMEGRAPH_PROFILES_H
#define FG_FLAMEGRAPH_PROFILES_H

#include "flamegraph/graph.h"

/* Makes the graphs those of one picture, with names where there are several. */
void fg_profiles_init(struct fg_graph *graphs, size_t count);

/* When all are prepared: warns where the others have no data, and leaves them out. */
void fg_profiles_check(struct fg_graph *first);

/* What the static picture says of them; false where there are none. */
bool fg_profiles_note(const struct fg_graph *first, struct fg_buf *text);

#endif
