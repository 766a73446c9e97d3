/*
 * Sorting by a number of 64 bits: stable, and linear in the count.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RADIX_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RADIX_H

#include <stddef.h>
#include <stdint.h>

struct fg_pd_keyed {
	uint64_t key;
	uint32_t index; /* what the key is of */
	uint32_t more; /* goes with it */
};

/*
 * Puts the keys, at most UINT32_MAX, in order, by way of `other`, which has room for as
 * many.
 */
void fg_pd_radix_sort(struct fg_pd_keyed *keys, size_t count,
		      struct fg_pd_keyed *other);

#endif
