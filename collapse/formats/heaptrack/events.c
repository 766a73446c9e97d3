/* What is allocated and freed in a recording of heaptrack. */
#include "collapse/formats/heaptrack/recording.h"

#include <string.h>

#include "lib/base/xalloc.h"

/* a + b, where that fits. */
static bool sum_fits(int64_t a, int64_t b)
{
	return b < 0 ? a >= INT64_MIN - b : a <= INT64_MAX - b;
}

/* Bytes come to life, or die, on a path; false where no machine has as many. */
static bool change_live(struct heaptrack *h, struct cost *cost, int64_t bytes)
{
	if (!sum_fits(cost->live, bytes) || !sum_fits(h->live, bytes))
		return false;
	if (cost->age != h->age) {
		cost->age = h->age;
		cost->at_peak = cost->live;
	}
	cost->live += bytes;
	h->live += bytes;
	if (h->live > h->peak) {
		h->peak = h->live;
		h->age++;
	}
	return true;
}

static struct cost *cost_of(struct heaptrack *h, const struct allocation *a)
{
	return a->path < h->path_count ? &h->paths[a->path].cost : NULL;
}

static bool allocate(struct heaptrack *h, uint64_t kind)
{
	const struct allocation *a = &h->allocations[kind];
	struct cost *cost = cost_of(h, a);

	h->last_plus_1 = kind + 1;
	if (!cost || a->size > INT64_MAX)
		return false;
	if (h->weight == TOTAL)
		fg_sum_add(&cost->sum, a->size);
	else if (h->weight == ALLOCATIONS)
		fg_sum_add(&cost->sum, 1);
	return change_live(h, cost, (int64_t)a->size);
}

static bool release(struct heaptrack *h, uint64_t kind)
{
	const struct allocation *a = &h->allocations[kind];
	struct cost *cost = cost_of(h, a);
	bool at_once = h->last_plus_1 == kind + 1;

	h->last_plus_1 = 0;
	if (!cost || a->size > INT64_MAX)
		return false;
	if (h->weight == TEMPORARY)
		fg_sum_add(&cost->sum, at_once);
	return change_live(h, cost, -(int64_t)a->size);
}

/* The kind of allocation that version 0 has for a pointer: the first is 0. */
static uint64_t kind_of_pointer(struct heaptrack *h, uint64_t pointer)
{
	char key[sizeof(pointer)];

	memcpy(key, &pointer, sizeof(key));
	return fg_intern(&h->pointers, fg_str_of(key, sizeof(key)));
}

/* "+ SIZE PATH POINTER" of version 0. */
static bool allocate_pointer(struct heaptrack *h, struct fg_str line)
{
	uint64_t pointer, kind;

	if (!heaptrack_add_allocation(h, &line))
		return false;
	h->allocation_count--;
	if (heaptrack_cut_hex(&line, &pointer))
		return false;
	kind = kind_of_pointer(h, pointer);
	/* a new pointer has the next number, which is the one just taken back */
	h->allocations[kind] = h->allocations[h->allocation_count];
	if (kind == h->allocation_count)
		h->allocation_count++;
	return allocate(h, kind);
}

/* "- POINTER" */
static bool release_pointer(struct heaptrack *h, uint64_t pointer)
{
	uint64_t kind = kind_of_pointer(h, pointer);
	bool good;

	if (kind == h->allocation_count) { /* it was allocated before the recording */
		static const struct allocation none = { 0, UINT32_MAX };

		FG_GROW(h->allocations, h->allocations_alloc, h->allocation_count + 1);
		h->allocations[h->allocation_count++] = none;
	}
	if (h->allocations[kind].path == UINT32_MAX) {
		h->last_plus_1 = 0;
		h->unpaired++;
		return true;
	}
	good = release(h, kind);
	h->allocations[kind].path = UINT32_MAX;
	return good;
}

bool heaptrack_read_event(struct heaptrack *h, char letter, struct fg_str line)
{
	uint64_t number;

	if (letter == '+' && !h->version)
		return allocate_pointer(h, line);
	if (heaptrack_cut_hex(&line, &number))
		return false;
	if (!h->version)
		return release_pointer(h, number);
	if (number >= h->allocation_count)
		return false;
	return letter == '+' ? allocate(h, number) : release(h, number);
}
