/*
 * Reads flame graphs in SVG files back as folded stacks.
 *
 * A file that flamegraph wrote carries its tree as data, so its stacks are exact. For
 * any other file we read the drawing, and warn about numbers that a drawing does not
 * have. Files are treated as hostile: only XML's own entities are expanded, nothing
 * else is loaded, and depth, attributes and data are limited.
 */
#ifndef FG_LIB_SVG_SVGFILE_H
#define FG_LIB_SVG_SVGFILE_H

#include "lib/base/reader.h"

/* Pass this to fg_reader_accept(), to read SVG files as folded stacks. */
extern const struct fg_reader_format fg_svgfile_format;

#endif
