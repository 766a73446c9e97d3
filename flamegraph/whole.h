/* Texts on the totals of a picture. */
#ifndef FG_FLAMEGRAPH_WHOLE_H
#define FG_FLAMEGRAPH_WHOLE_H

#include "flamegraph/graph.h"

/*
 * Appends the recorded totals if the counts before are scaled, like fg_totals_add().
 * Returns false if they are not.
 */
bool fg_whole_add_totals(struct fg_graph *g, struct fg_buf *text);

/* Appends the totals of a difference before and after, such as "0.334 s -> 1.077 s". */
void fg_whole_add_recorded(struct fg_graph *g, struct fg_buf *text);

/*
 * Makes the line below the title in `text`: "100% = 2,816 samples, 2.824 s of
 * cpu-clock" or, for a difference, "Before -> after: 2.825 s -> 3.339 s of cpu-clock
 * (+514.5 ms, +18.2%)" with real arrows. The viewer's texts.js writes the same. Returns
 * NULL with --compat.
 */
const char *fg_whole_heading(struct fg_graph *g, struct fg_buf *text);

/*
 * Appends " samples" or another word for what is counted, unless the numbers are
 * written with a unit such as "ms".
 */
void fg_whole_add_word(struct fg_buf *text, struct fg_graph *g);

/*
 * Appends the larger of the totals before and after, such as "3.339 s". It is 100 % in
 * the legend.
 */
void fg_whole_add_largest(struct fg_graph *g, struct fg_buf *text);

#endif
