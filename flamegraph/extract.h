/* The folded stacks of pictures. */
#ifndef FG_FLAMEGRAPH_EXTRACT_H
#define FG_FLAMEGRAPH_EXTRACT_H

#include "lib/base/out.h"
#include "lib/base/reader.h"

/* What --from and --to choose, in ns; from 0 and to UINT64_MAX without them. */
struct fg_extract_range {
	bool given;
	uint64_t from, to;
};

/*
 * Writes the folded stacks that were read from SVG files or, where a range is given,
 * those of the slices of time that overlap them, as a whole. 0, or -1 after reporting.
 */
int fg_extract(struct fg_reader *reader, const struct fg_extract_range *range,
	       struct fg_out *out, struct fg_diag *diag);

#endif
