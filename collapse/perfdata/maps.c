/* Mappings of one address space: adding one cuts those in its place. */
#include "collapse/perfdata/maps.h"

#include <string.h>

#include "lib/xalloc.h"

/* The first mapping that ends after the address. */
static size_t first_after(const struct fg_pd_maps *maps, uint64_t address)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (maps->list[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct fg_pd_map *fg_pd_maps_find(const struct fg_pd_maps *maps, uint64_t address)
{
	size_t i = first_after(maps, address);

	return i < maps->count && maps->list[i].start <= address ? &maps->list[i] :
								   NULL;
}

bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end)
{
	size_t first = first_after(maps, start), last = first, kept = 0;
	struct fg_pd_map ends[2];

	while (last < maps->count && maps->list[last].start < end)
		last++;
	if (first == last)
		return false;
	if (maps->list[first].start < start) {
		ends[kept] = maps->list[first];
		ends[kept++].end = start;
	}
	if (maps->list[last - 1].end > end) {
		ends[kept] = maps->list[last - 1];
		ends[kept++].start = end;
	}
	FG_GROW(maps->list, maps->alloc, maps->count + 1);
	memmove(&maps->list[first + kept], &maps->list[last],
		(maps->count - last) * sizeof(*maps->list));
	memcpy(&maps->list[first], ends, kept * sizeof(*ends));
	maps->count = maps->count - (last - first) + kept;
	return true;
}

void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map)
{
	size_t at = first_after(maps, map->start);

	FG_GROW(maps->list, maps->alloc, maps->count + 1);
	memmove(&maps->list[at + 1], &maps->list[at],
		(maps->count - at) * sizeof(*maps->list));
	maps->list[at] = *map;
	maps->count++;
}
