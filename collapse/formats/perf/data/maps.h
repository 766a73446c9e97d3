/*
 * The mappings of one address space.
 *
 * They are a tree whose parts are shared: a copy costs nothing, and a change after it
 * only the way to what changes, as builds fork thousands of times.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_MAPS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_pd_map {
	uint64_t start, end;
	uint64_t shift; /* added to an address, it is the DSO's own address */
	uint32_t dso;
};

/* Mappings that do not overlap, by address; at most UINT32_MAX. If zeroed, none. */
struct fg_pd_maps {
	struct fg_pd_map_node *root;
	uint64_t seed; /* 0: there is none yet */
	size_t count;
	struct fg_pd_map rest; /* what is where no other mapping is; empty: nothing */
	size_t users; /* processes that share them */
	uint32_t id; /* another one whenever an address may mean another thing */
	bool missed; /* under this id an address was asked for where nothing is */
};

void fg_pd_maps_release(struct fg_pd_maps *maps);

/* Gives `maps`, which has none, the mappings of another address space. */
void fg_pd_maps_copy(struct fg_pd_maps *maps, const struct fg_pd_maps *from);

/* The mapping at an address, or NULL, until the next change; `rest` is none of them. */
const struct fg_pd_map *fg_pd_maps_find(const struct fg_pd_maps *maps,
					uint64_t address);

/*
 * The same with `rest`, which is cut to the gap that the address is in; false where
 * there is nothing.
 */
bool fg_pd_maps_find_any(const struct fg_pd_maps *maps, uint64_t address,
			 struct fg_pd_map *found);

/* Takes away what is mapped from `start` to `end`: whether anything was. */
bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end);

/* Adds a mapping where none is. */
void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map);

#endif
