/*
 * Symbols of code that a runtime has compiled. The runtime lists them in
 * /tmp/perf-PID.map.
 *
 * A line is "START SIZE NAME", with both numbers in hexadecimal
 * (tools/perf/Documentation/jit-interface.txt). The file grows while the program
 * compiles more code.
 */
#ifndef FG_COLLAPSE_SYMBOLS_JITMAP_H
#define FG_COLLAPSE_SYMBOLS_JITMAP_H

#include "collapse/symbols/symtab.h"
#include "lib/base/arena.h"

/* The part of a map that has been read. A zeroed struct is empty. */
struct fg_jitmap {
	uint64_t size; /* bytes of the lines that were read so far */
	struct fg_arena names;
};

void fg_jitmap_release(struct fg_jitmap *m);

/* Adds the symbols in `text` to the table. */
void fg_jitmap_parse(struct fg_jitmap *m, struct fg_str text, struct fg_symtab *t);

/*
 * Adds the symbols in the lines that were added to a map since the last call. If the
 * file was written anew, its symbols replace all old ones. `fd` is the open map, which
 * is closed. With `grows`, a last line without an end is left for the next call.
 * Returns 0, or -1 if the map cannot be read or `fd` is -1.
 */
int fg_jitmap_read(struct fg_jitmap *m, int fd, bool grows, struct fg_symtab *t);

#endif
