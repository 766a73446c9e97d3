/*
 * Debug information that the compiler left in other files (-gsplit-dwarf). The program
 * has a skeleton of each compilation unit. The unit's tree is in a .dwo file or in a
 * package of such files, whose name is the program's with ".dwp" appended.
 *
 * libdw could find and open these files itself, but would not check what they are.
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
	Dwarf_Off unit; /* offset of the unit's entry in `dwarf` */
	uint64_t base; /* add it to the addresses that libdw finds in the tree */
};

/* `skeletons` is the file with the skeletons. It is used only during the call. */
void fg_dwo_init(struct fg_dwo *s, const struct fg_elf *skeletons);

void fg_dwo_release(struct fg_dwo *s);

/*
 * Opens the tree of a unit. Returns false if it cannot be read. `folder` and `name` are
 * the folder and name of the .dwo file, from the skeleton. `folder` may be empty.
 */
bool fg_dwo_open(struct fg_dwo *s, Dwarf_Die *skeleton, const char *folder,
		 const char *name, struct fg_dwo_tree *tree);

#endif

#endif
