/*
 * What the counts of a profile are, as the header lines of folded text say: their unit,
 * the event, the weight of one sample. See folded(5).
 *
 * A zeroed struct knows nothing.
 */
#ifndef FG_LIB_PROFILE_UNIT_H
#define FG_LIB_PROFILE_UNIT_H

#include "lib/base/buf.h"

/* How the lines start that say what one sample counts, and what was recorded. */
#define FG_UNIT_WEIGHT "# sample-weight:"
#define FG_UNIT_COMMAND "# command:"

struct fg_unit {
	struct fg_buf unit, event; /* empty: not known */
	struct fg_buf sample_weight; /* as it is written */
	struct fg_buf command; /* that was recorded */
	bool mixed_units, mixed_events; /* there are several: none is known */
	bool mixed_weights, mixed_commands;
};

void fg_unit_release(struct fg_unit *u);

/*
 * Takes what a line "# unit: ns", "# event: cycles", "# sample-weight: 1000" or
 * "# command: ./program" says: false if it is another.
 */
bool fg_unit_read(struct fg_unit *u, struct fg_str line);

/* Takes a unit and an event as if such lines said them. */
void fg_unit_take(struct fg_unit *u, struct fg_str unit, struct fg_str event);

/* Adds such lines, of what is known. */
void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines);

#endif
