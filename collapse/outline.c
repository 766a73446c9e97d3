/* Turns the rows of an outline into stacks. */
#include "collapse/outline.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/values.h"
#include "lib/base/xalloc.h"

/* A row of the current path, which may get more rows below it. */
struct fg_outline_level {
	size_t depth;
	/* the row's own sum; with totals, its sum without the rows below it */
	struct fg_sum own;
	bool idle;
};

void fg_outline_init(struct fg_outline *o, struct fg_sink *sink, bool totals)
{
	memset(o, 0, sizeof(*o));
	o->sink = sink;
	o->totals = totals;
	fg_path_init(&o->path);
}

void fg_outline_release(struct fg_outline *o)
{
	fg_path_release(&o->path);
	free(o->levels);
}

/* Skips the weight of an idle row, rounded half up. */
static void skip_idle(struct fg_outline *o, struct fg_sum sum)
{
	uint64_t unit = fg_pow10(o->decimals);

	fg_sum_add(&sum, unit / 2);
	fg_sink_skip(o->sink, FG_SKIP_IDLE, fg_sum_div(sum, unit, NULL).low);
}

/*
 * Charges the frames of the path to the frame budget. Returns false if the budget is
 * spent.
 */
static bool charge_path(struct fg_outline *o)
{
	uint64_t *budget;

	if (!o->numbered || fg_sum_is_zero(o->levels[o->path.depth - 1].own))
		return true;
	budget = fg_sink_frame_budget(o->sink);
	if (*budget < o->path.depth)
		return false;
	*budget -= o->path.depth;
	return true;
}

/* Counts the last row of the path, which is complete, and removes it. */
static void end_row(struct fg_outline *o)
{
	const struct fg_outline_level *level = &o->levels[o->path.depth - 1];

	if (level->idle && !fg_sum_is_zero(level->own))
		skip_idle(o, level->own);
	else if (!charge_path(o))
		fg_sink_lose(o->sink, FG_TOO_MANY_FRAMES, 1);
	else
		fg_sink_add_path(o->sink, &o->path, level->own, o->decimals);
	o->path.depth--;
}

/* Makes 10^-decimals the unit of all sums. */
static void scale_levels(struct fg_outline *o, unsigned decimals)
{
	uint64_t factor = fg_pow10(decimals - o->decimals);

	for (size_t i = 0; i < o->path.depth; i++)
		o->levels[i].own = fg_sum_mul(o->levels[i].own, factor);
	o->decimals = decimals;
}

static inline struct fg_sum scaled(struct fg_outline *o,
				   const struct fg_outline_row *row)
{
	if (row->decimals > o->decimals)
		scale_levels(o, row->decimals);
	if (row->decimals == o->decimals || fg_sum_is_zero(row->sum))
		return row->sum;
	return fg_sum_mul(row->sum, fg_pow10(o->decimals - row->decimals));
}

void fg_outline_add(struct fg_outline *o, const struct fg_outline_row *row)
{
	struct fg_outline_level *level;

	while (o->path.depth && o->levels[o->path.depth - 1].depth >= row->depth)
		end_row(o);
	FG_GROW(o->levels, o->alloc, o->path.depth + 1);
	level = &o->levels[o->path.depth];
	level->depth = row->depth;
	level->idle = row->idle;
	level->own = scaled(o, row);
	if (o->totals && o->path.depth)
		level[-1].own = fg_sum_less(level[-1].own, level->own);
	fg_path_push(&o->path, row->name);
	fg_sink_expect_path(o->sink, &o->path);
}

void fg_outline_end(struct fg_outline *o)
{
	while (o->path.depth)
		end_row(o);
}
