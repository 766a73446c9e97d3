/*
 * Reads profiles that are outlines: each row has a function and its weight, and is
 * indented below the row of its caller.
 *
 *     main            10
 *       parse          7
 *         read         2
 *       write          3
 *
 * The caller of a row is the nearest row before it that is indented less.
 */
#ifndef FG_COLLAPSE_OUTLINE_H
#define FG_COLLAPSE_OUTLINE_H

#include "collapse/sink.h"

struct fg_outline_row {
	size_t depth; /* the indentation, in any unit */
	uint32_t name; /* a frame id of fg_sink_name() */
	bool idle; /* the row's own weight is skipped, see FG_SKIP_IDLE */
	struct fg_sum sum; /* in units of 10^-decimals */
	unsigned decimals;
};

struct fg_outline {
	struct fg_sink *sink; /* borrowed */
	bool totals; /* a row's sum includes the rows below it */
	/* the input has depths as numbers, so a deep row may be a short line */
	bool numbered;

	/* private */
	struct fg_path path; /* from the root to the last row */
	struct fg_outline_level *levels; /* one for each row of the path */
	size_t alloc;
	unsigned decimals; /* all sums are in units of 10^-decimals */
};

/* Starts an outline. `numbered` is false. */
void fg_outline_init(struct fg_outline *o, struct fg_sink *sink, bool totals);
void fg_outline_release(struct fg_outline *o);

/*
 * Adds the next row, and counts the rows before it that are now complete. If sums are
 * totals, rounding may make the rows below a row add up to more than the row; then the
 * row's own weight is 0.
 */
void fg_outline_add(struct fg_outline *o, const struct fg_outline_row *row);

/* Ends an outline. Counts all rows that are left. */
void fg_outline_end(struct fg_outline *o);

#endif
