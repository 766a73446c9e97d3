/* Adds up weights in a tree of rows. A row is found by its parent and frame. */
#include "collapse/sums.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"

#define FIRST_SLOTS 1024

uint32_t fg_sums_new_row(struct fg_sums *s, uint32_t parent, uint32_t frame)
{
	uint32_t row = fg_rows_add(&s->rows, parent, frame);

	FG_GROW(s->sums, s->sums_alloc, s->rows.count);
	s->sums[row] = (struct fg_sum){ 0, 0 };
	return row;
}

void fg_sums_init(struct fg_sums *s)
{
	*s = (struct fg_sums){ .touched_count = 0 };
	fg_rows_init(&s->rows);
	fg_slots_grow(&s->slots, FIRST_SLOTS);
	fg_sums_restart(s);
}

void fg_sums_release(struct fg_sums *s)
{
	fg_rows_release(&s->rows);
	free(s->sums);
	free(s->touched);
	fg_slots_release(&s->slots);
}

void fg_sums_restart(struct fg_sums *s)
{
	fg_rows_clear(&s->rows);
	memset(s->slots.at, 0, s->slots.count * sizeof(*s->slots.at));
	s->seed = fg_hash_seed();
	s->touched_count = 0;
	fg_sums_new_row(s, FG_ROWS_ROOT, FG_ROWS_NO_FRAME);
}

uint32_t fg_sums_child(struct fg_sums *s, uint32_t parent, uint32_t frame)
{
	uint32_t tag = (uint32_t)fg_hash_pair(parent, frame, s->seed), row;
	struct fg_slots *slots = &s->slots;

	for (size_t i = tag & slots->mask; slots->at[i].item;
	     i = (i + 1) & slots->mask) {
		row = slots->at[i].item;
		if (slots->at[i].tag == tag && s->rows.parents[row] == parent &&
		    s->rows.frames[row] == frame)
			return row;
	}
	if (s->rows.count * 2 > slots->count)
		fg_slots_grow(slots, FIRST_SLOTS);
	row = fg_sums_new_row(s, parent, frame);
	fg_slots_put(slots, tag, row);
	return row;
}

void fg_sums_add(struct fg_sums *s, uint32_t row, struct fg_sum weight)
{
	if (fg_sum_is_zero(weight))
		return;
	if (fg_sum_is_zero(s->sums[row])) {
		FG_GROW(s->touched, s->touched_alloc, s->touched_count + 1);
		s->touched[s->touched_count++] = row;
	}
	fg_sum_add_sum(&s->sums[row], weight);
}

struct fg_sum fg_sums_take(struct fg_sums *s, uint32_t row)
{
	struct fg_sum sum = s->sums[row];

	s->sums[row] = (struct fg_sum){ 0, 0 };
	return sum;
}
