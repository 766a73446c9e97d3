/*
 * When a recording starts and ends.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SPAN_H

#include "collapse/format.h"

/* As struct fg_format's `span`; no more of the files than needed is read. */
int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last,
		   struct fg_diag *diag);

#endif
