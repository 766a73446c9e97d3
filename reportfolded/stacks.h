/*
 * Walks a finished tree stack by stack. A stack is the nodes of its frames.
 *
 * In a sorted tree each stack comes once. In a tree in the order of the input, each run
 * of equal stacks comes once, in that order. For each stack, fg_stacks.kept tells how
 * many first frames it shares with the one before, so that a writer need not make these
 * again.
 */
#ifndef FG_REPORTFOLDED_STACKS_H
#define FG_REPORTFOLDED_STACKS_H

#include "lib/profile/tree.h"

struct fg_stacks_level {
	uint32_t node;
	uint32_t child; /* the next child to visit, or FG_TREE_NONE */
	uint64_t at; /* in input order: sum of the counts up to here */
	bool is_done; /* in a sorted tree: the stack that ends here was visited */
};

/* The first frames of stacks, grouped by name, in the order of first appearance. */
struct fg_roots {
	uint32_t *nodes; /* grouped by name */
	size_t *ends; /* by group: the index of its end in `nodes` */
	size_t count; /* number of groups, that is, of names */
};

void fg_roots_init(struct fg_roots *r, const struct fg_tree *tree);
void fg_roots_release(struct fg_roots *r);

/* A selection of first frames. If `nodes` is NULL, it has all of them. */
struct fg_tops {
	const uint32_t *nodes;
	size_t count;
};

/* Returns the first frames of name `i`, borrowed. */
struct fg_tops fg_roots_tops(const struct fg_roots *r, size_t i);

struct fg_stacks {
	const struct fg_tree *tree;
	struct fg_tops tops;
	size_t next_top;
	struct fg_stacks_level *levels;
	size_t alloc;
	size_t count; /* levels; the first is the tree's root */
	size_t common; /* levels that have not changed since the last stack */

	/* The newest stack: */
	uint64_t counts[2]; /* the stack's own counts; at least one is not 0 */
	uint64_t start; /* in input order: sum of the counts before it */
	size_t kept; /* frames that it shares with the stack before */
};

/*
 * Starts a walk over the stacks that start with a frame of `tops`. Everything is
 * borrowed.
 */
void fg_stacks_init(struct fg_stacks *s, const struct fg_tree *tree,
		    struct fg_tops tops);
void fg_stacks_release(struct fg_stacks *s);

/* Goes to the next stack that has counts. Returns false at the end. */
bool fg_stacks_next(struct fg_stacks *s);

/*
 * Return the number of frames, and the node of a frame. Frame 0 is the first frame, a
 * child of the tree's root.
 */
static inline size_t fg_stacks_depth(const struct fg_stacks *s)
{
	return s->count - 1;
}
static inline uint32_t fg_stacks_node(const struct fg_stacks *s, size_t frame)
{
	return s->levels[frame + 1].node;
}

#endif
