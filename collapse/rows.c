/* Turns trees that are tables of rows into stacks, without recursion. */
#include "collapse/rows.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* A value that was added to a row, and its time. */
struct fg_rows_part {
	uint64_t time;
	struct fg_sum value;
	/*
	 * index plus 1 of the part that was added to the row before; 0 if there is none
	 */
	uint32_t next_plus_1;
};

/* The states of rows while they are linked. FAULTY is the only odd number. */
enum { NEW = 0, FAULTY = 1, GOOD = 2, OPEN = 4 };

void fg_rows_init(struct fg_rows *r)
{
	memset(r, 0, sizeof(*r));
	r->empty = FG_ROWS_NO_FRAME;
}

static void forget(struct fg_rows_values *v)
{
	free(v->low);
	free(v->high);
	free(v->newest_part_plus_1);
	v->count = v->part_count = 0;
	v->newest_part_plus_1 = NULL;
	v->low = v->high = NULL;
}

static void forget_values(struct fg_rows *r)
{
	forget(&r->plus);
	forget(&r->minus);
	free(r->states);
	r->states = NULL;
}

static void release(struct fg_rows_values *v)
{
	forget(v);
	free(v->rows);
	free(v->parts);
}

void fg_rows_release(struct fg_rows *r)
{
	free(r->parents);
	free(r->frames);
	free(r->states);
	release(&r->plus);
	release(&r->minus);
	fg_rows_init(r);
}

void fg_rows_clear(struct fg_rows *r)
{
	forget_values(r);
	r->count = 0;
}

uint32_t fg_rows_add(struct fg_rows *r, uint32_t parent, uint32_t frame)
{
	FG_GROW(r->parents, r->parents_alloc, r->count + 1);
	FG_GROW(r->frames, r->frames_alloc, r->count + 1);
	r->parents[r->count] = parent;
	r->frames[r->count] = frame;
	return (uint32_t)r->count++;
}

void fg_rows_take(struct fg_rows *r, uint32_t *parents, uint32_t *frames, size_t count)
{
	free(r->parents);
	free(r->frames);
	forget_values(r);
	r->parents = parents;
	r->frames = frames;
	r->count = r->parents_alloc = r->frames_alloc = count;
}

/*
 * Marks `row` and the rows above it as OPEN, up to a row whose state is known. Returns
 * the state that all of them get.
 */
static uint8_t open_rows(struct fg_rows *r, uint32_t row)
{
	for (; row < r->count && r->states[row] == NEW; row = r->parents[row])
		r->states[row] = OPEN;
	if (row == FG_ROWS_ROOT)
		return GOOD;
	if (row >= r->count || r->states[row] == OPEN)
		return FAULTY;
	return r->states[row];
}

/*
 * Finds the nearest row, from `row` upward, that has a frame. Makes it the parent of
 * the rows on the way, which have none.
 */
static void pass_frameless(struct fg_rows *r, uint32_t row)
{
	uint32_t end = row, next;

	while (end != FG_ROWS_ROOT && r->frames[end] == FG_ROWS_NO_FRAME)
		end = r->parents[end];
	for (; row != end; row = next) {
		next = r->parents[row];
		r->parents[row] = end;
	}
}

size_t fg_rows_link(struct fg_rows *r)
{
	size_t faulty = 0;

	forget_values(r);
	r->states = fg_xcalloc(r->count, 1);
	for (uint32_t i = 0; i < r->count; i++) {
		uint8_t state = open_rows(r, i);

		for (uint32_t k = i; k < r->count && r->states[k] == OPEN;
		     k = r->parents[k])
			r->states[k] = state;
		faulty += r->states[i] == FAULTY;
	}
	for (uint32_t i = 0; i < r->count; i++)
		if (r->states[i] == GOOD && r->parents[i] != FG_ROWS_ROOT) {
			uint32_t parent = r->parents[i];

			pass_frameless(r, parent);
			if (r->frames[parent] == FG_ROWS_NO_FRAME)
				r->parents[i] = r->parents[parent];
		}
	return faulty;
}

static struct fg_sum value_of(const struct fg_rows_values *v, size_t row)
{
	return (struct fg_sum){ v->low[row], v->high ? v->high[row] : 0 };
}

/* Adds to the value of a row. `count` is the number of all rows. */
static void add_value(struct fg_rows_values *v, size_t count, size_t row,
		      struct fg_sum value)
{
	struct fg_sum sum;

	if (fg_sum_is_zero(value))
		return;
	if (!v->low)
		v->low = fg_xcalloc(count, sizeof(*v->low));
	sum = value_of(v, row);
	if (fg_sum_is_zero(sum)) {
		FG_GROW(v->rows, v->alloc, v->count + 1);
		v->rows[v->count++] = (uint32_t)row;
	}
	fg_sum_add_sum(&sum, value);
	v->low[row] = sum.low;
	if (!sum.high)
		return;
	if (!v->high)
		v->high = fg_xcalloc(count, sizeof(*v->high));
	v->high[row] = sum.high;
}

static void add_part(struct fg_rows_values *v, size_t count, size_t row,
		     struct fg_rows_part part)
{
	if (fg_sum_is_zero(part.value) || v->part_count == UINT32_MAX)
		return;
	if (!v->newest_part_plus_1)
		v->newest_part_plus_1 =
			fg_xcalloc(count, sizeof(*v->newest_part_plus_1));
	FG_GROW(v->parts, v->part_alloc, v->part_count + 1);
	part.next_plus_1 = v->newest_part_plus_1[row];
	v->parts[v->part_count++] = part;
	v->newest_part_plus_1[row] = (uint32_t)v->part_count;
}

void fg_rows_add_value(struct fg_rows *r, size_t row, struct fg_sum value)
{
	add_value(&r->plus, r->count, row, value);
}

void fg_rows_add_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			  uint64_t time)
{
	add_value(&r->plus, r->count, row, value);
	add_part(&r->plus, r->count, row, (struct fg_rows_part){ time, value, 0 });
}

void fg_rows_subtract_value(struct fg_rows *r, size_t row, struct fg_sum value)
{
	add_value(&r->minus, r->count, row, value);
}

void fg_rows_subtract_value_at(struct fg_rows *r, size_t row, struct fg_sum value,
			       uint64_t time)
{
	add_value(&r->minus, r->count, row, value);
	add_part(&r->minus, r->count, row, (struct fg_rows_part){ time, value, 0 });
}

struct fg_sum fg_rows_value(const struct fg_rows *r, size_t row)
{
	return r->plus.low ? value_of(&r->plus, row) : (struct fg_sum){ 0, 0 };
}

void fg_rows_move_value(struct fg_rows *r, size_t from, size_t to, struct fg_sum part)
{
	struct fg_sum rest = fg_sum_less(fg_rows_value(r, from), part);

	if (fg_sum_is_zero(part))
		return;
	fg_rows_add_value(r, to, part);
	r->plus.low[from] = rest.low;
	if (r->plus.high)
		r->plus.high[from] = rest.high;
}

/* Passes the times of a row's value to the sink, and forgets them. */
static void write_parts(struct fg_rows_values *v, uint32_t row, struct fg_sink *sink)
{
	uint32_t at = v->newest_part_plus_1 ? v->newest_part_plus_1[row] : 0;

	for (; at; at = v->parts[at - 1].next_plus_1)
		fg_sink_add_time(sink, v->parts[at - 1].time, v->parts[at - 1].value);
	if (v->newest_part_plus_1)
		v->newest_part_plus_1[row] = 0;
}

bool fg_rows_add_frames(const struct fg_rows *r, uint32_t row, struct fg_sink *sink)
{
	uint64_t *budget = fg_sink_frame_budget(sink);

	for (; row != FG_ROWS_ROOT; row = r->parents[row]) {
		if (r->frames[row] == FG_ROWS_NO_FRAME)
			continue;
		if (!*budget) {
			fg_sink_lose(sink, FG_TOO_MANY_FRAMES, 1);
			fg_sink_clear(sink);
			return false;
		}
		--*budget;
		fg_stack_add_root(fg_sink_stack(sink), r->frames[row]);
	}
	return true;
}

static void write_values(struct fg_rows *r, struct fg_rows_values *v,
			 struct fg_sink *sink, const struct fg_roots *roots)
{
	struct fg_stack *stack = fg_sink_stack(sink);

	for (size_t i = 0; i < v->count; i++) {
		uint32_t row = v->rows[i];
		struct fg_sum sum = value_of(v, row);

		if (fg_sum_is_zero(sum)) /* fg_rows_move_value() moved all of it */
			continue;
		v->low[row] = 0;
		if (v->high)
			v->high[row] = 0;
		write_parts(v, row, sink);
		if (!fg_rows_add_frames(r, row, sink))
			continue;
		if (!fg_stack_depth(stack) && r->empty != FG_ROWS_NO_FRAME)
			fg_stack_add_root(stack, r->empty);
		fg_sink_add_roots(sink, roots);
		if (v == &r->minus)
			fg_sink_subtract_sum(sink, sum, r->decimals);
		else
			fg_sink_add_sum(sink, sum, r->decimals);
	}
	v->count = v->part_count = 0;
}

void fg_rows_write(struct fg_rows *r, struct fg_sink *sink,
		   const struct fg_owner *owner)
{
	struct fg_roots roots = { .count = 0 };

	if (owner && (r->plus.count || r->minus.count))
		roots = fg_sink_owner_roots(sink, owner);
	write_values(r, &r->plus, sink, &roots);
	write_values(r, &r->minus, sink, &roots);
}
