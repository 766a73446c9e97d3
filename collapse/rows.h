/*
 * A tree as a table of rows, each with its parent and its frame, like profilers write
 * it. A row with a value stands for the stack from the root down to it.
 *
 *     row = fg_rows_add(&rows, parent, fg_sink_name(sink, name));
 *     ... all rows ...
 *     fg_sink_lose(sink, "rows without a path to a root", fg_rows_link(&rows));
 *     ... for each sample ...
 *     if (fg_rows_is_good(&rows, row))
 *             fg_rows_add_value(&rows, row, value);
 *     ...
 *     fg_rows_write(&rows, sink, owner);
 *
 * Rows come in any order and refer to each other by index. An index may be wrong, so we
 * follow indices only after fg_rows_link() has checked all of them. Each stack is
 * written once, however many samples it has. Memory is 9 bytes for each row, 8 more if
 * any row has a value, and 4 for each row with a value.
 */
#ifndef FG_COLLAPSE_ROWS_H
#define FG_COLLAPSE_ROWS_H

#include "collapse/values.h"

#define FG_ROWS_ROOT UINT32_MAX /* the parent of a row without a parent */
/* The frame of a row that is not a function, such as "(root)". */
#define FG_ROWS_NO_FRAME UINT32_MAX

/* The values of rows; private. */
struct fg_rows_values {
	/* halves of each row's value; `high` is NULL if no value needs 128 bits */
	uint64_t *low, *high;
	uint32_t *rows; /* rows that have values */
	size_t count, alloc;
	struct fg_rows_part *parts; /* values that have a time */
	size_t part_count, part_alloc;
	/* index plus 1 of each row's newest part; NULL if no value has a time */
	uint32_t *newest_part_plus_1;
};

struct fg_rows {
	uint32_t *parents;
	uint32_t *frames; /* ids of fg_sink_name(), or FG_ROWS_NO_FRAME */
	size_t count;
	unsigned decimals; /* values are in units of 10^-decimals */
	uint32_t empty; /* the frame to write for a stack without frames */

	/* private */
	size_t parents_alloc, frames_alloc;
	struct fg_rows_values plus, minus;
	uint8_t *states; /* set by fg_rows_link() */
};

/* Starts an empty table: no decimals, and no frame for empty stacks. */
void fg_rows_init(struct fg_rows *r);
void fg_rows_release(struct fg_rows *r);

/* Removes all rows but keeps the memory. */
void fg_rows_clear(struct fg_rows *r);

/* Adds a row, whose parent may come later. Returns its index, from 0. */
uint32_t fg_rows_add(struct fg_rows *r, uint32_t parent, uint32_t frame);

/*
 * Replaces all rows by two arrays of `count` items, which were allocated by
 * fg_xmalloc(). The table becomes their owner.
 */
void fg_rows_take(struct fg_rows *r, uint32_t *parents, uint32_t *frames, size_t count);

/*
 * Checks the parents of all rows. Call it after the last row. Frames must not change
 * from then on. Returns how many rows are faulty: their parent does not exist, they are
 * in a loop, or a row above them is faulty.
 */
size_t fg_rows_link(struct fg_rows *r);

/* Returns true if a row exists and is not faulty. Call this after fg_rows_link(). */
static inline bool fg_rows_is_good(const struct fg_rows *r, uint64_t row)
{
	return row < r->count && !(r->states[row] & 1);
}

/* Adds to the value of a row, which must be good. */
void fg_rows_add_value(struct fg_rows *r, size_t row, struct fg_sum value);

/*
 * Like fg_rows_add_value(), at a time in nanoseconds. Only use this if
 * fg_sink_wants_time(), because it takes 32 bytes for each value.
 */
void fg_rows_add_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			  uint64_t time);

/*
 * Like the two functions above, for a negative value: subtract `value`, see
 * fg_sink_subtract_sum().
 */
void fg_rows_subtract_value(struct fg_rows *r, size_t row, struct fg_sum value);
void fg_rows_subtract_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			       uint64_t time);

/* Returns the sum of the values that were added to a row, which must be good. */
struct fg_sum fg_rows_value(const struct fg_rows *r, size_t row);

/*
 * Moves a part of that sum to another row. The values of both rows must have no times.
 */
void fg_rows_move_value(struct fg_rows *r, size_t from, size_t to, struct fg_sum part);

/*
 * Adds the frames of a row and of all rows above it to the sink's stack. If the frame
 * budget is spent, counts the stack as lost and returns false.
 */
bool fg_rows_add_frames(const struct fg_rows *r, uint32_t row, struct fg_sink *sink);

/*
 * Counts a stack for each row that has a value, with the root frames of its owner,
 * which may be NULL. Afterwards no row has a value. The format must not be .root_first.
 */
void fg_rows_write(struct fg_rows *r, struct fg_sink *sink,
		   const struct fg_owner *owner);

#endif
