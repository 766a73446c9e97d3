/*
 * The mappings of one address space.
 */
#ifndef FG_COLLAPSE_PERFDATA_MAPS_H
#define FG_COLLAPSE_PERFDATA_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_pd_map {
	uint64_t start, end;
	uint64_t shift; /* added to an address, it is the DSO's own address */
	uint32_t dso;
};

/* Mappings that do not overlap, by address. */
struct fg_pd_maps {
	struct fg_pd_map *list;
	size_t count, alloc;
	size_t users; /* processes that share them */
	uint32_t id; /* another one whenever an address may mean another thing */
};

/* The mapping at an address, or NULL. */
const struct fg_pd_map *fg_pd_maps_find(const struct fg_pd_maps *maps,
					uint64_t address);

/* Takes away what is mapped from `start` to `end`: whether anything was. */
bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end);

/* Adds a mapping where none is. */
void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map);

#endif
