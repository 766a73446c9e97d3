/*
 * Several profiles in one picture. The first is drawn. The others are in the data and
 * are named below the frames, and the viewer can switch to them.
 */
#ifndef FG_FLAMEGRAPH_PROFILES_H
#define FG_FLAMEGRAPH_PROFILES_H

#include "flamegraph/graph.h"

/*
 * Gives several graphs of one picture their names and numbers, and connects the first
 * with the others. Does nothing for a single graph.
 */
void fg_profiles_init(struct fg_graph *graphs, size_t count);

/*
 * Leaves out all profiles but the first, with a warning, if one of them has no data.
 * Call it after all graphs have been prepared.
 */
void fg_profiles_check(struct fg_graph *first);

/*
 * Appends the line that names the other profiles in the static picture. Returns false
 * if there are none.
 */
bool fg_profiles_note(const struct fg_graph *first, struct fg_buf *text);

#endif
