/*
 * Limits the memory that libdw takes for the table of a unit's lines. It writes the
 * name of each file out, with its folder, and keeps a line or a file each time it reads
 * one. So a few bytes can stand for a name as long as the file. And each byte, of which
 * a compressed file unpacks to a thousand times its own, can stand for a line that
 * takes 100.
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
	/* bytes of tables: each is read once, if none is inside another */
	uint64_t bytes;
	uint64_t names; /* bytes of names that libdw writes out */
};

/* `size` is the file's, which is less than that of tables that are compressed in it. */
struct fg_linetable_left fg_linetable_left(Dwarf *dwarf, uint64_t size);

/*
 * Charges the table at an offset to the budget. Returns true if libdw may read it.
 * `unit` is in `dwarf`, whose texts are whole.
 */
bool fg_linetable_may_be_read(struct fg_linetable_left *left, Dwarf *dwarf,
			      Dwarf_Die *unit, uint64_t offset);

#endif

#endif
