/*
 * Limits the memory that libdw takes for the line table of a unit. libdw allocates the
 * path of each source file, and memory for each line and file that it reads. So a few
 * bytes can stand for a path as long as the whole debug file. And each byte can stand
 * for a line that takes 100 bytes, while a compressed section can unpack to a thousand
 * times its size.
 *
 * The table is in "DWARF Debugging Information Format", version 5, 6.2.4.
 */
#ifndef FG_COLLAPSE_SYMBOLS_LINETABLE_H
#define FG_COLLAPSE_SYMBOLS_LINETABLE_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

/* The budget for the tables of a file. */
struct fg_linetable_left {
	/* bytes of tables; enough to read each once if none is inside another */
	uint64_t bytes;
	uint64_t names; /* bytes of paths that libdw may allocate */
};

/*
 * Returns the budget for a file of `size` bytes. Compressed tables may be larger than
 * that.
 */
struct fg_linetable_left fg_linetable_left(Dwarf *dwarf, uint64_t size);

/*
 * Charges the table at an offset to the budget. Returns true if libdw may read it.
 * `unit` is in `dwarf`, for which fg_dwarf_texts_are_whole() must be true.
 */
bool fg_linetable_may_be_read(struct fg_linetable_left *left, Dwarf *dwarf,
			      Dwarf_Die *unit, uint64_t offset);

#endif

#endif
