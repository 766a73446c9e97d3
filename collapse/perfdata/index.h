/*
 * A table from numbers of 64 bits to numbers of 32 bits that are not 0.
 */
#ifndef FG_COLLAPSE_PERFDATA_INDEX_H
#define FG_COLLAPSE_PERFDATA_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct fg_pd_index_slot {
	uint64_t key;
	uint32_t value; /* 0: free */
};

struct fg_pd_index {
	struct fg_pd_index_slot *slots; /* open addressing; a power of two */
	size_t count, alloc;
	uint64_t seed;
};

/* A zeroed struct is an empty table. */
void fg_pd_index_release(struct fg_pd_index *t);

/* The value of a key; 0 where there is none. */
uint32_t fg_pd_index_get(const struct fg_pd_index *t, uint64_t key);

/* Gives a key a value that is not 0. */
void fg_pd_index_set(struct fg_pd_index *t, uint64_t key, uint32_t value);

#endif
