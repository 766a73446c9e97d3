/* Arranges slices of time as cells of a heat map. */
#include "flamegraph/heatgrid.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

/* Only runs shorter than this may have columns of less than a second. */
#define SHORT_RUN (2 * SECOND)

/*
 * One of this many cells may have a count above `top`, the count that gets the deepest
 * shade.
 */
#define RARE 200

struct scale {
	uint64_t column;
	uint64_t row; /* least time of a row; it is longer if slices are wider */
};

static const struct scale scales[] = {
	{ MS, MS / 100 },
	{ 10 * MS, MS / 10 },
	{ 100 * MS, MS },
	{ SECOND, 10 * MS },
	{ 60 * SECOND, SECOND },
	{ 300 * SECOND, 5 * SECOND },
	{ 3600 * SECOND, 60 * SECOND },
	{ 86400 * SECOND, 1800 * SECOND },
};

#define FIRST_WHOLE 3

/*
 * Returns the time of a row: the least multiple of the slices' width that is at least
 * s.row.
 */
static uint64_t row_of(struct scale s, uint64_t width)
{
	return width * ((s.row + width - 1) / width);
}

static void set_scale(struct fg_heatgrid *g, const struct fg_slicedata *d,
		      struct scale s)
{
	uint64_t width = d->header.width;
	uint64_t last = d->slices[d->slice_count - 1] * width / s.column;

	g->column = s.column;
	g->row = row_of(s, width);
	g->first = d->slices[0] * width / s.column;
	g->columns = (size_t)(last - g->first) + 1;
	g->rows = (size_t)((s.column + g->row - 1) / g->row);
}

/* Returns true if a column has at least five cells. */
static bool is_fine(const struct fg_slicedata *d, struct scale s)
{
	return row_of(s, d->header.width) <= s.column / 5;
}

static void choose_scale(struct fg_heatgrid *g, const struct fg_slicedata *d,
			 size_t columns)
{
	uint64_t run = (d->slices[d->slice_count - 1] - d->slices[0] + 1);
	size_t i = run <= (SHORT_RUN - 1) / d->header.width ? 0 : FIRST_WHOLE;
	struct scale s;

	for (; i + 1 < FG_COUNT_OF(scales); i++) {
		set_scale(g, d, scales[i]);
		if (g->columns <= columns && is_fine(d, scales[i]))
			return;
	}
	s = scales[i];
	set_scale(g, d, s);
	/* stop before the time of a column overflows 64 bits */
	while ((g->columns > columns || !is_fine(d, s)) && s.column < INT64_MAX / 2) {
		s.column *= 2;
		s.row *= 2;
		set_scale(g, d, s);
	}
}

static void sum_up(struct fg_heatgrid *g, const struct fg_slicedata *d)
{
	size_t at = 0;

	for (size_t slice = 0; slice < d->slice_count; slice++) {
		uint64_t time = d->slices[slice] * d->header.width;
		size_t column = (size_t)(time / g->column - g->first);
		double *cell = &g->cells[column * g->rows +
					 (size_t)(time % g->column / g->row)];

		for (; at < d->ends[slice]; at++)
			*cell += (double)d->counts[at];
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Finds the count of the deepest shade. Ignores the few largest counts, so that they do
 * not make all other cells pale.
 */
static void find_top(struct fg_heatgrid *g)
{
	size_t count = 0, all = g->columns * g->rows;
	double *sorted = fg_xcalloc(all, sizeof(*sorted));

	for (size_t i = 0; i < all; i++)
		if (g->cells[i] > 0)
			sorted[count++] = g->cells[i];
	qsort(sorted, count, sizeof(*sorted), compare);
	g->max = sorted[count - 1];
	g->top = sorted[count - 1 - count / RARE];
	if (g->max <= 2 * g->top)
		g->top = g->max;
	free(sorted);
}

void fg_heatgrid_init(struct fg_heatgrid *g, const struct fg_slicedata *d,
		      size_t columns)
{
	*g = (struct fg_heatgrid){ .columns = 0 };
	choose_scale(g, d, columns);
	g->cells = fg_xcalloc(fg_size_mul(g->columns, g->rows), sizeof(*g->cells));
	sum_up(g, d);
	find_top(g);
}

void fg_heatgrid_release(struct fg_heatgrid *g)
{
	free(g->cells);
	*g = (struct fg_heatgrid){ .columns = 0 };
}

unsigned fg_heatgrid_shade(const struct fg_heatgrid *g, double count)
{
	double shade = ceil(count * FG_HEAT_SHADES / g->top) - 1;

	if (shade >= FG_HEAT_SHADES)
		return FG_HEAT_SHADES - 1;
	return shade > 0 ? (unsigned)shade : 0;
}
