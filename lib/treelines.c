/* A tree as the lines of folded stacks that make it. */
#include "lib/treelines.h"

#include <stdlib.h>

#include "lib/sort.h"
#include "lib/xalloc.h"

/* A frame on the way to where we are. */
struct fg_treelines_level {
	uint32_t node;
	size_t text; /* length of the stack's text with this frame */

	/* Sorted: what is left of its children's lines and subtrees. */
	size_t first_item, next_item;

	/* In the order of the input: the next child, and what was written before it. */
	uint32_t child;
	uint32_t left; /* the child before that, or FG_TREE_NONE */
	uint64_t at;
	bool written; /* some line is its own */
};

/* An item is a child and whether its line is meant or what is on it. */
enum item { LINE = 0, SUBTREE = 1 };

static uint32_t make_item(uint32_t node, enum item kind)
{
	if (node > UINT32_MAX / 2)
		fg_size_overflow(); /* a bit is needed for the kind */
	return node << 1 | (uint32_t)kind;
}

static uint64_t before(const struct fg_tree *t, uint32_t node)
{
	return t->before ? t->before[node] : 0;
}

static bool has_line(const struct fg_tree *t, uint32_t node)
{
	return t->nodes[node].self || before(t, node) ||
	       t->nodes[node].first == FG_TREE_NONE;
}

bool fg_treelines_fit(const struct fg_tree *t)
{
	uint64_t *lengths = fg_xcalloc(t->count, sizeof(*lengths));
	uint64_t sum = 0;

	for (size_t i = 1; i < t->count && sum <= FG_TREELINES_SUM_MAX; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t up = lengths[node->parent];

		lengths[i] = up + fg_intern_name(&t->names, node->name).len + 1;
		if (has_line(t, (uint32_t)i))
			sum += lengths[i];
		/* left of it, there may be a line of the parent */
		if (t->order == FG_TREE_INPUT)
			sum += up;
	}
	free(lengths);
	return sum <= FG_TREELINES_SUM_MAX;
}

/* "a b" is between "a" and "a;c": a frame's line and its subtree part. */
static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_tree *t = context;
	struct fg_str name_a = fg_intern_name(&t->names, t->nodes[a >> 1].name);
	struct fg_str name_b = fg_intern_name(&t->names, t->nodes[b >> 1].name);

	return fg_folded_compare(name_a, (a & 1) == LINE, name_b, (b & 1) == LINE);
}

static void add_item(struct fg_treelines *l, uint32_t node, enum item kind)
{
	FG_GROW(l->items, l->item_alloc, l->item_count + 1);
	l->items[l->item_count++] = make_item(node, kind);
}

/* Puts the lines and the subtrees of the children in order. */
static void sort_items(struct fg_treelines *l, struct fg_treelines_level *level)
{
	const struct fg_tree *t = l->tree;

	level->first_item = level->next_item = l->item_count;
	for (uint32_t i = t->nodes[level->node].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next) {
		if (has_line(t, i))
			add_item(l, i, LINE);
		if (t->nodes[i].first != FG_TREE_NONE)
			add_item(l, i, SUBTREE);
	}
	if (l->item_count > level->first_item)
		fg_sort(l->items + level->first_item, l->item_count - level->first_item,
			compare_items, t);
}

/* Makes the stack that of a child of the last level, or of the root. */
static void set_stack(struct fg_treelines *l, uint32_t node)
{
	if (!l->depth)
		return;
	l->stack.len = l->levels[l->depth - 1].text;
	if (l->depth > 1)
		fg_buf_add_char(&l->stack, ';');
	fg_buf_add_str(&l->stack,
		       fg_intern_name(&l->tree->names, l->tree->nodes[node].name));
}

static void enter(struct fg_treelines *l, uint32_t node)
{
	const struct fg_tree *t = l->tree;
	struct fg_treelines_level *level;

	set_stack(l, node);
	FG_GROW(l->levels, l->alloc, l->depth + 1);
	level = &l->levels[l->depth++];
	*level = (struct fg_treelines_level){ .node = node,
					      .text = l->stack.len,
					      .child = t->nodes[node].first,
					      .left = FG_TREE_NONE,
					      .at = t->starts ? t->starts[node] : 0 };
	if (t->order == FG_TREE_SORTED)
		sort_items(l, level);
}

void fg_treelines_init(struct fg_treelines *l, const struct fg_tree *tree)
{
	memset(l, 0, sizeof(*l));
	l->tree = tree;
	enter(l, 0);
}

void fg_treelines_release(struct fg_treelines *l)
{
	free(l->levels);
	free(l->items);
	fg_buf_release(&l->stack);
	memset(l, 0, sizeof(*l));
}

/* Whether another count after the stack would make it the second one. */
static bool ends_in_count(struct fg_str stack)
{
	struct fg_folded folded;
	enum fg_folded_kind kind;

	if (!stack.len ||
	    (!fg_is_digit(stack.ptr[stack.len - 1]) && stack.ptr[stack.len - 1] != '.'))
		return false;
	kind = fg_folded_parse(stack, &folded);
	return (kind == FG_FOLDED_STACK && !folded.count_first) ||
	       kind == FG_FOLDED_TOO_LARGE;
}

static void add_count(struct fg_buf *out, uint64_t count, unsigned decimals)
{
	fg_buf_add_char(out, ' ');
	fg_buf_add_sum(out, (struct fg_sum){ count, 0 }, decimals);
}

/*
 * Writes the stack as it is, or with ';' where it would not be read as one, with counts
 * that are `node`'s or a part of them.
 */
static int write_line(const struct fg_treelines *l, uint64_t count_before,
		      uint64_t count, struct fg_buf *out)
{
	const struct fg_tree *t = l->tree;

	if (l->stack.len > FG_TREELINES_MAX)
		return -1;
	fg_buf_add_str(out, fg_buf_str(&l->stack));
	if (fg_folded_is_comment(fg_buf_str(&l->stack)) ||
	    (!t->before && ends_in_count(fg_buf_str(&l->stack))))
		fg_buf_add_char(out, ';');
	if (t->before)
		add_count(out, count_before, t->decimals);
	add_count(out, count, t->decimals);
	fg_buf_add_char(out, '\n');
	return 1;
}

static int write_node(struct fg_treelines *l, uint32_t node, struct fg_buf *out)
{
	return write_line(l, before(l->tree, node), l->tree->nodes[node].self, out);
}

static int next_sorted(struct fg_treelines *l, struct fg_buf *out)
{
	struct fg_treelines_level *root = &l->levels[0];

	if (!root->written) {
		root->written = true;
		if (has_line(l->tree, 0))
			return write_node(l, 0, out);
	}
	while (l->depth) {
		struct fg_treelines_level *level = &l->levels[l->depth - 1];
		uint32_t item;

		if (level->next_item == l->item_count) {
			l->item_count = level->first_item;
			l->depth--;
			continue;
		}
		item = l->items[level->next_item++];
		if ((item & 1) == SUBTREE) {
			enter(l, item >> 1);
			continue;
		}
		set_stack(l, item >> 1);
		return write_node(l, item >> 1, out);
	}
	return 0;
}

/* A part of a frame's own counts; the first one has all the counts before. */
static int write_part(struct fg_treelines *l, struct fg_treelines_level *level,
		      uint64_t count, struct fg_buf *out)
{
	uint64_t first = level->written ? 0 : before(l->tree, level->node);

	level->written = true;
	l->stack.len = level->text;
	return write_line(l, first, count, out);
}

/* Without a line between them, neighbours with the same name would become one. */
static bool is_apart(const struct fg_tree *t, const struct fg_treelines_level *level)
{
	return level->left == FG_TREE_NONE ||
	       t->nodes[level->left].name != t->nodes[level->child].name;
}

static int next_in_order(struct fg_treelines *l, struct fg_buf *out)
{
	const struct fg_tree *t = l->tree;

	while (l->depth) {
		struct fg_treelines_level *level = &l->levels[l->depth - 1];
		const struct fg_tree_node *node = &t->nodes[level->node];
		uint32_t child = level->child;
		uint64_t at = level->at;

		if (child == FG_TREE_NONE) {
			uint64_t end = t->starts[level->node] + node->total;
			bool missing = !level->written && has_line(t, level->node);

			level->at = end;
			if (end > at || missing)
				return write_part(l, level, end - at, out);
			l->depth--;
			continue;
		}
		if (t->starts[child] > at || !is_apart(t, level)) {
			level->left = FG_TREE_NONE;
			level->at = t->starts[child];
			return write_part(l, level, level->at - at, out);
		}
		level->left = child;
		level->child = t->nodes[child].next;
		level->at = t->starts[child] + t->nodes[child].total;
		enter(l, child);
	}
	return 0;
}

int fg_treelines_next(struct fg_treelines *l, struct fg_buf *out)
{
	if (!l->depth)
		return 0;
	return l->tree->order == FG_TREE_SORTED ? next_sorted(l, out) :
						  next_in_order(l, out);
}
