/*
 * A finished tree without what counts little.
 */
#ifndef FG_FILTERFOLDED_PRUNE_H
#define FG_FILTERFOLDED_PRUNE_H

#include "lib/tree.h"

/*
 * Leaves out the frames whose total is less than `percent` of that of the profile, in
 * both columns if there are two; their callers get the counts, or FG_FILTER_OTHER where
 * they have none.
 */
void fg_prune_percent(struct fg_tree *t, double percent);

/*
 * Leaves only the `count` stacks with the highest counts, of two the higher; all others
 * are FG_FILTER_OTHER.
 */
void fg_prune_top(struct fg_tree *t, uint64_t count);

#endif
