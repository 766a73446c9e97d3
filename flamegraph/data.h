/*
 * Puts the tree as data into the picture's <metadata>, for the viewer and for
 * --extract. A picture whose frames say everything has no data, because they would
 * make it a tenth larger.
 *
 * The data hold all frames that are drawn. If --data and --data-limit allow more, the
 * largest of the remaining frames are added.
 */
#ifndef FG_FLAMEGRAPH_DATA_H
#define FG_FLAMEGRAPH_DATA_H

#include "flamegraph/graph.h"
#include "lib/base/out.h"

/* Chooses the frames and makes the data. Call it when layout and names are known. */
void fg_data_init(struct fg_data *d, struct fg_graph *g);
void fg_data_release(struct fg_data *d);

/* Writes the element with the data. */
void fg_data_write(const struct fg_data *d, const struct fg_graph *g,
		   struct fg_out *out);

/*
 * Appends the note on frames that were left out of the data. Returns false if none
 * were.
 */
bool fg_data_note(const struct fg_data *d, const struct fg_graph *g,
		  struct fg_buf *text);

#endif
