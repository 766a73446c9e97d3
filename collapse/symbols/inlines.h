/*
 * Finds the functions that a compiler inlined at an address, in the DWARF of a file.
 *
 * We make a table for each compilation unit (https://dwarfstd.org, DW_TAG_compile_unit)
 * when the first address in it is asked for.
 */
#ifndef FG_COLLAPSE_SYMBOLS_INLINES_H
#define FG_COLLAPSE_SYMBOLS_INLINES_H

#include "collapse/symbols/elf.h"

struct fg_inlines;

/* Returns true if this program was built with libdw. */
bool fg_inlines_are_here(void);

/*
 * Opens the debug information of a file. Returns NULL if it cannot be read, with EFBIG
 * in errno if it would take too much memory. `shared` is the file that it shares some
 * of it with (.gnu_debugaltlink), or NULL. Both are borrowed.
 */
struct fg_inlines *fg_inlines_open(const struct fg_elf *debug,
				   const struct fg_elf *shared);

/* Accepts NULL. */
void fg_inlines_close(struct fg_inlines *in);

/* A function at an address. */
struct fg_inlined {
	const char *name; /* the linker's if it has one; NULL: not known */
	const char *file; /* without folder; NULL: not known */
	int line;
};

enum fg_inlines_detail { FG_INLINES_NAMES, FG_INLINES_NAMES_AND_LINES };

/* The most functions at an address. No compiler makes more. */
#define FG_INLINES_MAX 256

/*
 * Puts the functions at an address of the file into `list`, which has room for
 * FG_INLINES_MAX: the innermost first, and last the one that all others are inlined
 * into. Returns how many; 0 if none is known. Strings are borrowed from the file.
 */
size_t fg_inlines_at(struct fg_inlines *in, uint64_t address,
		     enum fg_inlines_detail detail, struct fg_inlined *list);

/*
 * Returns how many of the compilation units asked for have their tree in another file
 * (-gsplit-dwarf) that is gone or cannot be read.
 */
size_t fg_inlines_elsewhere(const struct fg_inlines *in);

/*
 * Returns true if lines are left out because reading them would take too much memory.
 */
bool fg_inlines_inflate(const struct fg_inlines *in);

#endif
