/*
 * Flame graphs in SVG files, read back as folded stacks.
 *
 * A file that flamegraph wrote has its tree as data and gives the stacks exactly. Of
 * any other, what is drawn is read, with a warning of what that cannot tell. Files are
 * hostile: no entity is expanded but XML's own, nothing else is loaded, and depth,
 * attributes and data are limited.
 */
#ifndef FG_LIB_PICTURE_SVGFILE_H
#define FG_LIB_PICTURE_SVGFILE_H

#include "lib/base/reader.h"

/* For fg_reader_accept. */
extern const struct fg_reader_format fg_svgfile_format;

#endif
