/*
 * From an address in an address space to a frame: the symbol there and its DSO.
 *
 * Each address of a DSO is looked up once, whichever processes have mapped it where.
 */
#ifndef FG_COLLAPSE_PERFDATA_RESOLVE_H
#define FG_COLLAPSE_PERFDATA_RESOLVE_H

#include "collapse/perfdata/dsos.h"
#include "collapse/perfdata/tasks.h"

/* A symbol of a DSO; its number is its place in the list. */
struct fg_pd_frame {
	struct fg_str symbol, dso;
	struct fg_str source; /* "FILE:LINE", if that is wanted */
	uint32_t dso_index;
	bool troubled; /* it has no name because of its DSO's trouble */
	bool named; /* it has a symbol */
	bool inlined; /* into the next */
};

struct fg_pd_resolver {
	struct fg_pd_dsos *dsos; /* borrowed */
	struct fg_pd_frame *frames; /* the first is the one without symbol and DSO */
	size_t count, alloc;
	struct fg_pd_answer *cache; /* open addressing; a power of two */
	size_t cache_count, cache_alloc;
	uint64_t seed;
	/* the mapping that was needed last, and the id of those that it is among */
	struct fg_pd_map map;
	uint32_t map_of; /* 0: there is none yet */
	struct fg_arena names;
};

/* What is at an address. */
struct fg_pd_place {
	uint32_t frame;
	uint64_t offset; /* from the start of the symbol */
	uint64_t address; /* in the DSO; of a file, the offset in it */
};

void fg_pd_resolver_init(struct fg_pd_resolver *r, struct fg_pd_dsos *dsos);
void fg_pd_resolver_release(struct fg_pd_resolver *r);

/* Adds a frame, whose symbol and source are copied: its number. */
uint32_t fg_pd_resolver_add(struct fg_pd_resolver *r, const struct fg_pd_frame *frame);

/* `maps` is NULL where nothing is known to be mapped. */
struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r,
				 const struct fg_pd_maps *maps, uint64_t address);

#endif
