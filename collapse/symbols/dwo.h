/*
 * Debug information that the compiler left in other files (-gsplit-dwarf). The program
 * has a skeleton of each compilation unit. The unit's tree is in a .dwo file, or in a
 * package of them, which is called like the program with ".dwp" behind it.
 *
 * libdw would find and open these files itself, without checking what they are.
 */
#ifndef FG_COLLAPSE_SYMBOLS_DWO_H
#define FG_COLLAPSE_SYMBOLS_DWO_H

#include "collapse/symbols/dwarf.h"

#ifdef FG_HAVE_LIBDW
#include "lib/base/buf.h"

/* The places of the files. */
struct fg_dwo {
	/* folder of the file with the skeletons; empty: not known */
	struct fg_buf folder;
	struct fg_buf package_path;
	struct fg_elf *package; /* NULL: there is none, or we have not looked for it */
	bool package_tried;
};

/* The tree of a unit. */
struct fg_dwo_tree {
	struct fg_dwarf *dwarf;
	Dwarf_Off unit; /* offset of the unit's entry in it */
	uint64_t base; /* add it to the addresses that libdw finds there */
};

/* `skeletons` is the file with the skeletons; borrowed. */
void fg_dwo_init(struct fg_dwo *s, const struct fg_elf *skeletons);

void fg_dwo_release(struct fg_dwo *s);

/*
 * Opens the tree of a unit. Returns false if none can be read. `folder` and `name` are
 * those of the .dwo file in the skeleton; `folder` may be empty.
 */
bool fg_dwo_open(struct fg_dwo *s, Dwarf_Die *skeleton, const char *folder,
		 const char *name, struct fg_dwo_tree *tree);

#endif

#endif
