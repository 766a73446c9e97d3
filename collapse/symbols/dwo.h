/*
 * Debug information that the compiler left in other files (-gsplit-dwarf): the program
 * has a skeleton of each compilation unit, and the unit's tree is in a .dwo file, or in
 * a package of them, which is called like the program with ".dwp" behind it.
 *
 * libdw would find and open these files by itself, without looking at what they are.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DWO_H
#define FG_COLLAPSE_SYMBOLS_DWO_H

#include "collapse/symbols/dwarf.h"

#ifdef FG_HAVE_LIBDW
#include "lib/base/buf.h"

/* Where the files are looked for. */
struct fg_dwo {
	struct fg_buf folder; /* of the file with the skeletons; empty: not known */
	struct fg_buf package_path;
	struct fg_elf *package; /* NULL: there is none, or it was not looked for */
	bool package_tried;
};

/* The tree of a unit. */
struct fg_dwo_tree {
	struct fg_dwarf *dwarf;
	Dwarf_Off unit; /* the unit's entry in it */
	uint64_t base; /* to be added to the addresses that libdw finds there */
};

/* `skeletons` is the file with the skeletons. */
void fg_dwo_init(struct fg_dwo *s, const struct fg_elf *skeletons);

void fg_dwo_release(struct fg_dwo *s);

/*
 * Opens the tree of a unit. Returns false if there is none that can be read. `folder`
 * and `name` are what the skeleton says of the .dwo file; `folder` may be empty.
 */
bool fg_dwo_open(struct fg_dwo *s, Dwarf_Die *skeleton, const char *folder,
		 const char *name, struct fg_dwo_tree *tree);

#endif

#endif
