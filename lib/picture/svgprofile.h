/*
 * What an SVG file holds of a flame graph: the data that flamegraph writes into it, and
 * the frames of its picture.
 */
#ifndef FG_LIB_PICTURE_SVGPROFILE_H
#define FG_LIB_PICTURE_SVGPROFILE_H

#include "lib/picture/picture.h"

/* One of several profiles, or the only one. */
struct fg_svg_profile {
	bool has_data;
	struct fg_buf zipped; /* the data, compressed */
	struct fg_buf slices; /* the same of slices of time; empty: there are none */
	uint64_t frames; /* that the data say to have; 0: they do not say */
	bool cut; /* small frames were left out of the data */
	struct fg_count min; /* the least that was not */

	/* Of the counts, as header lines of folded text have it; empty: not known. */
	struct fg_buf event, unit, sample_weight, command;
};

/* More profiles are not read. */
#define FG_SVG_PROFILES_MAX 64

struct fg_svg {
	struct fg_svg_profile *profiles; /* the first is the one that is drawn */
	size_t count, alloc;

	struct fg_picture picture; /* of what comes before data, if there are any */
	bool complete; /* no frame was too narrow for the picture */
	bool estimated; /* counts before are known by percentages only */
};

/* A new profile is empty; adding one may move the others. */
struct fg_svg_profile *fg_svg_add_profile(struct fg_svg *svg);
void fg_svg_release_profiles(struct fg_svg *svg);

#endif
