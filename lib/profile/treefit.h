/* Builds a tree from folded lines. */
#ifndef FG_LIB_PROFILE_TREEFIT_H
#define FG_LIB_PROFILE_TREEFIT_H

#include "lib/profile/folded.h"
#include "lib/profile/tree.h"

/*
 * Adds a line: its last column is the width. Names are made visible
 * (lib/base/visible.h). Empty frames at the leaf end are dropped, unless keep_leaf.
 * Returns 0, or -1 where a sum would exceed 2^64-1 (report it with the line's place;
 * the tree is then of no use).
 */
int fg_tree_add(struct fg_tree *t, const struct fg_folded *line);

#endif
