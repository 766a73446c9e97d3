/*
 * A finished tree without what counts little.
 */
#ifndef FG_FILTERFOLDED_PRUNE_H
#define FG_FILTERFOLDED_PRUNE_H

#include "lib/base/buf.h"
#include "lib/profile/tree.h"

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

/* Appends what becomes of a first frame; nothing: it goes. Whether its stacks stay. */
typedef bool fg_prune_first_frame(void *data, struct fg_str name, struct fg_buf *text);

/* Gives the first frames of all stacks other names. What becomes equal is one. */
void fg_prune_first_frames(struct fg_tree *t, fg_prune_first_frame *rename, void *data);

#endif
