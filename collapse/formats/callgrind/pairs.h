/*
 * Items that are found by the two numbers with which each begins, so that the numbers
 * are kept once. A zeroed struct knows none.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_PAIRS_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_PAIRS_H

#include "lib/base/slots.h"

struct callgrind_pair {
	uint32_t a, b;
};

struct callgrind_pairs {
	struct fg_slots slots; /* an item's index and 1 */
	size_t count;
	uint64_t seed;
};

/* The caller's items, each of `size` bytes, of which the first are a pair. */
struct callgrind_items {
	const void *first;
	size_t size;
};

void callgrind_pairs_release(struct callgrind_pairs *p);

/*
 * The index of the item of a pair. Where it is what p->count was before, the item is
 * new, and the caller puts it there.
 */
uint32_t callgrind_pairs_find(struct callgrind_pairs *p, struct callgrind_items items,
			      struct callgrind_pair pair);

#endif
