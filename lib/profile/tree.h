/*
 * Stacks merged frame by frame into a tree, laid out in counts.
 *
 * Node 0 is the root, which spans everything; a parent's index is always lower
 * than its children's. Frames are merged as they arrive, so memory is what is
 * distinct, and input that is already sorted costs no look-up.
 */
#ifndef FG_LIB_PROFILE_TREE_H
#define FG_LIB_PROFILE_TREE_H

#include "lib/base/count.h"
#include "lib/base/intern.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

enum fg_tree_order {
	FG_TREE_SORTED, /* siblings by name, as bytes; all equal ones merge */
	FG_TREE_INPUT, /* as they came, left to right; only neighbours merge */
};

/* No node: the end of a list of siblings. */
#define FG_TREE_NONE UINT32_MAX

struct fg_tree_node {
	uint32_t name; /* id in tree->names */
	uint32_t parent;
	union {
		uint64_t total; /* inclusive; not before fg_tree_finish */
		struct {
			uint32_t last; /* child found or added last */
			uint32_t unsorted; /* children came out of order */
		} built;
	};
	uint64_t self; /* total less that of the children */
	uint32_t first; /* leftmost child, or FG_TREE_NONE */
	uint32_t next; /* sibling to the right, or FG_TREE_NONE */
};

struct fg_tree {
	struct fg_intern names;
	struct fg_tree_node *nodes;
	size_t count;
	size_t alloc;
	enum fg_tree_order order;
	bool keep_leaf; /* a leaf may be empty: "a;" has one; else it is dropped */

	/*
	 * With FG_TREE_INPUT the counts to the left of each frame, by node; else NULL:
	 * a frame's own counts are left of its children, which are side by side, and
	 * fg_tree_start says where.
	 */
	uint64_t *starts;
	size_t starts_alloc;

	unsigned decimals; /* all counts are in units of 10^-decimals */
	uint64_t total; /* of the whole profile, that is of the second column */

	/*
	 * Of differential input the self count before, by node; else NULL. The delta
	 * of a node is self - before.
	 */
	uint64_t *before;
	size_t before_alloc;
	uint64_t before_total; /* of the whole profile */

	/* Self counts after, by node, if widths are not those counts; else NULL. */
	uint64_t *after;
	uint64_t after_total; /* of the whole profile */

	uint64_t max_delta; /* largest |after - before| of any line */

	struct fg_tree_builder *builder; /* until fg_tree_finish */
};

void fg_tree_init(struct fg_tree *t, enum fg_tree_order order);
void fg_tree_release(struct fg_tree *t);

/*
 * Adds a line: its last column is the width. Names are made visible
 * (lib/base/visible.h). Empty frames at the leaf end are dropped, unless keep_leaf.
 * Returns 0, or -1 where a sum would exceed 2^64-1 (report it with the line's place;
 * the tree is then of no use).
 */
int fg_tree_add(struct fg_tree *t, const struct fg_folded *line);

/*
 * For callers that know the tree already: adds a node, right of the parent's other
 * children, and returns it. The caller sets the node's self count, with FG_TREE_INPUT
 * its t->starts, and t->total. Not to be mixed with fg_tree_add.
 */
uint32_t fg_tree_append(struct fg_tree *t, uint32_t parent, uint32_t name);

/* The node of a folded stack's leaf; adds the frames that are missing. */
uint32_t fg_tree_leaf(struct fg_tree *t, struct fg_str stack);

/*
 * The child with this name, which must have no ';'; adds it if it is missing. For
 * stacks that come frame by frame; count them with fg_tree_count().
 */
uint32_t fg_tree_child(struct fg_tree *t, uint32_t parent, struct fg_str name);

/*
 * Adds to a node's own counts, in units of 10^-t->decimals: before and after or, with
 * one column, only after. Returns 0, or -1 if a sum would exceed 2^64-1.
 */
int fg_tree_count(struct fg_tree *t, uint32_t node, unsigned columns,
		  const uint64_t counts[2]);

/* Sorts siblings and sums totals. Nothing may be added after. */
void fg_tree_finish(struct fg_tree *t);

/*
 * Sums own counts, an array by node like t->before, to inclusive counts of a finished
 * tree. The caller frees the result.
 */
uint64_t *fg_tree_sums(const struct fg_tree *t, const uint64_t *own);

/* The inclusive counts before of a differential tree. */
static inline uint64_t *fg_tree_sums_before(const struct fg_tree *t)
{
	return fg_tree_sums(t, t->before);
}

/* Sums up totals; until then, each node's total must be its own count. */
void fg_tree_sum_up(struct fg_tree *t);

/* Indices of the two columns; a single column is FG_AFTER. */
enum { FG_BEFORE, FG_AFTER };

/* A node's own counts, into counts[2]. */
static inline void fg_tree_own(const struct fg_tree *t, uint32_t node, uint64_t *counts)
{
	counts[FG_BEFORE] = t->before ? t->before[node] : 0;
	counts[FG_AFTER] = t->after ? t->after[node] : t->nodes[node].self;
}

/* A count as a number: n / 10^decimals. */
static inline double fg_tree_number(const struct fg_tree *t, uint64_t n)
{
	return t->decimals ? (double)n / (double)fg_pow10(t->decimals) : (double)n;
}

/*
 * Walks the finished tree depth first, siblings left to right. Start with node 0
 * at depth 0; `descend` false leaves out the children. Returns the next node, or
 * FG_TREE_NONE, and keeps *depth up to date.
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

/* Where frames start, kept up to date while a finished tree is walked. */
struct fg_tree_starts {
	uint64_t *at; /* by depth: where the next frame starts */
	size_t alloc;
};

/*
 * The counts to the left of `node`, which fg_tree_walk has reached at `depth`. Call it
 * for every node that the walk reaches, from the root on. Free s->at at the end.
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
