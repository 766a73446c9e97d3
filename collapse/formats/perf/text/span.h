/*
 * Finds when a recording starts and ends, before it is read.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H

#include "collapse/format.h"

/*
 * Sets *first and *last to the times of the first and the last sample of all files.
 * This is `span` of struct fg_format. Reads only as much of the files as it needs.
 */
int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last,
		   struct fg_diag *diag);

#endif
