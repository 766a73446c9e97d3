/*
 * Trees as profilers write them: a table of rows, each with its parent, its frame and,
 * where stacks end there, what these weigh.
 *
 * Rows come in any order and refer to each other by number, which may be wrong: no row
 * is followed before fg_rows_link has looked at all. Each row is unfolded once, however
 * many samples it has. Memory is 9 bytes a row, 8 more where there are values, and 4
 * for each row that has one.
 */
#ifndef FG_COLLAPSE_ROWS_H
#define FG_COLLAPSE_ROWS_H

#include "collapse/values.h"

#define FG_ROWS_ROOT UINT32_MAX /* the parent of a row that has none */
#define FG_ROWS_NO_FRAME UINT32_MAX /* of a row that is no frame, such as "(root)" */

/* What rows weigh; private. */
struct fg_rows_values {
	uint64_t *low, *high; /* by row; `high` is NULL if no value needs 128 bits */
	uint32_t *rows; /* that have values */
	size_t count, alloc;
	struct fg_rows_part *parts; /* of values, with their times */
	size_t part_count, part_alloc;
	uint32_t *newest_part_plus_1; /* by row; NULL without times */
};

struct fg_rows {
	uint32_t *parents;
	uint32_t *frames; /* ids of fg_sink_name */
	size_t count;
	unsigned decimals; /* values are in units of 10^-decimals */
	uint32_t empty; /* the frame of a stack that has none */

	/* private */
	size_t parents_alloc, frames_alloc;
	struct fg_rows_values plus, minus;
	uint8_t *states; /* from fg_rows_link on */
};

/* No rows, no decimals; a stack without frames is dropped unless `empty` is set. */
void fg_rows_init(struct fg_rows *r);
void fg_rows_release(struct fg_rows *r);

/* No rows again; memory stays. */
void fg_rows_clear(struct fg_rows *r);

/* Adds a row, whose parent may come later: its number, from 0. */
uint32_t fg_rows_add(struct fg_rows *r, uint32_t parent, uint32_t frame);

/* Takes over two lists, made by fg_xmalloc, as all rows there are. */
void fg_rows_take(struct fg_rows *r, uint32_t *parents, uint32_t *frames, size_t count);

/*
 * After the last row: checks all parents; frames may no longer change. How many rows
 * are faulty: those whose parent does not exist, those in a loop, and all below these.
 */
size_t fg_rows_link(struct fg_rows *r);

/* After that: whether a row exists and is not faulty; any number may be asked for. */
static inline bool fg_rows_is_good(const struct fg_rows *r, uint64_t row)
{
	return row < r->count && !(r->states[row] & 1);
}

/* After that: adds to the value of a row that is good. */
void fg_rows_add_value(struct fg_rows *r, size_t row, struct fg_sum value);

/*
 * Like fg_rows_add_value(), at a time in nanoseconds, for a sink that wants times.
 * Takes 32 bytes for each value.
 */
void fg_rows_add_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			  uint64_t time);

/* Like these two, for a value that is less than 0: see fg_sink_subtract_sum(). */
void fg_rows_subtract_value(struct fg_rows *r, size_t row, struct fg_sum value);
void fg_rows_subtract_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			       uint64_t time);

/*
 * Adds the frames of a row and of all above it to the stack; false where there is no
 * room for them, which is said.
 */
bool fg_rows_add_frames(const struct fg_rows *r, uint32_t row, struct fg_sink *sink);

/*
 * Adds a stack to the sink for each row that has a value, with the root frames of its
 * owner, which may be NULL; afterwards no row has a value. The format is not one of
 * fg_format.root_first.
 */
void fg_rows_write(struct fg_rows *r, struct fg_sink *sink,
		   const struct fg_owner *owner);

#endif
