/*
 * How far counters have come, for samples that hold values of a whole group.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_COUNTERS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_COUNTERS_H

#include "lib/base/map.h"

/* A zeroed struct has no counters. */
struct fg_pd_counters {
	struct fg_map by_id; /* to the place in `values` and 1 */
	uint64_t *values;
	size_t count, alloc;
};

void fg_pd_counters_release(struct fg_pd_counters *c);

/* By how much the counter of that id has grown since the last time; it starts at 0. */
uint64_t fg_pd_counters_growth(struct fg_pd_counters *c, uint64_t id, uint64_t value);

#endif
