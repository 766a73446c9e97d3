/*
 * Arranges slices of time as the cells of a heat map: columns, rows and shades. The
 * viewer's grid.js does the same.
 */
#ifndef FG_FLAMEGRAPH_HEATGRID_H
#define FG_FLAMEGRAPH_HEATGRID_H

#include "lib/svg/slicedata.h"

/* The number of shades for cells that have counts. */
#define FG_HEAT_SHADES 8

struct fg_heatgrid {
	uint64_t column, row; /* time that a column and a row span, in ns */
	uint64_t first; /* number of the first column; column 0 starts at time 0 */
	size_t columns, rows;
	double *cells; /* counts, column by column */
	double max; /* the highest count of a cell */
	/*
	 * The highest count of most cells. If it is less than `max`, a few cells have
	 * far more, and the deeper half of the shades is for them. Otherwise they would
	 * make all other cells pale.
	 */
	double top;
};

/*
 * Chooses a time per column for a map of `width` and `height` pixels, and adds up the
 * cells. There are at least two columns if the slices allow it. Call
 * fg_heatgrid_release() in the end.
 */
void fg_heatgrid_init(struct fg_heatgrid *g, const struct fg_slicedata *d, double width,
		      double height);
void fg_heatgrid_release(struct fg_heatgrid *g);

/* Returns the highest count that a shade stands for. */
double fg_heatgrid_most(const struct fg_heatgrid *g, unsigned shade);

/* Returns the shade of a cell that has counts, from 0 to FG_HEAT_SHADES - 1. */
unsigned fg_heatgrid_shade(const struct fg_heatgrid *g, double count);

#endif
