/* A stable merge sort of indices. */
#include "lib/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/xalloc.h"

#define INSERTION_MAX 12

static void insertion_sort(uint32_t *v, size_t n, fg_compare *compare,
			   const void *context)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t item = v[i];
		size_t at = i;

		while (at && compare(context, v[at - 1], item) > 0) {
			v[at] = v[at - 1];
			at--;
		}
		v[at] = item;
	}
}

static bool is_sorted(const uint32_t *v, size_t n, fg_compare *compare,
		      const void *context)
{
	for (size_t i = 1; i < n; i++)
		if (compare(context, v[i - 1], v[i]) > 0)
			return false;
	return true;
}

/* Merges v[0..mid) and v[mid..n), both in order, with room for mid in `spare`. */
static void merge(uint32_t *v, size_t mid, size_t n, uint32_t *spare,
		  fg_compare *compare, const void *context)
{
	size_t left = 0, right = mid, to = 0;

	if (compare(context, v[mid - 1], v[mid]) <= 0)
		return;
	memcpy(spare, v, mid * sizeof(*v));
	while (left < mid && right < n)
		if (compare(context, spare[left], v[right]) <= 0)
			v[to++] = spare[left++];
		else
			v[to++] = v[right++];
	memcpy(v + to, spare + left, (mid - left) * sizeof(*v));
}

void fg_sort(uint32_t *indices, size_t count, fg_compare *compare, const void *context)
{
	uint32_t *spare;

	if (is_sorted(indices, count, compare, context))
		return;
	for (size_t i = 0; i < count; i += INSERTION_MAX) {
		size_t n = count - i < INSERTION_MAX ? count - i : INSERTION_MAX;

		insertion_sort(indices + i, n, compare, context);
	}
	spare = fg_xmalloc(fg_size_mul(count, sizeof(*spare)));
	for (size_t width = INSERTION_MAX; width < count; width *= 2)
		for (size_t i = 0; i + width < count; i += 2 * width) {
			size_t n = count - i < 2 * width ? count - i : 2 * width;

			merge(indices + i, width, n, spare, compare, context);
		}
	free(spare);
}
