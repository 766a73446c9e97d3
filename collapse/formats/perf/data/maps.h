/*
 * The mappings of one address space.
 *
 * They are in a persistent tree: a copy of it costs nothing, and a later change copies
 * only the path to the changed node. This matters because builds fork thousands of
 * times.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_MAPS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fg_pd_map {
	uint64_t start, end;
	uint64_t shift; /* added to an address, it gives the offset in the DSO */
	uint32_t dso;
	bool is_data; /* it was mapped without permission to execute */
};

/* Up to UINT32_MAX mappings that do not overlap. A zeroed struct is empty. */
struct fg_pd_maps {
	struct fg_pd_map_node *root;
	uint64_t seed; /* seed of the nodes' ranks; 0 before the first node */
	size_t count;
	/* fills the gaps between the other mappings; may be empty */
	struct fg_pd_map rest;
	struct fg_pd_maps *code; /* mappings that hide the others; NULL: none */
	size_t users; /* processes that share this struct */
	/*
	 * gets a new value whenever an address may belong to another mapping than
	 * before
	 */
	uint32_t id;
	struct fg_pd_map last; /* the mapping that was found last */
	uint32_t last_of; /* `id` when `last` was found; 0: `last` is empty */
	/* since `id` changed, an address was looked up that is not mapped */
	bool missed;
	bool marked; /* fg_pd_tasks_mark() has visited it */
};

void fg_pd_maps_release(struct fg_pd_maps *maps);

/* Makes `maps`, which must be empty, a copy of another address space. */
void fg_pd_maps_copy(struct fg_pd_maps *maps, const struct fg_pd_maps *from);

/* Returns the number of mappings, with those in `code`. */
size_t fg_pd_maps_count(const struct fg_pd_maps *maps);

/*
 * Returns the mapping at an address, valid until the next change, or NULL. Ignores
 * `rest`.
 */
const struct fg_pd_map *fg_pd_maps_find(const struct fg_pd_maps *maps,
					uint64_t address);

/*
 * Copies the mapping at an address. That may be `rest`, or one that `code` hides in
 * part, cut to the gap around the address. Returns false if nothing is mapped there.
 */
bool fg_pd_maps_find_any(const struct fg_pd_maps *maps, uint64_t address,
			 struct fg_pd_map *found);

/*
 * Returns the first mapping that starts at an address or later, or NULL. Ignores
 * `rest` and `code`.
 */
const struct fg_pd_map *fg_pd_maps_from(const struct fg_pd_maps *maps,
					uint64_t address);

/* Unmaps a range, but not in `code`. Returns true if anything was mapped in it. */
bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end);

/* Adds a mapping. Nothing may be mapped in its range. */
void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map);

#endif
