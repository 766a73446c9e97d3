/*
 * --compat=perl: writes what stackcollapse-perf.pl would write, byte for byte.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_COMPAT_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_COMPAT_H

#include "lib/base/str.h"

struct perf;
struct perf_frame;

/* Handles a line, without '\n'. A perf_line_fn. */
void perf_compat_line(struct perf *p, struct fg_str line);

/* Adds the frames of a symbol to p->run, root first. A perf_name_fn. */
void perf_compat_name(struct perf *p, const struct perf_frame *f, unsigned variant);

#endif
