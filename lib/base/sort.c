/* Sorts indices by merging, and keeps the order of equal ones. */
#include "lib/base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

#define INSERTION_MAX 12

struct sorter {
	fg_compare *compare;
	const void *context;
	uint32_t *spare; /* scratch for the left half of a merge */
};

/* Returns true if `a` may stay left of `b`. */
static bool in_order(const struct sorter *s, uint32_t a, uint32_t b)
{
	return s->compare(s->context, a, b) <= 0;
}

static void insertion_sort(const struct sorter *s, uint32_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t item = v[i];
		size_t at = i;

		while (at && !in_order(s, v[at - 1], item)) {
			v[at] = v[at - 1];
			at--;
		}
		v[at] = item;
	}
}

static bool is_sorted(const struct sorter *s, const uint32_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!in_order(s, v[i - 1], v[i]))
			return false;
	return true;
}

/* Merges v[0..mid) and v[mid..n), which are both in order. */
static void merge(const struct sorter *s, uint32_t *v, size_t mid, size_t n)
{
	size_t left = 0, right = mid, to = 0;

	if (in_order(s, v[mid - 1], v[mid]))
		return;
	memcpy(s->spare, v, mid * sizeof(*v));
	while (left < mid && right < n)
		if (in_order(s, s->spare[left], v[right]))
			v[to++] = s->spare[left++];
		else
			v[to++] = v[right++];
	memcpy(v + to, s->spare + left, (mid - left) * sizeof(*v));
}

void fg_sort(uint32_t *indices, size_t count, fg_compare *compare, const void *context)
{
	struct sorter s = { compare, context, NULL };

	if (is_sorted(&s, indices, count))
		return;
	for (size_t i = 0; i < count; i += INSERTION_MAX) {
		size_t n = count - i < INSERTION_MAX ? count - i : INSERTION_MAX;

		insertion_sort(&s, indices + i, n);
	}
	s.spare = fg_xmalloc(fg_size_mul(count, sizeof(*s.spare)));
	for (size_t width = INSERTION_MAX; width < count; width *= 2)
		for (size_t i = 0; i + width < count; i += 2 * width) {
			size_t n = count - i < 2 * width ? count - i : 2 * width;

			merge(&s, indices + i, width, n);
		}
	free(s.spare);
}
