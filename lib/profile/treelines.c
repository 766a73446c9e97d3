/* Writes a tree as the lines of folded stacks that would make it again. */
#include "lib/profile/treelines.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* A frame on the path to the current node. */
struct fg_treelines_level {
	uint32_t node;
	size_t text; /* length of the stack's text with this frame */

	/*
	 * FG_TREE_SORTED: the children's items start at `first_item` in `items`; the
	 * next one to write is `next_item`.
	 */
	size_t first_item, next_item;

	/* FG_TREE_INPUT: */
	uint32_t child; /* the next child */
	uint32_t left; /* the child before `child`, or FG_TREE_NONE */
	uint64_t at; /* position up to which counts have been written */
	bool written; /* the frame has had a line of its own */
};

/*
 * An item is a child and a kind: it stands for the child's own line, for that line with
 * a ';' at its end, or for the lines of the child's own children. We store the kind so
 * that it need not be found each time that items are compared.
 */
enum item { LINE = 0, CLOSED_LINE = 1, SUBTREE = 2 };

#define KIND_BITS 2

static uint32_t make_item(uint32_t node, enum item kind)
{
	if (node > UINT32_MAX >> KIND_BITS)
		fg_size_overflow();
	return node << KIND_BITS | (uint32_t)kind;
}

static uint32_t node_of(uint32_t item)
{
	return item >> KIND_BITS;
}

static enum item kind_of(uint32_t item)
{
	return (enum item)(item & ((1U << KIND_BITS) - 1));
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

static uint64_t length_of(const struct fg_tree *t, uint32_t node)
{
	return fg_intern_name(&t->names, t->nodes[node].name).len + 1;
}

bool fg_treelines_fit(const struct fg_tree *t)
{
	uint64_t sum = 0, length = 0; /* length of the stack with a ';' at its end */
	uint32_t node = 0;

	while (sum <= FG_TREELINES_SUM_MAX) {
		if (t->nodes[node].first != FG_TREE_NONE) {
			node = t->nodes[node].first;
		} else {
			while (node && t->nodes[node].next == FG_TREE_NONE) {
				length -= length_of(t, node);
				node = t->nodes[node].parent;
			}
			if (!node)
				break;
			length -= length_of(t, node);
			node = t->nodes[node].next;
		}
		/* the parent may have a line to the left of it */
		if (t->order == FG_TREE_INPUT)
			sum += length;
		length += length_of(t, node);
		if (has_line(t, node))
			sum += length;
	}
	return sum <= FG_TREELINES_SUM_MAX;
}

/* Returns true if a leaf is written with a ';' after it. */
static bool needs_semicolon(const struct fg_tree *t, uint32_t node)
{
	struct fg_str name = fg_intern_name(&t->names, t->nodes[node].name);
	bool is_only = node && !t->nodes[node].parent;

	if (t->before) /* a line with two counts cannot be misread */
		return is_only && fg_folded_is_comment(name);
	return fg_folded_needs_semicolon(name, is_only);
}

/*
 * Returns the child that shares a line with `node`, or FG_TREE_NONE. If `node` needs a
 * semicolon, "Thread 7;", its line looks like that of a child with an empty name. We
 * write the line once, with the sum of both counts.
 */
static uint32_t twin(const struct fg_tree *t, uint32_t node)
{
	uint32_t child = t->nodes[node].first; /* an empty name is sorted first */

	if (child == FG_TREE_NONE || t->order != FG_TREE_SORTED ||
	    fg_intern_name(&t->names, t->nodes[child].name).len || !has_line(t, node) ||
	    !has_line(t, child) || !needs_semicolon(t, node))
		return FG_TREE_NONE;
	return child;
}

/* Compares items: "a b" comes between the line "a" and the subtree "a;c". */
static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_tree *t = context;
	struct fg_str name_a = fg_intern_name(&t->names, t->nodes[node_of(a)].name);
	struct fg_str name_b = fg_intern_name(&t->names, t->nodes[node_of(b)].name);
	int order = fg_folded_compare(name_a, kind_of(a) == LINE, name_b,
				      kind_of(b) == LINE);

	return order ? order : (int)kind_of(a) - (int)kind_of(b);
}

static void add_item(struct fg_treelines *l, uint32_t node, enum item kind)
{
	FG_GROW(l->items, l->item_alloc, l->item_count + 1);
	l->items[l->item_count++] = make_item(node, kind);
}

/* Adds items for the lines and subtrees of the children, and sorts them. */
static void sort_items(struct fg_treelines *l, struct fg_treelines_level *level)
{
	const struct fg_tree *t = l->tree;
	uint32_t other = twin(t, level->node);

	level->first_item = level->next_item = l->item_count;
	for (uint32_t i = t->nodes[level->node].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next) {
		if (has_line(t, i) && i != other)
			add_item(l, i, needs_semicolon(t, i) ? CLOSED_LINE : LINE);
		if (t->nodes[i].first != FG_TREE_NONE)
			add_item(l, i, SUBTREE);
	}
	if (l->item_count > level->first_item)
		fg_sort(l->items + level->first_item, l->item_count - level->first_item,
			compare_items, t);
}

/* Sets the text of the stack for `node`, a child of the last level's node. */
static void set_stack(struct fg_treelines *l, uint32_t node)
{
	const struct fg_treelines_level *last = &l->levels[l->depth - 1];

	l->stack.len = last->text;
	if (last->node)
		fg_buf_add_char(&l->stack, ';');
	fg_buf_add_str(&l->stack,
		       fg_intern_name(&l->tree->names, l->tree->nodes[node].name));
}

/* Goes down to the children of a node, whose stack has been set. */
static void enter(struct fg_treelines *l, uint32_t node)
{
	const struct fg_tree *t = l->tree;
	struct fg_treelines_level *level;

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

static void leave(struct fg_treelines *l)
{
	l->item_count = l->levels[--l->depth].first_item;
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

static void add_count(struct fg_buf *out, uint64_t count, unsigned decimals)
{
	fg_buf_add_char(out, ' ');
	fg_buf_add_sum(out, (struct fg_sum){ count, 0 }, decimals);
}

/* Writes the line of `node`, whose stack is set, with these counts. */
static int write_line(const struct fg_treelines *l, uint32_t node,
		      const uint64_t counts[2], struct fg_buf *out)
{
	const struct fg_tree *t = l->tree;

	if (l->stack.len > FG_TREELINES_MAX)
		return -1;
	fg_buf_add_str(out, fg_buf_str(&l->stack));
	if (needs_semicolon(t, node))
		fg_buf_add_char(out, ';');
	if (t->before)
		add_count(out, counts[FG_BEFORE], t->decimals);
	add_count(out, counts[FG_AFTER], t->decimals);
	fg_buf_add_char(out, '\n');
	return 1;
}

static int write_node(struct fg_treelines *l, uint32_t node, struct fg_buf *out)
{
	const struct fg_tree *t = l->tree;
	uint64_t counts[2] = { before(t, node), t->nodes[node].self };
	uint32_t other = twin(t, node);

	l->node = node;
	if (other != FG_TREE_NONE) {
		counts[FG_BEFORE] += before(t, other);
		counts[FG_AFTER] += t->nodes[other].self;
	}
	return write_line(l, node, counts, out);
}

static int next_sorted(struct fg_treelines *l, struct fg_buf *out)
{
	struct fg_treelines_level *first = &l->levels[0];

	if (!first->node && !first->written) {
		first->written = true;
		if (has_line(l->tree, 0))
			return write_node(l, 0, out);
	}
	while (l->depth) {
		struct fg_treelines_level *level = &l->levels[l->depth - 1];
		uint32_t item;

		if (level->next_item == l->item_count) {
			leave(l);
			continue;
		}
		item = l->items[level->next_item++];
		set_stack(l, node_of(item));
		if (kind_of(item) != SUBTREE)
			return write_node(l, node_of(item), out);
		/* a chain of frames needs only one level */
		if (level->next_item == l->item_count)
			leave(l);
		enter(l, node_of(item));
	}
	return 0;
}

/*
 * Writes a part of a frame's own counts. The first part has the frame's whole count
 * before.
 */
static int write_part(struct fg_treelines *l, struct fg_treelines_level *level,
		      uint64_t count, struct fg_buf *out)
{
	uint64_t first = level->written ? 0 : before(l->tree, level->node);

	level->written = true;
	l->stack.len = level->text;
	return write_line(l, level->node, (const uint64_t[]){ first, count }, out);
}

/*
 * Returns true if the next child and its left neighbour have different names. If they
 * have the same name, a line of their parent between them has to keep them apart.
 */
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
		set_stack(l, child);
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
