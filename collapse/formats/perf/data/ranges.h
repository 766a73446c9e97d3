/*
 * Ranges of addresses that lie in each other, and the innermost around an address.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RANGES_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct fg_pd_range {
	uint64_t start, end;
	uint32_t of; /* what the user knows it by: the larger is inside its equal */
	uint32_t outer; /* the nearest before it that reaches beyond its start */
};

/* A zeroed struct is empty. */
struct fg_pd_ranges {
	struct fg_pd_range *list;
	size_t count, alloc;
};

void fg_pd_ranges_release(struct fg_pd_ranges *r);

/* Empty ranges, and those after UINT32_MAX - 1, are left out. */
void fg_pd_ranges_add(struct fg_pd_ranges *r, uint64_t start, uint64_t end,
		      uint32_t of);

/* After the last: puts them in order. */
void fg_pd_ranges_finish(struct fg_pd_ranges *r);

#define FG_PD_NO_RANGE UINT32_MAX

/* What the innermost range around an address is of, or FG_PD_NO_RANGE. */
uint32_t fg_pd_ranges_find(const struct fg_pd_ranges *r, uint64_t address);

#endif
