/*
 * Marks a differential graph beside its colours: outlines of frames that have not
 * changed, and hatching of frames that are gone.
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

#endif
