/* Arranges slices of time as cells of a heat map. */
#include "flamegraph/heatgrid.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)

/* A map at first has at least this many rows, and columns of this many pixels. */
#define FIRST_ROWS 10
#define LEAST_COLUMN 4

/* One of this many cells may have a count above `top`. */
#define RARE 200

struct scale {
	uint64_t column;
	uint64_t row; /* least time of a row; it is longer if slices are wider */
};

static const struct scale scales[] = {
	{ MS, MS / 100 },
	{ 2 * MS, MS / 50 },
	{ 5 * MS, MS / 20 },
	{ 10 * MS, MS / 10 },
	{ 20 * MS, MS / 5 },
	{ 50 * MS, MS / 2 },
	{ 100 * MS, MS },
	{ 200 * MS, 2 * MS },
	{ 500 * MS, 5 * MS },
	{ SECOND, 10 * MS },
	{ 2 * SECOND, 20 * MS },
	{ 5 * SECOND, 50 * MS },
	{ 10 * SECOND, 100 * MS },
	{ 30 * SECOND, 500 * MS },
	{ 60 * SECOND, SECOND },
	{ 120 * SECOND, 2 * SECOND },
	{ 300 * SECOND, 5 * SECOND },
	{ 600 * SECOND, 10 * SECOND },
	{ 1800 * SECOND, 30 * SECOND },
	{ 3600 * SECOND, 60 * SECOND },
	{ 21600 * SECOND, 300 * SECOND },
	{ 86400 * SECOND, 1800 * SECOND },
};

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

/*
 * Uses the longest scale with two columns or the shortest with one, and doubles its
 * times until the columns are wide enough.
 */
static void choose_long_scale(struct fg_heatgrid *g, const struct fg_slicedata *d,
			      struct scale s, double width)
{
	size_t columns = (size_t)fmax(width / LEAST_COLUMN, 4);

	set_scale(g, d, s);
	/* stop before the time of a column overflows 64 bits */
	while ((g->columns > columns || !is_fine(d, s)) && s.column < INT64_MAX / 2) {
		s.column *= 2;
		s.row *= 2;
		set_scale(g, d, s);
	}
}

/*
 * Chooses the shortest columns whose cells are at least as wide as high, so that the
 * cells fill the map and are easy to point at.
 */
static void choose_scale(struct fg_heatgrid *g, const struct fg_slicedata *d,
			 double width, double height)
{
	struct scale last = scales[FG_COUNT_OF(scales) - 1];
	bool any = false;

	for (size_t i = 0; i < FG_COUNT_OF(scales); i++) {
		set_scale(g, d, scales[i]);
		if (!is_fine(d, scales[i]))
			continue;
		if (g->columns < 2) {
			last = any ? last : scales[i];
			break;
		}
		last = scales[i];
		any = true;
		if (g->rows >= FIRST_ROWS &&
		    width / (double)g->columns >=
			    fmax(LEAST_COLUMN, height / (double)g->rows))
			return;
	}
	choose_long_scale(g, d, last, width);
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
 * Finds the highest count of all cells, and of all but a few. If these few have more
 * than twice as much, they get shades of their own.
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

void fg_heatgrid_init(struct fg_heatgrid *g, const struct fg_slicedata *d, double width,
		      double height)
{
	*g = (struct fg_heatgrid){ .columns = 0 };
	choose_scale(g, d, width, height);
	g->cells = fg_xcalloc(fg_size_mul(g->columns, g->rows), sizeof(*g->cells));
	sum_up(g, d);
	find_top(g);
}

void fg_heatgrid_release(struct fg_heatgrid *g)
{
	free(g->cells);
	*g = (struct fg_heatgrid){ .columns = 0 };
}

double fg_heatgrid_most(const struct fg_heatgrid *g, unsigned shade)
{
	const unsigned half = FG_HEAT_SHADES / 2;
	double nth = shade + 1.0;

	if (g->max <= g->top)
		return nth * g->top / FG_HEAT_SHADES;
	if (shade < half)
		return nth * g->top / half;
	return g->top + (nth - half) * (g->max - g->top) / half;
}

unsigned fg_heatgrid_shade(const struct fg_heatgrid *g, double count)
{
	unsigned shade = 0;

	while (shade < FG_HEAT_SHADES - 1 && count > fg_heatgrid_most(g, shade))
		shade++;
	return shade;
}
