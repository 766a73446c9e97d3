/*
 * A profile as an outline: rows, each below its caller and indented more, with what
 * each function took.
 *
 * The caller of a row is the nearest row before it that is indented less.
 */
#ifndef FG_COLLAPSE_OUTLINE_H
#define FG_COLLAPSE_OUTLINE_H

#include "collapse/sink.h"

struct fg_outline_row {
	size_t depth; /* in whatever unit */
	uint32_t name; /* of fg_sink_name */
	bool aside; /* its own part is not counted, but told of */
	struct fg_sum sum; /* in units of 10^-decimals */
	unsigned decimals;
};

struct fg_outline {
	struct fg_sink *sink; /* borrowed */
	bool totals; /* a row's sum has those of the rows below it in it */
	bool numbered; /* depths are numbers: rows are as short where they are deep */

	/* private */
	struct fg_path path; /* from the root to the last row */
	struct fg_outline_level *levels; /* what else is known of these */
	size_t alloc;
	unsigned decimals; /* of all sums */
};

/* The rest is zeroed. */
void fg_outline_init(struct fg_outline *o, struct fg_sink *sink, bool totals);
void fg_outline_release(struct fg_outline *o);

/*
 * The next row. Those it shows to be complete go to the sink. In rows whose sums are
 * totals, rows below that took more than the row itself, as by rounding, leave it 0.
 */
void fg_outline_add(struct fg_outline *o, const struct fg_outline_row *row);

/* The end of an outline: all rows are complete. */
void fg_outline_end(struct fg_outline *o);

#endif
