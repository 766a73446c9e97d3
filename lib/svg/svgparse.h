/*
 * Parses SVG files of flame graphs. lib/svg/svgfile.h says what is refused.
 */
#ifndef FG_LIB_SVG_SVGPARSE_H
#define FG_LIB_SVG_SVGPARSE_H

#include "lib/svg/svgprofile.h"

struct fg_svgparse;

/* `input` is the file's name for messages; it is borrowed. */
struct fg_svgparse *fg_svgparse_new(const char *input, struct fg_diag *diag);

/* Accepts NULL. */
void fg_svgparse_free(struct fg_svgparse *s);

/* Parses the next bytes. Returns 0, or -1 after reporting: feed no more then. */
int fg_svgparse_feed(struct fg_svgparse *s, struct fg_str bytes);

/*
 * Ends the file and returns what it holds, or NULL after reporting. `s` owns the
 * result; the caller may release `zipped` and `picture` early.
 */
struct fg_svg *fg_svgparse_end(struct fg_svgparse *s);

#endif
