/* Walks a tree from stack to stack. */
#include "reportfolded/stacks.h"

#include <stdlib.h>

void fg_roots_init(struct fg_roots *r, const struct fg_tree *t)
{
	/* indexed by id of the name: index of its group + 1 */
	uint32_t *numbers = fg_xcalloc(t->names.count, sizeof(*numbers));
	size_t count = 0;

	*r = (struct fg_roots){ 0 };
	r->ends = fg_xcalloc(t->names.count, sizeof(*r->ends));
	for (uint32_t i = t->nodes[0].first; i != FG_TREE_NONE; i = t->nodes[i].next) {
		uint32_t *number = &numbers[t->nodes[i].name];

		if (!*number)
			*number = (uint32_t)++r->count;
		r->ends[*number - 1]++;
		count++;
	}
	r->nodes = fg_xcalloc(count, sizeof(*r->nodes));
	for (size_t i = 0, start = 0; i < r->count; i++) {
		size_t nodes = r->ends[i];

		r->ends[i] = start;
		start += nodes;
	}
	for (uint32_t i = t->nodes[0].first; i != FG_TREE_NONE; i = t->nodes[i].next)
		r->nodes[r->ends[numbers[t->nodes[i].name] - 1]++] = i;
	free(numbers);
}

void fg_roots_release(struct fg_roots *r)
{
	free(r->nodes);
	free(r->ends);
	*r = (struct fg_roots){ 0 };
}

struct fg_tops fg_roots_tops(const struct fg_roots *r, size_t i)
{
	size_t start = i ? r->ends[i - 1] : 0;

	return (struct fg_tops){ r->nodes + start, r->ends[i] - start };
}

/* ---- the walk */

static void enter(struct fg_stacks *s, uint32_t node)
{
	const struct fg_tree *t = s->tree;

	FG_GROW(s->levels, s->alloc, s->count + 1);
	s->levels[s->count++] =
		(struct fg_stacks_level){ .node = node,
					  .child = t->nodes[node].first,
					  .at = t->starts ? t->starts[node] : 0 };
}

void fg_stacks_init(struct fg_stacks *s, const struct fg_tree *tree,
		    struct fg_tops tops)
{
	*s = (struct fg_stacks){ .tree = tree, .tops = tops };
	enter(s, 0);
}

void fg_stacks_release(struct fg_stacks *s)
{
	free(s->levels);
	*s = (struct fg_stacks){ 0 };
}

/*
 * Sets s->counts to the own counts that the frame of the last level has before its next
 * child or, in a sorted tree, to all its own counts. Returns false if there are none.
 */
static bool has_own(struct fg_stacks *s, struct fg_stacks_level *level)
{
	const struct fg_tree *t = s->tree;
	uint64_t to;

	if (!t->starts) {
		if (level->is_done)
			return false;
		level->is_done = true;
		fg_tree_own(t, level->node, s->counts);
		return s->counts[FG_BEFORE] || s->counts[FG_AFTER];
	}
	to = level->child == FG_TREE_NONE ?
		     t->starts[level->node] + t->nodes[level->node].total :
		     t->starts[level->child];
	s->counts[FG_BEFORE] = 0;
	s->counts[FG_AFTER] = to - level->at;
	s->start = level->at;
	level->at = to;
	return s->counts[FG_AFTER] != 0;
}

/* Goes to the next child, or back to the parent. */
static void step(struct fg_stacks *s, struct fg_stacks_level *level)
{
	const struct fg_tree *t = s->tree;
	uint32_t child = level->child;

	if (s->count == 1 && s->tops.nodes)
		child = s->next_top < s->tops.count ? s->tops.nodes[s->next_top++] :
						      FG_TREE_NONE;
	if (child == FG_TREE_NONE) {
		s->count--;
		if (s->common > s->count)
			s->common = s->count;
		return;
	}
	level->child = t->nodes[child].next;
	if (t->starts)
		level->at = t->starts[child] + t->nodes[child].total;
	enter(s, child);
}

bool fg_stacks_next(struct fg_stacks *s)
{
	while (s->count) {
		struct fg_stacks_level *level = &s->levels[s->count - 1];

		if (s->count > 1 && has_own(s, level)) {
			s->kept = s->common ? s->common - 1 : 0;
			s->common = s->count;
			return true;
		}
		step(s, level);
	}
	return false;
}
