/*
 * Splits a frame of gdb, "0x55d0 in main (argc=1) at main.c:3", or of coredumpctl,
 * "0x7f55 raise (libc.so.6 + 0x3c7d5)". The number before it, "#3", is not part of the
 * row.
 *
 *     size_t start = gdb_row_start(line, &number);
 *     struct gdb_row row = gdb_row_split(fg_str_from_pos(line, start));
 *
 * gdb breaks a long row into several lines. While gdb_row_goes_on(), append a blank and
 * the next line, and split it again.
 */
#ifndef FG_LIB_RECOGNIZE_GDB_H
#define FG_LIB_RECOGNIZE_GDB_H

#include "lib/base/str.h"

/* The parts of a row, borrowed from the text. */
struct gdb_row {
	struct fg_str name; /* "main" without address and arguments, or "??" */
	struct fg_str place; /* "at main.c:3", "from /lib/libc.so.6"; may be empty */
	struct fg_str library; /* "/lib/libc.so.6"; may be empty */
	bool function; /* the row has arguments, or is like "<signal handler called>" */
	bool whole; /* the arguments are complete */
};

struct gdb_row gdb_row_split(struct fg_str text);

/* Returns the length of "#3  " at the start, and sets the number. Else returns 0. */
size_t gdb_row_start(struct fg_str line, uint64_t *number);

/* Returns true if `line`, which is not a frame, continues the row `text`. */
bool gdb_row_goes_on(struct fg_str text, struct fg_str line);

/* Returns true if the line is certainly a frame of gdb, and has that number. */
bool gdb_row_is(struct fg_str line, uint64_t number);

/*
 * Returns true for the header of a thread, as gdb and coredumpctl print it:
 *
 *     Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):
 *     Thread 1 (process 42):
 *     Thread 2 (Thread 4300.0x1e34):
 *     Thread 7993:
 *     Stack trace of thread 2113:
 */
bool gdb_thread_is(struct fg_str line);

/*
 * Returns true for "[KCrash Handler]", which KDE prints in place of its handler's
 * frames.
 */
bool gdb_is_crash_handler(struct fg_str line);

/*
 * For the first frame of a stack or the header of a thread, returns the length of a
 * log's prefix before it, like a time. Returns 0 for other lines.
 */
size_t gdb_prefix_length(struct fg_str line);

#endif
