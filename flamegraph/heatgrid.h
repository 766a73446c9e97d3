/*
 * Slices of time as cells of a heat map: columns, rows, and shades. The viewer's
 * grid.js has the same.
 */
#ifndef FG_FLAMEGRAPH_HEATGRID_H
#define FG_FLAMEGRAPH_HEATGRID_H

#include "lib/svg/slicedata.h"

/* The shades of cells; those without counts have none. */
#define FG_HEAT_SHADES 8

struct fg_heatgrid {
	uint64_t column, row; /* time of each, in nanoseconds */
	uint64_t first; /* which column the first is, since time 0 */
	size_t columns, rows;
	double *cells; /* counts, column by column */
	double top; /* from which on a cell has the deepest shade */
	double max; /* of any cell */
};

/* Chooses the columns, no more than `columns` or 4, and sums up; release it. */
void fg_heatgrid_init(struct fg_heatgrid *g, const struct fg_slicedata *d,
		      size_t columns);
void fg_heatgrid_release(struct fg_heatgrid *g);

/* The shade of a cell that has counts, from 0 to FG_HEAT_SHADES - 1. */
unsigned fg_heatgrid_shade(const struct fg_heatgrid *g, double count);

#endif
