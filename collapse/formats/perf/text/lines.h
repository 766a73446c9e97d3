/*
 * Lines, from blocks to what each means for the sample that is open.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_LINES_H

#include "lib/base/str.h"

struct perf;

/* What a line without '\n' means. A perf_line_fn. */
void perf_lines_line(struct perf *p, struct fg_str line);

/* The end of one input; `cut` is the line that it ends within, if it does. */
void perf_lines_end_of_input(struct perf *p, struct fg_str cut);

#endif
