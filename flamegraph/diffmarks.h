/*
 * Marks a differential graph beside its colours: outlines of frames that have not
 * changed, hatching of frames that are gone, and a line on how the whole has changed.
 */
#ifndef FG_FLAMEGRAPH_DIFFMARKS_H
#define FG_FLAMEGRAPH_DIFFMARKS_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/*
 * Writes the attributes of the root element that tell the viewer how to draw changes.
 */
void fg_diffmarks_write_settings(const struct fg_changes *d, struct fg_out *out);

/* Writes the hatching pattern if it is used. */
void fg_diffmarks_write_pattern(const struct fg_changes *d, struct fg_out *out);

/* The most bytes that fg_diffmarks_put_fill() writes. */
#define FG_DIFFMARKS_FILL_MAX 64

/*
 * Writes a fill without its closing quote and returns its end: the colour, or the
 * hatching for a frame that is gone. With `outlined`, appends a stroke attribute for
 * frames that have not changed or are gone.
 */
char *fg_diffmarks_put_fill(char *p, const struct fg_changes *d, struct fg_rgb colour,
			    bool outlined);

/*
 * Writes the attribute for the width of all outlines. Outlines are thin, because
 * otherwise many narrow frames side by side would look dark.
 */
void fg_diffmarks_write_width(const struct fg_changes *d, struct fg_out *out);

/*
 * Appends the recorded totals if the counts before are scaled, like fg_totals_add().
 * Returns false if they are not.
 */
bool fg_diffmarks_add_totals(struct fg_graph *g, struct fg_buf *text);

/*
 * Makes "2.825 s -> 3.339 s of cpu-clock (+514.5 ms, +18.2%)", with a real arrow, in
 * `text`. Returns NULL if the picture has a subtitle or is not a difference.
 */
const char *fg_diffmarks_heading(struct fg_graph *g, struct fg_buf *text);

/*
 * Appends " samples" or another word for what is counted, unless the numbers are
 * written with a unit such as "ms".
 */
void fg_diffmarks_add_word(struct fg_buf *text, struct fg_graph *g);

/*
 * Appends the larger of the totals before and after, such as "3.339 s". It is 100 % in
 * the legend.
 */
void fg_diffmarks_add_largest(struct fg_graph *g, struct fg_buf *text);

#endif
