/*
 * From an address in an address space to a frame: the symbol there and its DSO.
 *
 * Each address of a DSO is looked up once, whichever processes have mapped it where.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_RESOLVE_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_RESOLVE_H

#include "collapse/symbols/dsos.h"
#include "collapse/formats/perf/data/tasks.h"
#include "lib/base/map.h"

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
	struct fg_dsos *dsos; /* borrowed */
	struct fg_pd_frame *frames; /* the first is the one without symbol and DSO */
	size_t count, alloc;
	struct fg_pd_answer *answers; /* by blocks of addresses in a DSO */
	struct fg_arena names;
	struct fg_map kept; /* frames by start and DSO: fg_pd_resolver_keep() */
	size_t long_names; /* bytes of those that were made: fg_long_names_add() */
};

/* What is at an address. */
struct fg_pd_place {
	uint32_t frame;
	uint64_t offset; /* from the start of the symbol */
	uint64_t address; /* in the DSO; of a file, the offset in it */
};

void fg_pd_resolver_init(struct fg_pd_resolver *r, struct fg_dsos *dsos);
void fg_pd_resolver_release(struct fg_pd_resolver *r);

/* Adds a frame, whose symbol and source are copied: its number. */
uint32_t fg_pd_resolver_add(struct fg_pd_resolver *r, const struct fg_pd_frame *frame);

/*
 * Before a DSO is unloaded: its symbols have the same frames when they are read again.
 */
void fg_pd_resolver_keep(struct fg_pd_resolver *r, uint32_t index);

/*
 * Puts the demangled name of a function into `out`, which is empty: true, or false
 * where it is to be shown as it is. Those that stand for too much are counted.
 */
bool fg_pd_resolver_demangle(struct fg_pd_resolver *r, const char *name,
			     struct fg_buf *out);

/* Whether where a frame was found it is found ever after. */
bool fg_pd_resolve_is_final(const struct fg_pd_resolver *r, uint32_t id);

/* Has in the processor's cache what that address will be looked up by. */
void fg_pd_resolve_soon(const struct fg_pd_resolver *r, const struct fg_pd_maps *maps,
			uint64_t pc);

/* `maps`, of which only `missed` may change, is NULL where nothing is known. */
struct fg_pd_place fg_pd_resolve(struct fg_pd_resolver *r, struct fg_pd_maps *maps,
				 uint64_t address);

#endif
