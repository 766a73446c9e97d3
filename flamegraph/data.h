/*
 * The tree as data in the picture's <metadata>, for the viewer and for --extract.
 *
 * All frames that are drawn are in the data, and as many others as --data and
 * --data-limit allow, the larger ones first.
 */
#ifndef FG_FLAMEGRAPH_DATA_H
#define FG_FLAMEGRAPH_DATA_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Chooses the frames and makes the data, once layout and names are known. */
void fg_data_init(struct fg_data *d, struct fg_graph *g);
void fg_data_release(struct fg_data *d);

/* Writes the element that has them. */
void fg_data_write(const struct fg_data *d, const struct fg_graph *g,
		   struct fg_out *out);

/* What the picture says about frames that were left out; false where none were. */
bool fg_data_note(const struct fg_data *d, const struct fg_graph *g,
		  struct fg_buf *text);

#endif
