/*
 * Writes a tree as folded stacks, one line at a time: the text of a deep tree may be
 * larger than memory.
 */
#ifndef FG_LIB_PROFILE_TREELINES_H
#define FG_LIB_PROFILE_TREELINES_H

#include "lib/profile/folded.h"
#include "lib/profile/tree.h"

/* The most bytes that the text of one stack, and of all stacks together, may have. */
#define FG_TREELINES_MAX ((size_t)256 << 20)
#define FG_TREELINES_SUM_MAX ((uint64_t)64 << 30)

struct fg_treelines_level;

struct fg_treelines {
	const struct fg_tree *tree;
	struct fg_treelines_level *levels; /* from the root to the current node */
	size_t depth;
	size_t alloc;
	uint32_t *items; /* children of all levels, to be written one by one */
	size_t item_count;
	size_t item_alloc;
	struct fg_buf stack; /* the text of the frames down to the last level */
	uint32_t node; /* the node whose line was written last, if sorted */
};

/*
 * Returns false if the lines of a finished tree would exceed FG_TREELINES_SUM_MAX: the
 * text of a few deep stacks can be a million times as large as their tree.
 */
bool fg_treelines_fit(const struct fg_tree *tree);

/* Starts at the first line of a finished tree, which is borrowed. */
void fg_treelines_init(struct fg_treelines *l, const struct fg_tree *tree);
void fg_treelines_release(struct fg_treelines *l);

/*
 * Appends the next line to `out`. Returns 1, 0 at the end, or -1 if a stack would be
 * longer than FG_TREELINES_MAX. With FG_TREE_INPUT, lines come in the order of the
 * input; else each stack has one line, sorted by bytes. The lines make the same tree
 * again: if a name at the end of a stack looks like a count, an empty frame is added.
 */
int fg_treelines_next(struct fg_treelines *l, struct fg_buf *out);

#endif
