/*
 * What libdw makes of the table of a unit's lines: it writes the name of each file out,
 * with its folder, and keeps both a line and a file for each time that it reads them.
 * A few bytes can so stand for a name that is as long as the file, and each byte, of
 * which a compressed file has a thousand times its own, for a line that takes 100.
 *
 * The table is in "DWARF Debugging Information Format", version 5, 6.2.4.
 */
#ifndef FG_COLLAPSE_SYMBOLS_LINETABLE_H
#define FG_COLLAPSE_SYMBOLS_LINETABLE_H

#ifdef FG_HAVE_LIBDW
#include <elfutils/libdw.h>
#include <stdbool.h>

/* What may still be read of the tables of a file. */
struct fg_linetable_left {
	uint64_t bytes; /* of tables: each is read once, if none is in another */
	uint64_t names; /* bytes of names that are written out */
};

/* `size` is the file's, which is less where the tables are compressed in it. */
struct fg_linetable_left fg_linetable_left(Dwarf *dwarf, uint64_t size);

/*
 * Whether libdw may read the table at an offset, which counts as read then. `unit` is
 * of `dwarf`, whose texts are whole.
 */
bool fg_linetable_may_be_read(struct fg_linetable_left *left, Dwarf *dwarf,
			      Dwarf_Die *unit, uint64_t offset);

#endif

#endif
