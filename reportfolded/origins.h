/*
 * Tells the program's own functions from those of libraries, runtimes and the kernel,
 * by their names and source files. A digest names the program's functions first,
 * because those are what its reader can change.
 */
#ifndef FG_REPORTFOLDED_ORIGINS_H
#define FG_REPORTFOLDED_ORIGINS_H

#include "reportfolded/lines.h"

/* The arrays are indexed by the ids of the tree's names. */
struct fg_origins {
	const struct fg_tree *tree;
	bool *foreign; /* true for functions that are not the program's own */
	bool *process; /* true for processes, below which the program starts */
	struct fg_str *files; /* source files, or empty */
};

/*
 * Finds the origins of the functions of a profile without lines. `lines` are those that
 * were taken off it, and had as many names as `recorded`.
 */
void fg_origins_find(struct fg_origins *o, const struct fg_tree *tree,
		     const struct fg_lines *lines, size_t recorded);
void fg_origins_release(struct fg_origins *o);

/* Returns true for a frame of the program's own. */
bool fg_origins_own(const struct fg_origins *o, uint32_t node);

/* Returns true for the frame of a process, which is no function. */
bool fg_origins_is_process(const struct fg_origins *o, uint32_t node);

/* Returns the innermost frame of the program's own on a stack, or FG_TREE_NONE. */
uint32_t fg_origins_caller(const struct fg_origins *o, uint32_t node);

#endif
