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
 * Finds the lines for a graph whose other parts are prepared. Finds none if the graph
 * has too few samples, or if its frames are not those of a plain flame graph.
 */
void fg_summary_init(struct fg_summary *s, const struct fg_graph *g);
void fg_summary_release(struct fg_summary *s);

/* Returns the height of the lines in pixels; 0 if there are none. */
double fg_summary_height(const struct fg_graph *g);

/* Writes the lines. `top` is the upper edge of their space. */
void fg_summary_write(const struct fg_graph *g, double top, struct fg_out *out);

#endif
