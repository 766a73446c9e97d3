/*
 * Finds the functions that a compiler inlined at an address, in the DWARF of a file.
 *
 * We make a table for each compilation unit (https://dwarfstd.org, DW_TAG_compile_unit)
 * when the first address in it is looked up.
 */
#ifndef FG_COLLAPSE_SYMBOLS_INLINES_H
#define FG_COLLAPSE_SYMBOLS_INLINES_H

#include "collapse/symbols/elf.h"
#include "lib/base/buf.h"

struct fg_inlines;

/* Returns true if this program was built with libdw. */
bool fg_inlines_are_here(void);

/*
 * Opens the debug information of a file. Returns NULL if it cannot be read, with EFBIG
 * in errno if it would take too much memory. `shared` is the file with the parts that
 * several files share (.gnu_debugaltlink), or NULL. Both are borrowed.
 */
struct fg_inlines *fg_inlines_open(const struct fg_elf *debug,
				   const struct fg_elf *shared);

/* Accepts NULL. */
void fg_inlines_close(struct fg_inlines *in);

/* A function at an address. */
struct fg_inlined {
	const char *name; /* the linker name if there is one; NULL: unknown */
	/* source file; NULL: unknown */
	const char *file;
	/* with FG_INLINES_PATHS: the folder the compiler ran in; NULL: unknown */
	const char *folder;
	int line;
};

enum fg_inlines_detail {
	FG_INLINES_NAMES,
	FG_INLINES_LINES, /* with lines, and files without their folders */
	FG_INLINES_PATHS, /* with lines, and files with their folders */
};

/*
 * Appends the path of the source file to `b`, without "." and "..". It starts at the
 * folder in which the compiler ran if the file is below that, so that it does not
 * depend on where the source was built: "src/app.c". Other paths are absolute if the
 * folder is known. Returns the path; it is empty if the file is unknown.
 */
struct fg_str fg_inlined_path(const struct fg_inlined *f, struct fg_buf *b);

/* The most functions at an address. No compiler makes more. */
#define FG_INLINES_MAX 256

/*
 * Stores the functions at an address of the file in `list`, which has space for
 * FG_INLINES_MAX. The innermost function is first; the last is the one that all others
 * are inlined into. Returns their number, or 0 if none is known. Strings are borrowed
 * from `in`. With FG_INLINES_PATHS, code that is in no function, like that of an
 * assembler, is a single one without a name, so that its line is known.
 */
size_t fg_inlines_at(struct fg_inlines *in, uint64_t address,
		     enum fg_inlines_detail detail, struct fg_inlined *list);

/*
 * Returns the number of compilation units that were looked up but have their tree in
 * another file (-gsplit-dwarf) that is missing or cannot be read.
 */
size_t fg_inlines_elsewhere(const struct fg_inlines *in);

/*
 * Returns true if some lines were left out because reading them would take too much
 * memory.
 */
bool fg_inlines_inflate(const struct fg_inlines *in);

#endif
