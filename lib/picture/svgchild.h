/*
 * SVG files read by the program flamepipe-svg, so that who seldom meets one does not
 * start with libxml2, which takes ten times as long to load as all the rest.
 *
 * The child gets a file on standard input and answers in records, a letter and a size,
 * "l 120\n", and so many bytes: lines of folded stacks, or a message that is a warning
 * or an error. Its arguments are our version, and the names of program and input for
 * messages. They are the same that lib/picture/svgfile.h would report.
 */
#ifndef FG_LIB_PICTURE_SVGCHILD_H
#define FG_LIB_PICTURE_SVGCHILD_H

#include "lib/base/reader.h"

#define FG_SVGCHILD_PROGRAM "flamepipe-svg"

enum fg_svgchild_record {
	FG_SVGCHILD_LINES = 'l',
	FG_SVGCHILD_WARNING = 'w',
	FG_SVGCHILD_ERROR = 'e',
};

/* For fg_reader_accept. */
extern const struct fg_reader_format fg_svgchild_format;

/* Whether a text that starts so may be an SVG. */
bool fg_svg_starts(struct fg_str first_bytes);

#endif
