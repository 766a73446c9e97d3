/*
 * Finds functions of an ELF file by name.
 *
 * perf script prints the address that code had in memory. For a shared library or a
 * PIE, that is not the address in the file. But we can find that by the symbol,
 * "main+0x1f":
 *
 *     struct fg_byname names = { .progress = FG_BYNAME_UNREAD };
 *     if (fg_byname_find(&names, elf, FG_STR("main+0x1f"), &address))
 *
 * The symbols are read when the first one is looked up. Most names are found as linker
 * names. All names are demangled only if one was not found that way.
 */
#ifndef FG_COLLAPSE_SYMBOLS_BYNAME_H
#define FG_COLLAPSE_SYMBOLS_BYNAME_H

#include "collapse/symbols/elf.h"
#include "lib/base/intern.h"

/* Names with their addresses. A zeroed struct is empty. */
struct fg_byname_table {
	struct fg_intern names;
	struct fg_byname_place *places; /* indexed by the id of the name */
	size_t alloc;
};

/* The names of one file. A zeroed struct has read nothing. */
struct fg_byname {
	enum {
		FG_BYNAME_UNREAD,
		FG_BYNAME_LINKER, /* `linker` has been read */
		FG_BYNAME_DEMANGLED /* `demangled` and `bare` have been read, too */
	} progress;
	struct fg_byname_table linker;
	struct fg_byname_table demangled; /* "int f<int>(int)" */
	struct fg_byname_table bare; /* "f<int>": no type, parameters or version */
	/* some names were left out because all of them would take too much memory */
	bool too_many;
};

void fg_byname_release(struct fg_byname *b);

/*
 * Finds the address of "NAME+0xOFFSET" in the file. Returns false if there is no such
 * symbol. Also returns false if several symbols have that demangled name; of several
 * with the same linker name, the first counts.
 */
bool fg_byname_find(struct fg_byname *b, const struct fg_elf *e, struct fg_str symbol,
		    uint64_t *address);

#endif
