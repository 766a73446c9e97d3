/*
 * Finds the items of an array by the pair of numbers with which each of them begins.
 * Unlike struct fg_map, this does not store the numbers again.
 *
 *     index = callgrind_pairs_find(&pairs, items, pair);
 *     if (index == old_count)
 *             append an item that begins with the pair;
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PAIRS_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PAIRS_H

#include "lib/base/slots.h"

struct callgrind_pair {
	uint32_t a, b;
};

struct callgrind_pairs {
	struct fg_slots slots; /* index of the item plus 1 */
	size_t count; /* number of items */
	uint64_t seed;
};

/* The array of the caller. Each item has `size` bytes and begins with a pair. */
struct callgrind_items {
	const void *first;
	size_t size;
};

/* Frees the memory. A zeroed struct is empty. */
void callgrind_pairs_release(struct callgrind_pairs *p);

/*
 * Returns the index of the item with that pair. For a new pair, returns the old
 * p->count and increments it; the caller must append the item.
 */
uint32_t callgrind_pairs_find(struct callgrind_pairs *p, struct callgrind_items items,
			      struct callgrind_pair pair);

#endif
