/*
 * Debug information that the compiler left in other files (-gsplit-dwarf): the program
 * has a skeleton of each compilation unit, and the unit's tree is in a .dwo file, or in
 * a package of them, which is called like the program with ".dwp" behind it.
 *
 * libdw would find and open these files by itself, without looking at what they are.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_SPLIT_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_SPLIT_H

#include "collapse/formats/perf/data/dwarfopen.h"

#ifdef FG_HAVE_LIBDW
#include "lib/base/buf.h"

/* Where the files are looked for. */
struct fg_pd_split {
	struct fg_buf folder; /* of the file with the skeletons; empty: not known */
	struct fg_buf package_path;
	struct fg_pd_elf *package; /* NULL: there is none, or it was not looked for */
	bool package_tried;
};

/* The tree of a unit. */
struct fg_pd_tree {
	struct fg_pd_dwarf *dwarf;
	Dwarf_Off unit; /* the unit's entry in it */
	uint64_t base; /* to be added to the addresses that libdw finds there */
};

/* `skeletons` is the file with the skeletons. */
void fg_pd_split_init(struct fg_pd_split *s, const struct fg_pd_elf *skeletons);

void fg_pd_split_release(struct fg_pd_split *s);

/*
 * Opens the tree of a unit. Returns false if there is none that can be read. `folder`
 * and `name` are what the skeleton says of the .dwo file; `folder` may be empty.
 */
bool fg_pd_split_open(struct fg_pd_split *s, Dwarf_Die *skeleton, const char *folder,
		      const char *name, struct fg_pd_tree *tree);

#endif

#endif
