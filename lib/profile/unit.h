/*
 * What the counts of a profile are, as the header lines of folded text say: their unit,
 * the event, the weight of one sample. See folded(5).
 *
 * A zeroed struct knows nothing.
 */
#ifndef FG_LIB_PROFILE_UNIT_H
#define FG_LIB_PROFILE_UNIT_H

#include "lib/base/buf.h"

/* The starts of the header lines for the weight of a sample and the command. */
#define FG_UNIT_WEIGHT "# sample-weight:"
#define FG_UNIT_COMMAND "# command:"

struct fg_unit {
	struct fg_buf unit, event; /* empty if not known */
	struct fg_buf sample_weight; /* the number as it was written */
	struct fg_buf command; /* the one that was recorded */
	bool mixed_units, mixed_events; /* several were read, so none holds */
	bool mixed_weights, mixed_commands;
};

void fg_unit_release(struct fg_unit *u);

/*
 * Reads a header line: "# unit: ns", "# event: cycles", "# sample-weight: 1000" or
 * "# command: ./program". Returns false for any other line.
 */
bool fg_unit_read(struct fg_unit *u, struct fg_str line);

/* Takes a unit and an event as if read from header lines. */
void fg_unit_take(struct fg_unit *u, struct fg_str unit, struct fg_str event);

/* Appends header lines for what is known. */
void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines);

#endif
