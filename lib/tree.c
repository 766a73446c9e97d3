/* Folded stacks merged frame by frame into a tree. */
#include "lib/tree.h"

#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/sort.h"
#include "lib/xalloc.h"

#define FIRST_SLOTS 4096

/* A frame of the line that was added last. */
struct step {
	uint32_t node;
	size_t end; /* where the frame ends in the line's text */
};

struct fg_tree_builder {
	struct fg_buf line; /* the stack that was added last */
	struct step *path;
	size_t depth;
	size_t path_alloc;
	uint64_t before_total;

	/* node by parent and name, of the children that came out of order */
	uint32_t *slots;
	size_t slots_alloc;
	size_t slots_used;
};

static uint32_t add_node(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	struct fg_tree_node *node;

	if (t->count >= FG_TREE_NONE)
		fg_size_add(SIZE_MAX, t->count); /* indices are 32 bits wide */
	FG_GROW(t->nodes, t->alloc, t->count + 1);
	node = &t->nodes[t->count];
	memset(node, 0, sizeof(*node));
	node->name = name;
	node->parent = parent;
	node->first = node->next = node->last = FG_TREE_NONE;
	return (uint32_t)t->count++;
}

void fg_tree_init(struct fg_tree *t, enum fg_tree_order order)
{
	memset(t, 0, sizeof(*t));
	t->order = order;
	fg_intern_init(&t->names);
	t->builder = fg_xcalloc(1, sizeof(*t->builder));
	add_node(t, FG_TREE_NONE, fg_intern(&t->names, FG_STR("")));
}

static void free_builder(struct fg_tree *t)
{
	if (!t->builder)
		return;
	fg_buf_release(&t->builder->line);
	free(t->builder->path);
	free(t->builder->slots);
	free(t->builder);
	t->builder = NULL;
}

void fg_tree_release(struct fg_tree *t)
{
	free_builder(t);
	fg_intern_release(&t->names);
	free(t->nodes);
	free(t->before);
	memset(t, 0, sizeof(*t));
}

static size_t slot_of(const struct fg_tree *t, uint32_t parent, uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name;

	return (size_t)fg_hash_mix(key ^ FG_HASH_K0, FG_HASH_K1) &
	       (t->builder->slots_alloc - 1);
}

/* The slot that holds the child, or the free one where it belongs. */
static uint32_t *find_slot(const struct fg_tree *t, uint32_t parent, uint32_t name)
{
	size_t mask = t->builder->slots_alloc - 1;
	size_t at = slot_of(t, parent, name);

	for (;; at = (at + 1) & mask) {
		uint32_t node = t->builder->slots[at]; /* 0, the root, is no child */

		if (!node ||
		    (t->nodes[node].parent == parent && t->nodes[node].name == name))
			return &t->builder->slots[at];
	}
}

static void grow_slots(struct fg_tree *t)
{
	struct fg_tree_builder *b = t->builder;
	uint32_t *old = b->slots;
	size_t old_alloc = b->slots_alloc;

	b->slots_alloc = old_alloc ? fg_size_mul(old_alloc, 2) : FIRST_SLOTS;
	b->slots = fg_xcalloc(b->slots_alloc, sizeof(*b->slots));
	for (size_t i = 0; i < old_alloc; i++) {
		const struct fg_tree_node *node = &t->nodes[old[i]];

		if (old[i])
			*find_slot(t, node->parent, node->name) = old[i];
	}
	free(old);
}

static void add_slot(struct fg_tree *t, uint32_t child)
{
	if ((t->builder->slots_used + 1) * 2 > t->builder->slots_alloc)
		grow_slots(t);
	*find_slot(t, t->nodes[child].parent, t->nodes[child].name) = child;
	t->builder->slots_used++;
}

static uint32_t append_child(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t child = add_node(t, parent, name);
	uint32_t left = t->nodes[parent].last;

	if (left == FG_TREE_NONE)
		t->nodes[parent].first = child;
	else
		t->nodes[left].next = child;
	t->nodes[parent].last = child;
	t->nodes[child].start = t->total;
	if (t->nodes[parent].unsorted)
		add_slot(t, child);
	return child;
}

/* From now on the children of `parent` are looked up. */
static void add_slots_of(struct fg_tree *t, uint32_t parent)
{
	t->nodes[parent].unsorted = 1;
	for (uint32_t child = t->nodes[parent].first; child != FG_TREE_NONE;
	     child = t->nodes[child].next)
		add_slot(t, child);
}

/* The child of that name; the rightmost one is looked at first. */
static uint32_t child_named(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	const struct fg_tree_node *p = &t->nodes[parent];
	uint32_t found;

	if (t->order == FG_TREE_INPUT || p->last == FG_TREE_NONE)
		return append_child(t, parent, name);
	if (t->nodes[p->last].name == name)
		return p->last;
	if (!p->unsorted) {
		if (fg_str_cmp(fg_intern_name(&t->names, t->nodes[p->last].name),
			       fg_intern_name(&t->names, name)) < 0)
			return append_child(t, parent, name);
		add_slots_of(t, parent);
	}
	found = *find_slot(t, parent, name);
	return found ? found : append_child(t, parent, name);
}

static size_t common_prefix(struct fg_str a, struct fg_str b)
{
	size_t max = a.len < b.len ? a.len : b.len;
	size_t i = 0;

	while (i + 8 <= max && !memcmp(a.ptr + i, b.ptr + i, 8))
		i += 8;
	while (i < max && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

/* Shortens the path to the frames that `stack` shares with the last line. */
static void keep_common(struct fg_tree_builder *b, struct fg_str stack)
{
	size_t common = common_prefix(fg_buf_str(&b->line), stack);

	while (b->depth && b->path[b->depth - 1].end > common)
		b->depth--;
	if (b->depth && b->path[b->depth - 1].end == common && stack.len > common &&
	    stack.ptr[common] != ';')
		b->depth--;
	if (!stack.len)
		b->depth = 0;
}

/* The node of a stack's leaf; what is missing of its path is added. */
static uint32_t find_leaf(struct fg_tree *t, struct fg_str stack)
{
	struct fg_tree_builder *b = t->builder;
	size_t start, end;
	uint32_t node;

	keep_common(b, stack);
	node = b->depth ? b->path[b->depth - 1].node : 0;
	start = b->depth ? b->path[b->depth - 1].end + 1 : 0;
	for (; start < stack.len; start = end + 1) {
		struct fg_str frame = fg_str_from_pos(stack, start);

		frame.len = fg_str_find_char(frame, ';');
		end = start + frame.len;
		node = child_named(t, node, fg_intern(&t->names, frame));
		FG_GROW(b->path, b->path_alloc, b->depth + 1);
		b->path[b->depth].node = node;
		b->path[b->depth++].end = end;
	}
	fg_buf_clear(&b->line);
	fg_buf_add_str(&b->line, stack);
	return node;
}

/* A parent comes before its children, so one pass backwards sums them up. */
static void sum_totals(struct fg_tree *t)
{
	for (size_t i = t->count; i-- > 0;) {
		struct fg_tree_node *node = &t->nodes[i];

		node->total += node->self;
		if (i)
			t->nodes[node->parent].total += node->total;
	}
}

/* A frame's own counts lie left of its children. */
static void set_starts(struct fg_tree *t)
{
	for (size_t i = 0; i < t->count; i++) {
		uint64_t at = t->nodes[i].start + t->nodes[i].self;

		for (uint32_t child = t->nodes[i].first; child != FG_TREE_NONE;
		     child = t->nodes[child].next) {
			t->nodes[child].start = at;
			at += t->nodes[child].total;
		}
	}
}

/* Sets totals, and starts unless they are known, from what the nodes have now. */
static void lay_out(struct fg_tree *t)
{
	sum_totals(t);
	if (t->order == FG_TREE_SORTED)
		set_starts(t);
}

static uint64_t rescaled(uint64_t n, unsigned from, unsigned to)
{
	struct fg_count count = { n, from };

	fg_count_scale(count, to, &n);
	return n;
}

/*
 * Makes all counts be in units of 10^-decimals; they fit. What is rounded is where
 * frames start and end, so that the widths still add up to their sum.
 */
static void set_decimals(struct fg_tree *t, unsigned decimals)
{
	unsigned from = t->decimals;

	t->decimals = decimals;
	t->max_delta = rescaled(t->max_delta, from, decimals);
	t->total = rescaled(t->total, from, decimals);
	t->builder->before_total = rescaled(t->builder->before_total, from, decimals);
	lay_out(t);
	for (size_t i = 0; i < t->count; i++) {
		struct fg_tree_node *node = &t->nodes[i];
		uint64_t end = rescaled(node->start + node->total, from, decimals);

		node->start = rescaled(node->start, from, decimals);
		node->self = end - node->start;
		node->total = 0;
		if (i < t->before_alloc)
			t->before[i] = rescaled(t->before[i], from, decimals);
	}
	for (size_t i = 1; i < t->count; i++)
		t->nodes[t->nodes[i].parent].self -= t->nodes[i].self;
}

/* Whether the totals stay below 2^64 with `line` added, `decimals` being used. */
static bool fits(const struct fg_tree *t, const struct fg_folded *line,
		 unsigned decimals)
{
	struct fg_count totals[2] = { { t->builder->before_total, t->decimals },
				      { t->total, t->decimals } };
	struct fg_count adds[2] = { { 0, 0 }, line->count[line->columns - 1] };

	if (line->columns == 2)
		adds[0] = line->count[0];
	for (unsigned column = 0; column < 2; column++) {
		uint64_t add, total;

		if (fg_count_scale(adds[column], decimals, &add) ||
		    fg_count_scale(totals[column], decimals, &total) ||
		    total > UINT64_MAX - add)
			return false;
	}
	return true;
}

/*
 * Chooses how many decimals are kept: as many as any count has, as long as the
 * totals fit; whole counts are never rounded.
 */
static int make_fit(struct fg_tree *t, const struct fg_folded *line)
{
	unsigned decimals = t->decimals;

	for (unsigned column = 0; column < line->columns; column++)
		if (line->count[column].decimals > decimals)
			decimals = line->count[column].decimals;
	while (!fits(t, line, decimals))
		if (!decimals--)
			return -1;
	if (decimals != t->decimals)
		set_decimals(t, decimals);
	return 0;
}

/* Makes `before` reach to every node. */
static void grow_before(struct fg_tree *t)
{
	size_t had = t->before_alloc;

	FG_GROW(t->before, t->before_alloc, t->count);
	memset(t->before + had, 0, (t->before_alloc - had) * sizeof(*t->before));
}

static void add_delta(struct fg_tree *t, uint32_t leaf, uint64_t before, uint64_t after)
{
	uint64_t delta = after > before ? after - before : before - after;

	grow_before(t);
	t->before[leaf] += before;
	t->builder->before_total += before;
	if (delta > t->max_delta)
		t->max_delta = delta;
}

int fg_tree_add(struct fg_tree *t, const struct fg_folded *line)
{
	struct fg_str stack = line->stack;
	uint64_t width, before;
	uint32_t leaf;

	while (stack.len && stack.ptr[stack.len - 1] == ';')
		stack.len--;
	if (make_fit(t, line))
		return -1;
	fg_count_scale(line->count[line->columns - 1], t->decimals, &width);
	leaf = find_leaf(t, stack);
	if (line->columns == 2) {
		fg_count_scale(line->count[0], t->decimals, &before);
		add_delta(t, leaf, before, width);
	}
	t->nodes[leaf].self += width;
	t->total += width;
	return 0;
}

static int compare_nodes(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_tree *t = context;

	return fg_str_cmp(fg_intern_name(&t->names, t->nodes[a].name),
			  fg_intern_name(&t->names, t->nodes[b].name));
}

struct siblings {
	uint32_t *nodes;
	size_t count;
	size_t alloc;
};

static void sort_children(struct fg_tree *t, uint32_t parent, struct siblings *s)
{
	uint32_t next = FG_TREE_NONE;

	s->count = 0;
	for (uint32_t i = t->nodes[parent].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next) {
		FG_GROW(s->nodes, s->alloc, s->count + 1);
		s->nodes[s->count++] = i;
	}
	fg_sort(s->nodes, s->count, compare_nodes, t);
	for (size_t i = s->count; i-- > 0;) {
		t->nodes[s->nodes[i]].next = next;
		next = s->nodes[i];
	}
	t->nodes[parent].first = next;
}

void fg_tree_finish(struct fg_tree *t)
{
	struct siblings siblings = { NULL, 0, 0 };

	free_builder(t);
	if (t->before)
		grow_before(t);
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].unsorted)
			sort_children(t, (uint32_t)i, &siblings);
	free(siblings.nodes);
	lay_out(t);
}

double fg_tree_number(const struct fg_tree *t, uint64_t n)
{
	return t->decimals ? (double)n / (double)fg_pow10(t->decimals) : (double)n;
}

uint32_t fg_tree_walk(const struct fg_tree *t, uint32_t node, bool descend,
		      unsigned *depth)
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
