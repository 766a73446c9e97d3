/*
 * A frame as gdb prints it, without its number: "0x55d0 in main (argc=1) at main.c:3";
 * or as coredumpctl does, "0x7f55 raise (libc.so.6 + 0x3c7d5)".
 *
 * gdb breaks long ones into several lines, and so do those who quote them; the parts
 * are one row again where a blank is put between them.
 */
#ifndef FG_LIB_RECOGNIZE_GDB_H
#define FG_LIB_RECOGNIZE_GDB_H

#include "lib/base/str.h"

/* Borrowed from the text. */
struct gdb_row {
	struct fg_str name; /* without address and arguments; or "??" */
	struct fg_str place; /* "at main.c:3", "from /lib/libc.so.6"; may be empty */
	struct fg_str library; /* of that, "/lib/libc.so.6"; may be empty */
	bool function; /* it has arguments, or is none, as "<signal handler called>" */
	bool whole; /* and they are complete */
};

struct gdb_row gdb_row_split(struct fg_str text);

/* The length of "#3  " at the start of a line, and the number; 0 for other lines. */
size_t gdb_row_start(struct fg_str line, uint64_t *number);

/* Whether a line that is no frame of its own goes on with the row. */
bool gdb_row_goes_on(struct fg_str text, struct fg_str line);

/* Whether a line is a frame of that number for sure, and not another program's. */
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

/* Returns true for what KDE prints in place of the frames of its own handler. */
bool gdb_is_crash_handler(struct fg_str line);

/*
 * Returns the length of what stands before the first frame of a stack, or before the
 * header of a thread, if a log put something there; else 0.
 */
size_t gdb_prefix_length(struct fg_str line);

#endif
