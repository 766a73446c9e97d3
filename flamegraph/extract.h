/* Writes the folded stacks of pictures: --extract. */
#ifndef FG_FLAMEGRAPH_EXTRACT_H
#define FG_FLAMEGRAPH_EXTRACT_H

#include "lib/base/out.h"
#include "lib/base/reader.h"

/*
 * The range of time from --from to --to, in ns. Ends that are not given are 0 and
 * UINT64_MAX.
 */
struct fg_extract_range {
	bool given;
	uint64_t from, to;
};

/*
 * Writes the folded stacks that `reader` gets from SVG files. With a range, writes one
 * profile of the slices of time that overlap it. Returns 0, or -1 after reporting.
 */
int fg_extract(struct fg_reader *reader, const struct fg_extract_range *range,
	       struct fg_out *out, struct fg_diag *diag);

#endif
