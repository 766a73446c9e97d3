/*
 * Ranges of addresses that lie in each other, and the innermost around an address.
 */
#ifndef FG_COLLAPSE_SYMBOLS_RANGES_H
#define FG_COLLAPSE_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct fg_range {
	uint64_t start, end;
	uint32_t of; /* what the user knows it by: the larger is inside its equal */
	uint32_t outer; /* the nearest before it that reaches beyond its start */
};

/* A zeroed struct is empty. */
struct fg_ranges {
	struct fg_range *list;
	size_t count, alloc;
};

void fg_ranges_release(struct fg_ranges *r);

/* Empty ranges, and those after UINT32_MAX - 1, are left out. */
void fg_ranges_add(struct fg_ranges *r, uint64_t start, uint64_t end, uint32_t of);

/* After the last: puts them in order. */
void fg_ranges_finish(struct fg_ranges *r);

#define FG_NO_RANGE UINT32_MAX

/* What the innermost range around an address is of, or FG_NO_RANGE. */
uint32_t fg_ranges_find(const struct fg_ranges *r, uint64_t address);

#endif
