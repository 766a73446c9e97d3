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
	struct fg_count count;
	bool aside; /* its own part is not counted, but told of */

	/* private */
	struct fg_count below; /* what the rows below it took */
};

struct fg_outline {
	struct fg_sink *sink; /* borrowed */
	bool totals; /* a row's count has those of the rows below it in it */

	/* private */
	struct fg_outline_row *rows; /* from the root to the last row */
	size_t depth, alloc;
};

/* The rest is zeroed. */
void fg_outline_init(struct fg_outline *o, struct fg_sink *sink, bool totals);
void fg_outline_release(struct fg_outline *o);

/*
 * The next row. Those it shows to be complete go to the sink, if they have a part of
 * their own. 0, or -1 where the count is too large; the row then has none.
 */
int fg_outline_add(struct fg_outline *o, const struct fg_outline_row *row);

/* The end of an outline: all rows are complete. */
void fg_outline_end(struct fg_outline *o);

#endif
