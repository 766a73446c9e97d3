/*
 * The reader of SVG files of flame graphs. lib/picture/svgfile.h says what is refused.
 */
#ifndef FG_LIB_PICTURE_SVGPARSE_H
#define FG_LIB_PICTURE_SVGPARSE_H

#include "lib/picture/svgprofile.h"

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
