/*
 * Symbols of code that a runtime made, which it lists in /tmp/perf-PID.map.
 *
 * tools/perf/Documentation/jit-interface.txt: "START SIZE NAME", both in hexadecimal.
 * The file grows as long as the program makes code.
 */
#ifndef FG_COLLAPSE_SYMBOLS_JITMAP_H
#define FG_COLLAPSE_SYMBOLS_JITMAP_H

#include "collapse/symbols/symtab.h"
#include "lib/base/arena.h"

/* The part of a map that has been read. A zeroed struct is empty. */
struct fg_jitmap {
	uint64_t size; /* bytes of the lines that were read */
	struct fg_arena names;
};

void fg_jitmap_release(struct fg_jitmap *m);

/* Adds the symbols in `text` to the table. */
void fg_jitmap_parse(struct fg_jitmap *m, struct fg_str text, struct fg_symtab *t);

/*
 * Adds the symbols in the lines of an open map that have come since the last time. If
 * the file was written anew, all of them replace the old ones. Closes `fd`. With
 * `grows`, a last line without an end is left for the next time. Returns 0, or -1 if
 * the map cannot be read, or `fd` is -1.
 */
int fg_jitmap_read(struct fg_jitmap *m, int fd, bool grows, struct fg_symtab *t);

#endif
