/*
 * The tree as data in the picture's <metadata>, for the viewer and for --extract.
 *
 * All frames that are drawn are in the data, and as many others as --data and
 * --data-limit allow, the larger ones first.
 */
#ifndef FG_FLAMEGRAPH_DATA_H
#define FG_FLAMEGRAPH_DATA_H

#include "lib/out.h"

struct fg_graph;

struct fg_data {
	struct fg_buf bytes; /* compressed; empty where there are none */
	size_t frames; /* in them, the root included */
	uint64_t min; /* frames with less were left out, as the tree counts; or 0 */
};

/* Chooses the frames and makes the data, once layout and names are known. */
void fg_data_init(struct fg_data *d, struct fg_graph *g);
void fg_data_release(struct fg_data *d);

/* Writes <metadata>, where there is anything to be in it. */
void fg_data_write(const struct fg_data *d, const struct fg_graph *g,
		   struct fg_out *out);

/* What the picture says about frames that were left out; false where none were. */
bool fg_data_note(const struct fg_data *d, const struct fg_graph *g,
		  struct fg_buf *text);

#endif
