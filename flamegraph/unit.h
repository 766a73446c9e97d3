/*
 * What the counts of a profile are: their unit and event, as its header says, and the
 * words for them.
 *
 * A zeroed struct knows nothing.
 */
#ifndef FG_FLAMEGRAPH_UNIT_H
#define FG_FLAMEGRAPH_UNIT_H

#include "flamegraph/options.h"
#include "lib/buf.h"

struct fg_unit {
	struct fg_buf unit, event; /* empty: not known */
	bool mixed_units, mixed_events; /* there are several: none is known */
};

void fg_unit_release(struct fg_unit *u);

/* Takes what a line "# unit: ns" or "# event: cycles" says: false if it is another. */
bool fg_unit_read(struct fg_unit *u, struct fg_str line);

/* The unit, by --unit or the header; "" where it is not known. */
const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o);

/* The event; "" where it is not known. */
const char *fg_unit_event(struct fg_unit *u);

/* The word after a count: --countname, or the unit, or samples. */
const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o);

#endif
