/*
 * Symbols of an ELF file by name: where in the file a function is.
 *
 * perf script prints the address that code had in memory. For a shared library or a PIE
 * that is not its address in the file, but "main+0x1f" leads there:
 *
 *     struct fg_byname names = { .progress = FG_BYNAME_UNREAD };
 *     if (fg_byname_find(&names, elf, FG_STR("main+0x1f"), &address))
 *
 * The symbols are read when the first one is asked for. Most names are found as the
 * linker has them; only if one is not, all of them are demangled.
 */
#ifndef FG_COLLAPSE_SYMBOLS_BYNAME_H
#define FG_COLLAPSE_SYMBOLS_BYNAME_H

#include "collapse/symbols/elf.h"
#include "lib/base/intern.h"

/* Names and their addresses. A zeroed struct is empty. */
struct fg_byname_table {
	struct fg_intern names;
	struct fg_byname_place *places; /* by the id of the name */
	size_t alloc;
};

/* The names of one file. A zeroed struct has read nothing. */
struct fg_byname {
	enum {
		FG_BYNAME_UNREAD,
		FG_BYNAME_LINKER, /* `linker` has been read */
		FG_BYNAME_DEMANGLED /* and the others as well */
	} progress;
	struct fg_byname_table linker;
	struct fg_byname_table demangled; /* "int f<int>(int)" */
	struct fg_byname_table bare; /* "f<int>": no type, parameters or version */
	bool too_many; /* some were left out, because all take too much memory */
};

void fg_byname_release(struct fg_byname *b);

/*
 * Finds the address of "NAME+0xOFFSET" in the file. Returns false if it has no such
 * symbol, or several of a name that is not the linker's.
 */
bool fg_byname_find(struct fg_byname *b, const struct fg_elf *e, struct fg_str symbol,
		    uint64_t *address);

#endif
