/*
 * A frame as gdb prints it, without its number: "0x55d0 in main (argc=1) at main.c:3";
 * or as coredumpctl does, "0x7f55 raise (libc.so.6 + 0x3c7d5)".
 *
 * gdb breaks long ones into several lines, and so do those who quote them; the parts
 * are one row again where a blank is put between them.
 */
#ifndef FG_COLLAPSE_FORMATS_GDB_ROW_H
#define FG_COLLAPSE_FORMATS_GDB_ROW_H

#include "lib/base/str.h"

/* Borrowed from the text. */
struct gdb_row {
	struct fg_str name; /* without address, arguments and version; or "??" */
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

#endif
