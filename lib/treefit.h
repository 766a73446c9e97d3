/* Counts of a tree that is being built; for lib/tree.c. */
#ifndef FG_LIB_TREEFIT_H
#define FG_LIB_TREEFIT_H

#include "lib/tree.h"

/*
 * Makes room for the counts of `line`: chooses how many decimals are kept, as many as
 * any count has as long as the totals fit, and rescales what is there. Whole counts are
 * never rounded. Returns 0, or -1 where the totals would exceed 2^64-1.
 */
int fg_tree_fit(struct fg_tree *t, const struct fg_folded *line);

#endif
