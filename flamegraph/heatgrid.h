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
	double top; /* cells with this or more have the deepest shade */
	double max; /* the highest count of a cell */
};

/*
 * Chooses a time per column so that there are at most `columns` columns (or 4, if
 * `columns` is less), and adds up the cells. Call fg_heatgrid_release() in the end.
 */
void fg_heatgrid_init(struct fg_heatgrid *g, const struct fg_slicedata *d,
		      size_t columns);
void fg_heatgrid_release(struct fg_heatgrid *g);

/* Returns the shade of a cell that has counts, from 0 to FG_HEAT_SHADES - 1. */
unsigned fg_heatgrid_shade(const struct fg_heatgrid *g, double count);

#endif
