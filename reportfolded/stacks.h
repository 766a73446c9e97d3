/*
 * The stacks of a finished tree, one after the other, as the nodes of their frames.
 *
 * In a tree that is sorted each stack comes once; in one in the order of the input,
 * each run of equal ones, in that order. A stack shares its first frames with the one
 * before, and how many is known, so that nobody has to write them again.
 */
#ifndef FG_REPORTFOLDED_STACKS_H
#define FG_REPORTFOLDED_STACKS_H

#include "lib/profile/tree.h"

struct fg_stacks_level {
	uint32_t node;
	uint32_t child; /* the next one, or FG_TREE_NONE */
	uint64_t at; /* order of the input: what was counted up to here */
	bool told; /* sorted: its own stack has come */
};

/* First frames by name, in the order in which the names come. */
struct fg_roots {
	uint32_t *nodes; /* those of a name are side by side */
	size_t *ends; /* by name: where its nodes end */
	size_t count; /* of names */
};

void fg_roots_init(struct fg_roots *r, const struct fg_tree *tree);
void fg_roots_release(struct fg_roots *r);

/* Nodes of some first frames; `nodes` is NULL for all there are. */
struct fg_tops {
	const uint32_t *nodes;
	size_t count;
};

/* Those of the name `i`, borrowed. */
struct fg_tops fg_roots_tops(const struct fg_roots *r, size_t i);

struct fg_stacks {
	const struct fg_tree *tree;
	struct fg_tops tops;
	size_t next_top;
	struct fg_stacks_level *levels;
	size_t alloc;
	size_t count; /* of levels, the first of which is the tree's root */
	size_t common; /* levels that have not changed since the last stack */

	/* of the stack that came last */
	uint64_t counts[2]; /* its own; one of them is not 0 */
	uint64_t start; /* order of the input: what was counted before it */
	size_t kept; /* frames it has in common with the one before */
};

/* The stacks of `tree` that are on the frames of `tops`; all is borrowed. */
void fg_stacks_init(struct fg_stacks *s, const struct fg_tree *tree,
		    struct fg_tops tops);
void fg_stacks_release(struct fg_stacks *s);

/* Goes to the next stack whose counts are not all 0: false at the end. */
bool fg_stacks_next(struct fg_stacks *s);

/* How many frames it has, and the node of each, the root's first. */
static inline size_t fg_stacks_depth(const struct fg_stacks *s)
{
	return s->count - 1;
}
static inline uint32_t fg_stacks_node(const struct fg_stacks *s, size_t frame)
{
	return s->levels[frame + 1].node;
}

#endif
