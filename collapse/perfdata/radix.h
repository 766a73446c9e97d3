/*
 * Sorting by a number of 64 bits: stable, and linear in the count.
 */
#ifndef FG_COLLAPSE_PERFDATA_RADIX_H
#define FG_COLLAPSE_PERFDATA_RADIX_H

#include <stddef.h>
#include <stdint.h>

struct fg_pd_keyed {
	uint64_t key;
	uint32_t index; /* what the key is of */
};

/* Puts the keys in order. */
void fg_pd_radix_sort(struct fg_pd_keyed *keys, size_t count);

#endif
