/*
 * A tree of stacks: stacks with the same frames at their roots share nodes.
 *
 *     struct fg_tree t;
 *
 *     fg_tree_init(&t, FG_TREE_SORTED);
 *     fg_tree_add(&t, &folded);              for each line
 *     fg_tree_finish(&t);
 *     for (node = 0, depth = 0; node != FG_TREE_NONE;
 *          node = fg_tree_walk(&t, node, true, &depth))
 *             t.nodes[node].total, t.nodes[node].self
 *     fg_tree_release(&t);
 *
 * Node 0 is the root, which stands for the whole profile. A parent has a lower index
 * than its children. Frames merge as they arrive, so only distinct stacks take memory,
 * and sorted input costs no look-ups. Counts are whole numbers of units of
 * 10^-t.decimals.
 */
#ifndef FG_LIB_PROFILE_TREE_H
#define FG_LIB_PROFILE_TREE_H

#include "lib/base/count.h"
#include "lib/base/intern.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

enum fg_tree_order {
	FG_TREE_SORTED, /* siblings in the order of their names; equal ones merge */
	FG_TREE_INPUT, /* siblings in the order of the input; only neighbours merge */
};

/* Stands for no node: the end of a list of siblings. */
#define FG_TREE_NONE UINT32_MAX

struct fg_tree_node {
	uint32_t name; /* id in tree->names */
	uint32_t parent;
	union {
		uint64_t total; /* inclusive count; set by fg_tree_finish() */
		struct {
			uint32_t last; /* the child that was found or added last */
			uint32_t unsorted; /* 1 if children came out of order */
		} built;
	};
	uint64_t self; /* own count, without the counts of children */
	uint32_t first; /* leftmost child, or FG_TREE_NONE */
	uint32_t next; /* sibling to the right, or FG_TREE_NONE */
};

struct fg_tree {
	struct fg_intern names;
	struct fg_tree_node *nodes;
	size_t count;
	size_t alloc;
	enum fg_tree_order order;
	bool keep_leaf; /* keep the empty leaf of "a;"; else it is dropped */

	/*
	 * With FG_TREE_INPUT, the counts to the left of each frame, by node. Otherwise
	 * it is NULL, because starts follow from the counts: see fg_tree_start().
	 */
	uint64_t *starts;
	size_t starts_alloc;

	unsigned decimals; /* all counts are in units of 10^-decimals */
	/* total of the profile; with two columns, that of the counts after */
	uint64_t total;

	/*
	 * For differential input, self counts before, by node; else NULL. The delta of
	 * a node is self - before.
	 */
	uint64_t *before;
	size_t before_alloc;
	uint64_t before_total; /* total of the profile before */

	/*
	 * Self counts after, by node, if the nodes' `self` has been replaced by widths
	 * to draw; else NULL.
	 */
	uint64_t *after;
	uint64_t after_total; /* total of the profile after */

	uint64_t max_delta; /* largest |after - before| of any line */

	struct fg_tree_builder *builder; /* NULL after fg_tree_finish() */
};

void fg_tree_init(struct fg_tree *t, enum fg_tree_order order);
void fg_tree_release(struct fg_tree *t);

/*
 * Adds a folded line. Its last count is added to the leaf's self count. Names are made
 * visible (visible.h). Drops empty frames at the end of the stack, unless t->keep_leaf.
 * Returns 0, or -1 if a sum would exceed 2^64-1: report that with the line's place, and
 * do not use the tree any more.
 */
int fg_tree_add(struct fg_tree *t, const struct fg_folded *line);

/*
 * Adds a node to the right of the parent's other children and returns it, for callers
 * that read a whole tree. The caller sets the node's self count, t->starts with
 * FG_TREE_INPUT, and t->total. Do not mix it with fg_tree_add().
 */
uint32_t fg_tree_append(struct fg_tree *t, uint32_t parent, uint32_t name);

/* Returns the node for the leaf of a folded stack. Adds the frames that are missing. */
uint32_t fg_tree_leaf(struct fg_tree *t, struct fg_str stack);

/*
 * Returns the child with this name, which must not have a ';' in it. Adds it if it is
 * missing. Use it for stacks that come frame by frame, and then fg_tree_count().
 */
uint32_t fg_tree_child(struct fg_tree *t, uint32_t parent, struct fg_str name);

/*
 * Adds to a node's own counts: before and after or, with one column, only after.
 * Returns 0, or -1 if a sum would exceed 2^64-1.
 */
int fg_tree_count(struct fg_tree *t, uint32_t node, unsigned columns,
		  const uint64_t counts[2]);

/* Sorts siblings and sums up totals. Add nothing afterwards. */
void fg_tree_finish(struct fg_tree *t);

/*
 * Sums up own counts, such as t->before, of a finished tree. Returns the inclusive
 * counts, which the caller frees. Both arrays are indexed by node.
 */
uint64_t *fg_tree_sums(const struct fg_tree *t, const uint64_t *own);

/* Like fg_tree_sums(), for the counts before of a differential tree. */
static inline uint64_t *fg_tree_sums_before(const struct fg_tree *t)
{
	return fg_tree_sums(t, t->before);
}

/* Sums up totals. Before that, set each node's total to its own count. */
void fg_tree_sum_up(struct fg_tree *t);

/* Indices of the two columns; a single column is FG_AFTER. */
enum { FG_BEFORE, FG_AFTER };

/* Sets counts[2] to a node's own counts. */
static inline void fg_tree_own(const struct fg_tree *t, uint32_t node, uint64_t *counts)
{
	counts[FG_BEFORE] = t->before ? t->before[node] : 0;
	counts[FG_AFTER] = t->after ? t->after[node] : t->nodes[node].self;
}

/* Returns a count as a number: n / 10^decimals. */
static inline double fg_tree_number(const struct fg_tree *t, uint64_t n)
{
	return t->decimals ? (double)n / (double)fg_pow10(t->decimals) : (double)n;
}

/*
 * Walks a finished tree depth first, siblings from left to right. Start with node 0 and
 * depth 0. If `descend` is false, skips the children of `node`. Returns the next node,
 * or FG_TREE_NONE, and keeps *depth up to date.
 */
static inline uint32_t fg_tree_walk(const struct fg_tree *t, uint32_t node,
				    bool descend, unsigned *depth)
{
	if (descend && t->nodes[node].first != FG_TREE_NONE) {
		++*depth;
		return t->nodes[node].first;
	}
	while (node && t->nodes[node].next == FG_TREE_NONE) {
		node = t->nodes[node].parent;
		--*depth;
	}
	return node ? t->nodes[node].next : FG_TREE_NONE;
}

/* The starts of frames during a walk. A zeroed struct is ready. */
struct fg_tree_starts {
	uint64_t *at; /* indexed by depth: the start of the next frame */
	size_t alloc;
};

/*
 * Returns the counts to the left of `node`, which fg_tree_walk() has reached at
 * `depth`. A frame's own counts are to the left of its children, which follow each
 * other without gaps. Call it for every node that the walk reaches, from the root on.
 * Free s->at at the end.
 */
static inline uint64_t fg_tree_start(struct fg_tree_starts *s, const struct fg_tree *t,
				     uint32_t node, unsigned depth)
{
	uint64_t start;

	if (t->starts)
		return t->starts[node];
	FG_GROW(s->at, s->alloc, (size_t)depth + 2);
	start = node ? s->at[depth] : 0;
	s->at[depth] = start + t->nodes[node].total;
	s->at[depth + 1] = start + t->nodes[node].self;
	return start;
}

#endif
