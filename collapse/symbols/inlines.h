/*
 * Which functions a compiler inlined at an address, by the DWARF of a file.
 *
 * One table for each compilation unit (https://dwarfstd.org, DW_TAG_compile_unit), made
 * when the first address in it is asked for.
 */
#ifndef FG_COLLAPSE_SYMBOLS_INLINES_H
#define FG_COLLAPSE_SYMBOLS_INLINES_H

#include "collapse/symbols/elf.h"

struct fg_inlines;

/* Whether this program was built with libdw. */
bool fg_inlines_are_here(void);

/*
 * What is known of a file that has debug information; NULL where that cannot be read,
 * with EFBIG in errno where it would take too much memory. `shared` is the file that it
 * shares some of it with (.gnu_debugaltlink), or NULL. Both are borrowed.
 */
struct fg_inlines *fg_inlines_open(const struct fg_elf *debug,
				   const struct fg_elf *shared);

/* Accepts NULL. */
void fg_inlines_close(struct fg_inlines *in);

/* A function at an address. */
struct fg_inlined {
	const char *name; /* as the linker has it, if it has one; NULL: not known */
	const char *file; /* without folder; NULL: not known */
	int line;
};

enum fg_inlines_detail { FG_INLINES_NAMES, FG_INLINES_NAMES_AND_LINES };

/* Functions at an address that are looked for; more is no code that a compiler made. */
#define FG_INLINES_MAX 256

/*
 * Puts the functions at an address of the file into `list`, which has room for
 * FG_INLINES_MAX: the innermost first, the last is the one that all others are
 * inlined into. How many; 0 where nothing is known. Strings are borrowed from the file.
 */
size_t fg_inlines_at(struct fg_inlines *in, uint64_t address,
		     enum fg_inlines_detail detail, struct fg_inlined *list);

/*
 * Returns how many of the compilation units that were asked for have their tree in
 * another file (-gsplit-dwarf) that is gone or cannot be read.
 */
size_t fg_inlines_elsewhere(const struct fg_inlines *in);

/* Whether lines are left out, as reading them would take too much memory. */
bool fg_inlines_inflate(const struct fg_inlines *in);

#endif
