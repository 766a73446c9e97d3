/*
 * What an SVG file holds of a flame graph: the data that flamegraph writes into it, and
 * the frames of its picture. lib/svgfile.h says what is refused.
 */
#ifndef FG_LIB_SVGPARSE_H
#define FG_LIB_SVGPARSE_H

#include "lib/picture.h"

struct fg_svg {
	bool has_data;
	struct fg_buf zipped; /* the data, compressed */
	uint64_t frames; /* that the data say to have; 0: they do not say */
	bool cut; /* small frames were left out of the data */
	struct fg_count min; /* the least that was not */

	struct fg_picture picture; /* of what comes before data, if there are any */
	bool complete; /* no frame was too narrow for the picture */
	bool estimated; /* counts before are known by percentages only */

	/* Of the counts, as header lines of folded text have it; empty: not known. */
	struct fg_buf event, unit, sample_weight;
};

struct fg_svgparse;

/* Faults of the file are reported as those of `input`, which is borrowed. */
struct fg_svgparse *fg_svgparse_new(const char *input, struct fg_diag *diag);

/* Accepts NULL. */
void fg_svgparse_free(struct fg_svgparse *s);

/* Reads the next bytes of a file: 0, or -1 after reporting; then feed it no more. */
int fg_svgparse_feed(struct fg_svgparse *s, struct fg_str bytes);

/*
 * The end of the file: what it holds, or NULL after reporting. `s` owns that; the
 * caller may release zipped and picture when they are used up.
 */
struct fg_svg *fg_svgparse_end(struct fg_svgparse *s);

#endif
