/* Finds the files that have the symbols and the debug information of a DSO. */
#ifndef FG_COLLAPSE_SYMBOLS_LOCATE_H
#define FG_COLLAPSE_SYMBOLS_LOCATE_H

#include "collapse/symbols/dso.h"

/* Places to search besides the path of the DSO. */
struct fg_locate_places {
	struct fg_buf cache; /* perf's folder of binaries; empty: there is none */
	struct fg_buf debuginfod; /* the folder of debuginfod's client; empty: none */
	int helper; /* helper for fg_elsewhere_open() */
};

/* `cache` is perf's folder of binaries; NULL: ~/.debug. */
void fg_locate_places_init(struct fg_locate_places *p, const char *cache);
void fg_locate_places_release(struct fg_locate_places *p);

/* Reads the symbols of a DSO into its table. Sets its `trouble` if there are none. */
void fg_locate(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * Like fg_locate(), for FG_DSO_JIT: adds the symbols that were added to its map since
 * the last call. fg_jitmap_read() explains `grows`.
 */
void fg_locate_map(struct fg_dso *dso, const struct fg_locate_places *places,
		   bool grows);

/*
 * Like fg_locate_map(), for FG_DSO_DUMP. Sets `dump`; it stays NULL if the file is
 * missing or belongs to another user.
 */
void fg_locate_dump(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * Finds the file with the debug information of a DSO, after fg_locate(), and the file
 * with parts that it shares with others, if it has any. Sets `debug` and `shared`; both
 * stay NULL if a file is missing.
 */
void fg_locate_debug(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * Finds the debug information of a DSO like fg_locate_debug(), and opens it. Does so
 * only once. Sets `inlines`, or `inflates` if it would take too much memory.
 */
void fg_locate_inlines(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * Sets `trouble` of a DSO if some bytes of its files could not be read, and `inflates`
 * if names were too long.
 */
void fg_dso_check(struct fg_dso *dso);

#endif
