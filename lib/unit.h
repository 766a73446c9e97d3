/*
 * What the counts of a profile are, as the header lines of folded text say: their unit,
 * the event, the weight of one sample. See folded(5).
 *
 * A zeroed struct knows nothing.
 */
#ifndef FG_LIB_UNIT_H
#define FG_LIB_UNIT_H

#include "lib/buf.h"

struct fg_unit {
	struct fg_buf unit, event; /* empty: not known */
	struct fg_buf sample_weight; /* as it is written */
	bool mixed_units, mixed_events; /* there are several: none is known */
	bool mixed_weights;
};

void fg_unit_release(struct fg_unit *u);

/*
 * Takes what a line "# unit: ns", "# event: cycles" or "# sample-weight: 1000" says:
 * false if it is another.
 */
bool fg_unit_read(struct fg_unit *u, struct fg_str line);

/* Adds such lines, of what is known. */
void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines);

#endif
