/*
 * The source text of the hottest lines of each function, which --source puts into the
 * picture's <metadata> for the card of a frame.
 */
#ifndef FG_FLAMEGRAPH_SOURCELINES_H
#define FG_FLAMEGRAPH_SOURCELINES_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/*
 * Reads the texts for the profiles of a picture. Does nothing without --source. Returns
 * 0, or -1 after reporting that a folder cannot be opened. Release `s` in either case.
 */
int fg_sourcelines_init(struct fg_sourcelines *s, const struct fg_graph *graphs,
			size_t count);
void fg_sourcelines_release(struct fg_sourcelines *s);

/* Writes an element <fg:line> for each text. */
void fg_sourcelines_write(const struct fg_sourcelines *s, struct fg_out *out);

#endif
