/*
 * The header lines of folded text about the counts of a profile: their unit, the event,
 * the weight of one sample, and so on. See folded(5).
 *
 * A zeroed struct has no values.
 */
#ifndef FG_LIB_PROFILE_UNIT_H
#define FG_LIB_PROFILE_UNIT_H

#include "lib/profile/quality.h"

/* The values as they were written; empty if there was no such line. */
struct fg_unit {
	struct fg_buf unit, event;
	struct fg_buf sample_weight;
	struct fg_buf totals; /* recorded totals of a difference; see totals.h */
	struct fg_buf command; /* the command line that was recorded */
	struct fg_quality quality; /* the sum of all such lines */

	/* The lines of the inputs disagreed, so the value stays empty. */
	bool mixed_units, mixed_events, mixed_weights, mixed_totals, mixed_commands;
};

void fg_unit_release(struct fg_unit *u);

/*
 * Reads a header line, such as "# unit: ns". Returns false for any other line. A
 * malformed line "# quality:" is ignored.
 */
bool fg_unit_read(struct fg_unit *u, struct fg_str line);

/* Takes a unit and an event as if they came from header lines. */
void fg_unit_take(struct fg_unit *u, struct fg_str unit, struct fg_str event);

/* Takes all values of `from` as if they came from header lines. */
void fg_unit_take_all(struct fg_unit *u, const struct fg_unit *from);

/* Appends a header line for each value that is not empty. */
void fg_unit_add(const struct fg_unit *u, struct fg_buf *lines);

#endif
