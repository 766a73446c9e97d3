/* Removes stacks and frames with small counts from a finished tree. */
#ifndef FG_FILTERFOLDED_PRUNE_H
#define FG_FILTERFOLDED_PRUNE_H

#include "lib/base/buf.h"
#include "lib/profile/tree.h"

/*
 * Removes the frames with less than `percent` of the profile's total, in both columns
 * if there are two. Their callers get the counts, or FG_FILTER_OTHER if there is no
 * caller.
 */
void fg_prune_percent(struct fg_tree *t, double percent);

/*
 * Keeps the `count` stacks with the highest counts. With two columns, the higher count
 * of a stack decides. All other stacks become FG_FILTER_OTHER.
 */
void fg_prune_top(struct fg_tree *t, uint64_t count);

/*
 * Appends the new name of a first frame, or nothing to remove the frame. Returns false
 * to drop its stacks.
 */
typedef bool fg_prune_first_frame(void *data, struct fg_str name, struct fg_buf *text);

/* Renames the first frames of all stacks, and merges stacks that become equal. */
void fg_prune_first_frames(struct fg_tree *t, fg_prune_first_frame *rename, void *data);

#endif
