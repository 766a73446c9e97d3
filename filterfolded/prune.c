/* Removes small counts from a tree by building a new tree from its stacks. */
#include "filterfolded/prune.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/filter.h"
#include "lib/base/sort.h"
#include "lib/profile/tree.h"

/* The new tree, and the text of the current stack of the old one. */
struct pruning {
	const struct fg_tree *from;
	struct fg_tree to;
	struct fg_buf text;
	size_t *ends; /* the end of each frame in the text */
	size_t ends_alloc;
	bool cut; /* the first frame was removed */
};

static void start(struct pruning *p, const struct fg_tree *from)
{
	memset(p, 0, sizeof(*p));
	p->from = from;
	fg_tree_init(&p->to, FG_TREE_SORTED);
	p->to.keep_leaf = from->keep_leaf;
}

/* Puts the new tree in place of the old one. */
static void finish(struct pruning *p, struct fg_tree *t)
{
	fg_tree_finish(&p->to);
	fg_tree_release(t);
	*t = p->to;
	fg_buf_release(&p->text);
	free(p->ends);
}

/*
 * Sets the text to the stack of a node at `depth`. The text of its parent must have
 * been set before.
 */
static void set_text(struct pruning *p, uint32_t node, unsigned depth)
{
	const struct fg_tree *t = p->from;

	if (!depth)
		return;
	FG_GROW(p->ends, p->ends_alloc, depth);
	p->text.len = depth > 1 ? p->ends[depth - 2] : 0;
	if (depth > 1)
		fg_buf_add_char(&p->text, ';');
	fg_buf_add_str(&p->text, fg_intern_name(&t->names, t->nodes[node].name));
	p->ends[depth - 1] = p->text.len;
}

/* Adds a stack. No sum exceeds that of the old tree, so this cannot fail. */
static void add(struct pruning *p, struct fg_str stack, uint64_t before, uint64_t after)
{
	const struct fg_tree *t = p->from;
	struct fg_folded line = { .stack = stack, .columns = t->before ? 2 : 1 };

	line.count[0] = (struct fg_count){ before, t->decimals };
	line.count[line.columns - 1] = (struct fg_count){ after, t->decimals };
	if (before || after)
		fg_tree_add(&p->to, &line);
}

static struct fg_str parent_text(const struct pruning *p, unsigned depth)
{
	if (depth < 2)
		return FG_STR(FG_FILTER_OTHER);
	return fg_str_before(fg_buf_str(&p->text), p->ends[depth - 2]);
}

void fg_prune_percent(struct fg_tree *t, double percent)
{
	uint64_t *before = t->before ? fg_tree_sums_before(t) : NULL;
	double least = (double)t->total * percent / 100;
	double least_before = before ? (double)before[0] * percent / 100 : 0;
	struct pruning p;
	unsigned depth = 0;
	bool keep = true;

	start(&p, t);
	for (uint32_t i = 0; i != FG_TREE_NONE; i = fg_tree_walk(t, i, keep, &depth)) {
		uint64_t total_before = before ? before[i] : 0;

		keep = !depth || (double)t->nodes[i].total >= least ||
		       (before && (double)total_before >= least_before);
		set_text(&p, i, depth);
		if (keep)
			add(&p, fg_buf_str(&p.text), before ? t->before[i] : 0,
			    t->nodes[i].self);
		else
			add(&p, parent_text(&p, depth), total_before,
			    t->nodes[i].total);
	}
	free(before);
	finish(&p, t);
}

/* ---- the highest counts */

struct ranking {
	const struct fg_tree *tree;
	uint32_t *nodes; /* in the order of their lines */
};

static uint64_t weight(const struct fg_tree *t, uint32_t node)
{
	uint64_t before = t->before ? t->before[node] : 0;

	return before > t->nodes[node].self ? before : t->nodes[node].self;
}

static int compare_weights(const void *context, uint32_t a, uint32_t b)
{
	const struct ranking *r = context;
	uint64_t one = weight(r->tree, r->nodes[a]);
	uint64_t other = weight(r->tree, r->nodes[b]);

	return (one < other) - (one > other);
}

/*
 * Returns an array that has true for the `count` nodes with the highest own counts. The
 * caller frees it.
 */
static bool *find_top(const struct fg_tree *t, uint64_t count)
{
	bool *top = fg_xcalloc(t->count, sizeof(*top));
	uint32_t *order = fg_xcalloc(t->count, sizeof(*order));
	struct ranking r = { t, fg_xcalloc(t->count, sizeof(*r.nodes)) };
	unsigned depth = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i != FG_TREE_NONE; i = fg_tree_walk(t, i, true, &depth))
		if (weight(t, i)) {
			order[n] = n;
			r.nodes[n++] = i;
		}
	fg_sort(order, n, compare_weights, &r);
	for (uint32_t i = 0; i < n && i < count; i++)
		top[r.nodes[order[i]]] = true;
	free(order);
	free(r.nodes);
	return top;
}

void fg_prune_top(struct fg_tree *t, uint64_t count)
{
	bool *top = find_top(t, count);
	struct pruning p;
	unsigned depth = 0;

	start(&p, t);
	for (uint32_t i = 0; i != FG_TREE_NONE; i = fg_tree_walk(t, i, true, &depth)) {
		set_text(&p, i, depth);
		add(&p, top[i] ? fg_buf_str(&p.text) : FG_STR(FG_FILTER_OTHER),
		    t->before ? t->before[i] : 0, t->nodes[i].self);
	}
	free(top);
	finish(&p, t);
}

/* ---- other first frames */

/*
 * Sets the text to the new name of a first frame. Returns false if its stacks are to be
 * dropped.
 */
static bool start_text(struct pruning *p, uint32_t node, fg_prune_first_frame *rename,
		       void *data)
{
	const struct fg_tree *t = p->from;
	struct fg_str name = fg_intern_name(&t->names, t->nodes[node].name);

	FG_GROW(p->ends, p->ends_alloc, 1);
	fg_buf_clear(&p->text);
	if (!rename(data, name, &p->text))
		return false;
	p->ends[0] = p->text.len;
	p->cut = name.len && !p->text.len;
	return true;
}

void fg_prune_first_frames(struct fg_tree *t, fg_prune_first_frame *rename, void *data)
{
	struct pruning p;
	unsigned depth = 0;
	bool keep = true;

	start(&p, t);
	for (uint32_t i = 0; i != FG_TREE_NONE; i = fg_tree_walk(t, i, keep, &depth)) {
		struct fg_str stack;

		if (depth == 1)
			keep = start_text(&p, i, rename, data);
		else
			set_text(&p, i, depth);
		if (!keep)
			continue;
		stack = fg_buf_str(&p.text);
		if (depth > 1 && p.cut)
			fg_str_cut_start(&stack, FG_STR(";"));
		add(&p, stack, t->before ? t->before[i] : 0, t->nodes[i].self);
	}
	finish(&p, t);
}
