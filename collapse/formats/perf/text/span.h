/*
 * When a recording starts and ends.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H

#include "lib/base/opts.h"

/*
 * The times of the first and of the last sample in regular files, in nanoseconds; no
 * more of the files than needed is read. 0, or -1 where they cannot be known.
 */
int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last);

#endif
