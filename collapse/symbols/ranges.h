/* Nested ranges of addresses. Finds the innermost one around an address. */
#ifndef FG_COLLAPSE_SYMBOLS_RANGES_H
#define FG_COLLAPSE_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct fg_range {
	uint64_t start, end;
	/*
	 * the caller's number; if two ranges have the same start, the larger number is
	 * inside
	 */
	uint32_t of;
	/* index of the nearest earlier range that ends after this one's start */
	uint32_t outer;
};

/* A zeroed struct is empty. */
struct fg_ranges {
	struct fg_range *list;
	size_t count, alloc;
};

void fg_ranges_release(struct fg_ranges *r);

/* Adds a range. Ignores it if it is empty, or if there are UINT32_MAX - 1 already. */
void fg_ranges_add(struct fg_ranges *r, uint64_t start, uint64_t end, uint32_t of);

/* Sorts the ranges. Call it after the last is added. */
void fg_ranges_finish(struct fg_ranges *r);

#define FG_NO_RANGE UINT32_MAX

/* Returns the number of the innermost range around an address, or FG_NO_RANGE. */
uint32_t fg_ranges_find(const struct fg_ranges *r, uint64_t address);

#endif
