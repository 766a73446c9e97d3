/*
 * Draws the parts that only flame charts have: the axis above the frames, and the
 * pixels of frames that are too narrow to be drawn one by one. The viewer's
 * chartaxis.js and chartlayout.js do the same.
 *
 * The counts of all stacks follow each other on the axis. If the unit is one of time,
 * these are times.
 */
#ifndef FG_FLAMEGRAPH_TIMEAXIS_H
#define FG_FLAMEGRAPH_TIMEAXIS_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/*
 * Returns true for a flame chart with an axis. A differential has none, because its
 * counts before have no order in time, and neither has a picture with --compat.
 */
bool fg_timeaxis_is_drawn(const struct fg_graph *g);

/* Returns the height of the axis in pixels. */
double fg_timeaxis_height(const struct fg_graph_options *options);

/* Makes the picture high enough for all frames, narrow ones too. */
void fg_timeaxis_init(struct fg_graph *g);

/* Writes the axis. Does nothing if there is none. */
void fg_timeaxis_write(struct fg_graph *g, struct fg_out *out);

/*
 * Writes the frames narrower than a pixel: in each row, the first of those that share a
 * pixel gets it. Does nothing if there is no axis.
 */
void fg_timeaxis_write_narrow(struct fg_graph *g, struct fg_out *out);

#endif
