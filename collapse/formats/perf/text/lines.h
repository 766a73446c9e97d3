/*
 * Takes each line for what it means for the open sample. (--compat=perl: compat.h)
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H

#include "lib/base/str.h"

struct perf;

/* Takes a line without '\n'. A perf_line_fn. */
void perf_lines_line(struct perf *p, struct fg_str line);

/* Ends an input. `cut` is the line within which it ends, or empty. */
void perf_lines_end_of_input(struct perf *p, struct fg_str cut);

#endif
