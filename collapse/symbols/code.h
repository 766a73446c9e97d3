/*
 * Facts about the code in a binary that decide how to record it: have its functions
 * names and frame pointers, and can it run other programs?
 */
#ifndef FG_COLLAPSE_SYMBOLS_CODE_H
#define FG_COLLAPSE_SYMBOLS_CODE_H

#include "collapse/symbols/elf.h"

struct fg_code {
	/* it has symbols, or a file of debug symbols is installed */
	bool has_names;
	/*
	 * A program of Go. Its compiler always keeps frame pointers, but the tables do
	 * not say so. Functions in assembly have none, so their stacks lack one caller.
	 */
	bool is_go;
	bool is_x86_64;
	/* it imports a function that runs programs, like shells and interpreters do */
	bool runs_others;
	/*
	 * The number of functions, at most a few hundred, and how many of them use rbp
	 * as the frame pointer, according to the tables for unwinding. The first four
	 * are not counted, because they are from the C library in every program. Both
	 * are 0 without libdw and for other processors.
	 */
	unsigned functions, framed;
};

/*
 * Reads the facts about an ELF file. Returns false if it cannot be read, has no code,
 * or this program was built without libelf.
 */
bool fg_code_read(const char *path, struct fg_code *code);

/* Returns true if stacks can be unwound with copies, so this was built with libdw. */
bool fg_code_unwinds(void);

/*
 * Returns true if at least `percent` of the functions keep frame pointers. With 80
 * percent, nearly all callers are right; with less than 10, stacks are short. Also
 * returns true if nothing is known about the functions.
 */
bool fg_code_keeps_frames(const struct fg_code *code, unsigned percent);

#endif
