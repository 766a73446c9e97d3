/* Parses SVG files of flame graphs. lib/svg/svgfile.h says what is refused. */
#ifndef FG_LIB_SVG_SVGPARSE_H
#define FG_LIB_SVG_SVGPARSE_H

#include "lib/svg/picture.h"
#include "lib/profile/unit.h"

/* One of several profiles, or the only one. */
struct fg_svg_profile {
	bool has_data;
	struct fg_buf zipped; /* the data, compressed */
	struct fg_buf slices; /* the data of slices of time, compressed; may be empty */
	uint64_t frames; /* number of frames that the data claim to have, or 0 */
	bool cut; /* small frames were left out of the data */
	struct fg_count min; /* frames with a smaller count were left out */

	/* values of attributes, like those of header lines in folded text */
	struct fg_unit header;
};

#define FG_SVG_PROFILES_MAX 64

struct fg_svg {
	struct fg_svg_profile *profiles; /* the first one is drawn in the picture */
	size_t count, alloc;

	/* the drawn frames; empty if the file has its data before them */
	struct fg_picture picture;
	bool complete; /* no frame was too narrow for the picture */
	bool estimated; /* some counts before are known only as rounded percentages */
};

struct fg_svgparse;

/* `input` is the file's name for messages. It is borrowed. */
struct fg_svgparse *fg_svgparse_new(const char *input, struct fg_diag *diag);

/* Accepts NULL. */
void fg_svgparse_free(struct fg_svgparse *s);

/*
 * Parses the next bytes. Returns 0, or -1 after reporting; then do not call it again.
 */
int fg_svgparse_feed(struct fg_svgparse *s, struct fg_str bytes);

/*
 * Ends the file and returns its contents, or NULL after reporting. `s` owns the result.
 * The caller may release `zipped` and `picture` early.
 */
struct fg_svg *fg_svgparse_end(struct fg_svgparse *s);

#endif
