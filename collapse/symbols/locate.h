/*
 * Finding the files that have the symbols of a DSO.
 */
#ifndef FG_COLLAPSE_SYMBOLS_LOCATE_H
#define FG_COLLAPSE_SYMBOLS_LOCATE_H

#include "collapse/symbols/dso.h"

/* Places to search for files besides the path of the DSO. */
struct fg_locate_places {
	struct fg_str cache; /* perf's folder of binaries; empty: there is none */
	int helper; /* as in fg_elsewhere_open() */
};

/*
 * Reads the symbols of a DSO into its table; where there are none to be had, says why
 * in its `trouble`.
 */
void fg_locate(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * The same of FG_DSO_JIT: adds what has come to its map since the last time. What
 * `grows` means is said at fg_jitmap_read.
 */
void fg_locate_map(struct fg_dso *dso, int helper, bool grows);

/*
 * Finds the file with the debug information of a DSO that was located, and the one that
 * it shares part of it with, if it does; both stay NULL unless all is there.
 */
void fg_locate_debug(struct fg_dso *dso, const struct fg_locate_places *places);

/*
 * Finds the debug information of a DSO like fg_locate_debug(), and opens it, once: sets
 * `inlines`, or `inflates` if it would take too much memory.
 */
void fg_locate_inlines(struct fg_dso *dso, const struct fg_locate_places *places);

/* Sets the trouble of a DSO of whose files some bytes could not be read. */
void fg_dso_check(struct fg_dso *dso);

#endif
