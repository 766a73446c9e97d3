/*
 * What a differential graph has beside its colours: outlines of what is alike, hatching
 * of what is gone, and a line that says how the whole has changed.
 */
#ifndef FG_FLAMEGRAPH_DIFFMARKS_H
#define FG_FLAMEGRAPH_DIFFMARKS_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* The attributes of the root element by which the viewer draws changes. */
void fg_diffmarks_write_settings(const struct fg_changes *d, struct fg_out *out);

/* The pattern for what is gone; nothing where it is not used. */
void fg_diffmarks_write_pattern(const struct fg_changes *d, struct fg_out *out);

/* The most bytes of a fill. */
#define FG_DIFFMARKS_FILL_MAX 64

/*
 * Writes a fill at `p`, without the quote after it, and returns its end: the colour or,
 * as that says, the pattern. `outlined`: the stroke of what is alike or gone comes
 * after it, as another attribute.
 */
char *fg_diffmarks_put_fill(char *p, const struct fg_changes *d, struct fg_rgb colour,
			    bool outlined);

/* Of outlines, for all frames: side by side, narrow ones are not to look dark. */
void fg_diffmarks_write_width(const struct fg_changes *d, struct fg_out *out);

/*
 * Appends what was recorded before and after, if the counts before are scaled, like
 * fg_totals_add(). Returns false if they are not.
 */
bool fg_diffmarks_add_totals(struct fg_graph *g, struct fg_buf *text);

/*
 * "2.825 s -> 3.339 s of cpu-clock (+514.5 ms, +18.2%)", with an arrow, for a picture
 * that has no second heading of its own; NULL for all others. In `text`.
 */
const char *fg_diffmarks_heading(struct fg_graph *g, struct fg_buf *text);

/* Appends " samples" where such a number has no unit that it is written with. */
void fg_diffmarks_add_word(struct fg_buf *text, struct fg_graph *g);

/* Appends the total of the larger side, which shares of changes are of: "3.339 s". */
void fg_diffmarks_add_largest(struct fg_graph *g, struct fg_buf *text);

#endif
