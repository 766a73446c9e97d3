/*
 * Reads SVG files through the program flamepipe-svg. The programs seldom read an SVG.
 * Like this they need not load libxml2, which would take ten times as long as the rest
 * of their start.
 *
 * The child gets the file on standard input and answers in records: a letter and a
 * size, like "l 120\n", then that many bytes, which are lines of folded stacks, a
 * warning or an error. Its arguments are our version and the names of the program and
 * the input for messages. The messages are those of lib/svg/svgfile.h.
 */
#ifndef FG_LIB_SVG_SVGCHILD_H
#define FG_LIB_SVG_SVGCHILD_H

#include "lib/base/reader.h"

#define FG_SVGCHILD_PROGRAM "flamepipe-svg"

enum fg_svgchild_record {
	FG_SVGCHILD_LINES = 'l',
	FG_SVGCHILD_WARNING = 'w',
	FG_SVGCHILD_ERROR = 'e',
};

/* Pass this to fg_reader_accept(), to read SVG files through the child. */
extern const struct fg_reader_format fg_svgchild_format;

/* Returns true if an input with these first bytes may be an SVG file. */
bool fg_svg_starts(struct fg_str first_bytes);

#endif
