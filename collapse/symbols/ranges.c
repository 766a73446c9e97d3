/* Sorts ranges of addresses by their start, and links each to the one around it. */
#include "collapse/symbols/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* The most ranges that we check for an address. Code is nested some dozens deep. */
#define DEPTH_MAX 4096

void fg_ranges_release(struct fg_ranges *r)
{
	free(r->list);
	memset(r, 0, sizeof(*r));
}

void fg_ranges_add(struct fg_ranges *r, uint64_t start, uint64_t end, uint32_t of)
{
	if (end <= start || r->count >= FG_NO_RANGE - 1)
		return;
	FG_GROW(r->list, r->alloc, r->count + 1);
	r->list[r->count++] = (struct fg_range){ start, end, of, FG_NO_RANGE };
}

static int compare(const void *left, const void *right)
{
	const struct fg_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->of < b->of ? -1 : a->of > b->of;
}

void fg_ranges_finish(struct fg_ranges *r)
{
	uint32_t top = FG_NO_RANGE;

	if (r->count)
		qsort(r->list, r->count, sizeof(*r->list), compare);
	for (uint32_t i = 0; i < r->count; i++) {
		struct fg_range *range = &r->list[i];

		while (top != FG_NO_RANGE && r->list[top].end <= range->start)
			top = r->list[top].outer;
		range->outer = top;
		top = i;
	}
}

/*
 * Returns the index of the last range that starts at or before the address, or
 * FG_NO_RANGE.
 */
static uint32_t last_before(const struct fg_ranges *r, uint64_t address)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (uint32_t)(low - 1) : FG_NO_RANGE;
}

uint32_t fg_ranges_find(const struct fg_ranges *r, uint64_t address)
{
	uint32_t i = last_before(r, address);

	for (unsigned depth = 0; i != FG_NO_RANGE && depth < DEPTH_MAX; depth++) {
		if (address < r->list[i].end)
			return r->list[i].of;
		i = r->list[i].outer;
	}
	return FG_NO_RANGE;
}
