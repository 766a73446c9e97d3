/*
 * Changing the mappings of one address space.
 */
#ifndef FG_COLLAPSE_PERFDATA_MAPS_H
#define FG_COLLAPSE_PERFDATA_MAPS_H

#include "collapse/perfdata/tasks.h"

/* Takes away what is mapped from `start` to `end`: whether anything was. */
bool fg_pd_maps_clear(struct fg_pd_maps *maps, uint64_t start, uint64_t end);

/* Adds a mapping where none is. */
void fg_pd_maps_insert(struct fg_pd_maps *maps, const struct fg_pd_map *map);

#endif
