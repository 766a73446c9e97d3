/*
 * The lines above the frames that say what to look at first: a stall, the hottest
 * function, where the time splits, or what has changed by more than noise. Each is a
 * link to the view that shows it.
 *
 * The numbers are those of report-folded --digest.
 */
#ifndef FG_FLAMEGRAPH_SUMMARY_H
#define FG_FLAMEGRAPH_SUMMARY_H

#include "flamegraph/graph.h"

/*
 * Returns true if the picture is a plain flame graph that people look at, and has
 * enough samples. Call it when the words of the graph are known.
 */
bool fg_summary_is_wanted(const struct fg_graph *g);

/* Finds the lines for a graph whose other parts are prepared, if they are wanted. */
void fg_summary_init(struct fg_summary *s, const struct fg_graph *g);
void fg_summary_release(struct fg_summary *s);

/* Returns the height of the lines in pixels; 0 if there are none. */
double fg_summary_height(const struct fg_graph *g);

/* Writes the lines. `top` is the upper edge of their space. */
void fg_summary_write(const struct fg_graph *g, double top, struct fg_out *out);

#endif
