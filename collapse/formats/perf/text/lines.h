/*
 * Handles each line by its meaning for the open sample. (--compat=perl uses compat.h.)
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H

#include "lib/base/str.h"

struct perf;

/* Handles a line, without '\n'. A perf_line_fn. */
void perf_lines_line(struct perf *p, struct fg_str line);

/* Ends an input. `cut` is the incomplete last line of the input, or empty. */
void perf_lines_end_of_input(struct perf *p, struct fg_str cut);

#endif
