/*
 * What an SVG file tells of its profiles: the data that flamegraph wrote into it, and
 * the frames that are drawn.
 */
#ifndef FG_LIB_SVG_SVGPROFILE_H
#define FG_LIB_SVG_SVGPROFILE_H

#include "lib/svg/picture.h"
#include "lib/profile/unit.h"

/* One of several profiles, or the only one. */
struct fg_svg_profile {
	bool has_data;
	struct fg_buf zipped; /* the data, compressed */
	struct fg_buf slices; /* the data of slices of time, compressed; may be empty */
	uint64_t frames; /* how many the data claim to have; 0 if they do not say */
	bool cut; /* small frames were left out of the data */
	struct fg_count min; /* the smallest count that was not left out */

	struct fg_unit said; /* what header lines of folded text would say */
};

/* The most profiles that are read. */
#define FG_SVG_PROFILES_MAX 64

struct fg_svg {
	struct fg_svg_profile *profiles; /* the first is the one that is drawn */
	size_t count, alloc;

	struct fg_picture picture; /* the frames drawn before any data */
	bool complete; /* no frame was too narrow for the picture */
	bool estimated; /* the counts before are known only as percentages */
};

/* A new profile is empty; adding one may move the others. */
struct fg_svg_profile *fg_svg_add_profile(struct fg_svg *svg);
void fg_svg_release_profiles(struct fg_svg *svg);

#endif
