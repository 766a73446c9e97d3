/*
 * Turns an address in an address space into a frame: the symbol there and its DSO.
 *
 * Each address of a DSO is looked up once, whichever processes mapped it.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RESOLVE_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RESOLVE_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/tasks.h"
#include "lib/base/map.h"

/* A symbol of a DSO. Its id is its index in the list. */
struct fg_pd_frame {
	struct fg_str symbol, dso;
	struct fg_str source; /* "FILE:LINE", if wanted */
	uint32_t dso_index;
	bool troubled; /* samples with this frame count for its DSO's trouble */
	bool named; /* it has a symbol */
	bool inlined; /* the function is inlined into the next frame */
};

struct fg_pd_resolver {
	struct fg_dsos *dsos; /* borrowed */
	struct fg_pd_frame *frames; /* the first one is for addresses without a DSO */
	size_t count, alloc;
	/* a cache: one entry for each block of addresses of a DSO */
	struct fg_pd_answer *answers;
	struct fg_arena names;
	/* frames by symbol start and DSO; see fg_pd_resolver_keep() */
	struct fg_map kept;
	size_t long_names; /* total bytes of long names; see fg_long_names_add() */
};

/* The result of looking up an address. */
struct fg_pd_place {
	uint32_t frame;
	/* bytes from the start of the symbol to the address; 0 if unknown */
	uint64_t offset;
	uint64_t address; /* address in the DSO or, for a file, offset in it */
};

void fg_pd_resolver_init(struct fg_pd_resolver *r, struct fg_dsos *dsos);
void fg_pd_resolver_release(struct fg_pd_resolver *r);

/* Adds a frame, with copies of its symbol and source. Returns its id. */
uint32_t fg_pd_resolver_add(struct fg_pd_resolver *r, const struct fg_pd_frame *frame);

/*
 * Keeps the frames of a DSO before it is unloaded, so that its symbols get the same
 * frames when they are read again.
 */
void fg_pd_resolver_keep(struct fg_pd_resolver *r, uint32_t index);

/*
 * Puts the demangled name of a function into `out`, which is empty. Returns false, and
 * leaves `out` empty, if the name is shown as it is. Counts names that are too long to
 * demangle.
 */
bool fg_pd_resolver_demangle(struct fg_pd_resolver *r, const char *name,
			     struct fg_buf *out);

/* Returns true if an address that has this frame will always have it. */
bool fg_pd_resolve_is_final(const struct fg_pd_resolver *r, uint32_t id);

/* Prefetches the data that fg_pd_resolve() needs for an address. */
void fg_pd_resolve_soon(const struct fg_pd_resolver *r, const struct fg_pd_maps *maps,
			uint64_t pc);

/*
 * Finds the frame at an address. `maps` is NULL if the process has no mappings. Notes
 * in `maps` which mapping was found, or that there was none.
 */
struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r, struct fg_pd_maps *maps,
				 uint64_t address);

#endif
