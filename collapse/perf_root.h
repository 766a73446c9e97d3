/*
 * The root frames of a sample: event, comm, pid, tid, cpu, as options ask.
 */
#ifndef FG_COLLAPSE_PERF_ROOT_H
#define FG_COLLAPSE_PERF_ROOT_H

#include "collapse/perf_memo.h"

struct perf;
struct perf_header;

/* The root frames of a sample, and how many there are. */
struct perf_memo_value perf_roots_of(struct perf *p, const struct perf_header *h,
				     size_t *depth);

#endif
