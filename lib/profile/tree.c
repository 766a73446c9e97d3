/*
 * Merges folded stacks frame by frame into a tree. As long as lines come sorted, each
 * frame is found by comparing the line with the one before; other frames are looked up
 * by hash.
 */
#include "lib/profile/tree.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/slots.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

#define FIRST_SLOTS 4096

/*
 * We keep at most this many bytes of the last line to compare the next one with. Frames
 * beyond them are looked up.
 */
#define LINE_KEPT ((size_t)64 << 10)

/* A frame of the line that was added last. */
struct step {
	uint32_t node;
	size_t end; /* offset of the frame's end in the stack's text */
};

struct fg_tree_builder {
	struct fg_buf line; /* the stack that was added last */
	struct step *path;
	size_t depth;
	size_t path_alloc;

	/*
	 * Finds nodes by parent and name, if the children came out of order. An item
	 * is the node, which is never 0.
	 */
	struct fg_slots slots;
	size_t slots_used;
	uint64_t seed; /* for the hashes of the slots */
};

static inline uint32_t add_node(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	struct fg_tree_node *node;

	if (t->count >= FG_TREE_NONE)
		fg_size_overflow(); /* indices are 32 bits wide */
	FG_GROW(t->nodes, t->alloc, t->count + 1);
	node = &t->nodes[t->count];
	memset(node, 0, sizeof(*node));
	node->name = name;
	node->parent = parent;
	node->first = node->next = node->built.last = FG_TREE_NONE;
	if (t->order == FG_TREE_INPUT) {
		FG_GROW(t->starts, t->starts_alloc, t->count + 1);
		t->starts[t->count] = t->total;
	}
	return (uint32_t)t->count++;
}

void fg_tree_init(struct fg_tree *t, enum fg_tree_order order)
{
	memset(t, 0, sizeof(*t));
	t->order = order;
	fg_intern_init_visible(&t->names);
	t->builder = fg_xcalloc(1, sizeof(*t->builder));
	t->builder->seed = fg_hash_seed();
	add_node(t, FG_TREE_NONE, fg_intern(&t->names, FG_STR("")));
}

static void free_builder(struct fg_tree *t)
{
	if (!t->builder)
		return;
	fg_buf_release(&t->builder->line);
	free(t->builder->path);
	fg_slots_release(&t->builder->slots);
	free(t->builder);
	t->builder = NULL;
}

void fg_tree_release(struct fg_tree *t)
{
	free_builder(t);
	fg_intern_release(&t->names);
	free(t->nodes);
	free(t->starts);
	free(t->before);
	free(t->after);
	memset(t, 0, sizeof(*t));
}

/* ---- children by name, if they came out of order */

/*
 * Returns the hash of a parent and a name. The parent is mixed into the seed. If it
 * were mixed in later, an input could have names that cancel it.
 */
static uint32_t key_of(const struct fg_tree_builder *b, uint32_t parent,
		       struct fg_str name)
{
	uint64_t seed = fg_hash_mix(b->seed ^ parent, FG_HASH_K0);

	return (uint32_t)fg_hash_bytes(name.ptr, name.len, seed);
}

static struct fg_str name_of(const struct fg_tree *t, uint32_t node)
{
	return fg_intern_name(&t->names, t->nodes[node].name);
}

/* Returns the child of that name, or FG_TREE_NONE. `parent` has slots already. */
static uint32_t find_in_slots(const struct fg_tree *t, uint32_t parent,
			      struct fg_str name)
{
	const struct fg_tree_builder *b = t->builder;
	uint32_t key = key_of(b, parent, name);
	const struct fg_slots *slots = &b->slots;

	for (size_t i = key & slots->mask; slots->at[i].item;
	     i = (i + 1) & slots->mask) {
		uint32_t node = slots->at[i].item;

		if (slots->at[i].tag == key && t->nodes[node].parent == parent &&
		    fg_str_eq(name_of(t, node), name))
			return node;
	}
	return FG_TREE_NONE;
}

static void add_slot(struct fg_tree *t, uint32_t child)
{
	struct fg_tree_builder *b = t->builder;
	uint32_t key = key_of(b, t->nodes[child].parent, name_of(t, child));

	if ((b->slots_used + 1) * 4 > b->slots.count * 3)
		fg_slots_grow(&b->slots, FIRST_SLOTS);
	fg_slots_put(&b->slots, key, child);
	b->slots_used++;
}

/* Puts all children of `parent` into slots. From now on they are looked up there. */
static void add_slots_of(struct fg_tree *t, uint32_t parent)
{
	t->nodes[parent].built.unsorted = 1;
	for (uint32_t child = t->nodes[parent].first; child != FG_TREE_NONE;
	     child = t->nodes[child].next)
		add_slot(t, child);
}

/* ---- from a stack to a node */

uint32_t fg_tree_append(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t child = add_node(t, parent, name);
	struct fg_tree_node *p = &t->nodes[parent];

	if (p->built.last == FG_TREE_NONE)
		p->first = child;
	else
		t->nodes[p->built.last].next = child;
	p->built.last = child;
	return child;
}

/*
 * Adds a child to the left of the others. Unsorted siblings are sorted at the end
 * anyway.
 */
static uint32_t prepend_child(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t child = add_node(t, parent, name);
	struct fg_tree_node *p = &t->nodes[parent];

	t->nodes[child].next = p->first;
	p->first = child;
	p->built.last = child;
	add_slot(t, child);
	return child;
}

static struct fg_str first_frame(struct fg_str stack)
{
	return fg_str_before(stack, fg_str_find_char(stack, ';'));
}

/*
 * Returns the child for the first frame of `stack`, or FG_TREE_NONE. While children
 * come in order, only the last child can match; later it often does, too.
 */
static uint32_t find_among(struct fg_tree *t, uint32_t parent, uint32_t last,
			   struct fg_str stack)
{
	uint32_t found;

	if (fg_str_starts_part(stack, name_of(t, last), ';'))
		return last;
	if (!t->nodes[parent].built.unsorted) {
		if (fg_str_cmp(name_of(t, last), first_frame(stack)) < 0)
			return FG_TREE_NONE;
		add_slots_of(t, parent);
	}
	found = find_in_slots(t, parent, first_frame(stack));
	if (found != FG_TREE_NONE)
		t->nodes[parent].built.last = found;
	return found;
}

/* Like find_among(), but also for a parent without children, which most are. */
static inline uint32_t find_child(struct fg_tree *t, uint32_t parent,
				  struct fg_str stack)
{
	uint32_t last = t->nodes[parent].built.last;

	return t->order == FG_TREE_INPUT || last == FG_TREE_NONE ?
		       FG_TREE_NONE :
		       find_among(t, parent, last, stack);
}

static inline uint32_t add_child(struct fg_tree *t, uint32_t parent, uint32_t name)
{
	return t->nodes[parent].built.unsorted ? prepend_child(t, parent, name) :
						 fg_tree_append(t, parent, name);
}

/*
 * Returns the child for a name that find_child() did not find. Adds a child, unless the
 * name has control characters and, with these made visible, is the name of an existing
 * child.
 */
static inline uint32_t child_of_new_name(struct fg_tree *t, uint32_t parent,
					 struct fg_str name)
{
	uint32_t id = fg_intern(&t->names, name), child = FG_TREE_NONE;
	struct fg_str shown = fg_intern_name(&t->names, id);

	if (__builtin_expect(shown.len != name.len, 0))
		child = find_child(t, parent, shown);
	return child == FG_TREE_NONE ? add_child(t, parent, id) : child;
}

/*
 * Shortens the path to the frames that `stack`, the next line, shares with the last
 * line.
 */
static void keep_common(struct fg_tree_builder *b, struct fg_str stack,
			enum fg_tree_order order)
{
	size_t common = fg_str_common(fg_buf_str(&b->line), stack);

	while (b->depth && b->path[b->depth - 1].end > common)
		b->depth--;
	if (b->depth && b->path[b->depth - 1].end == common && stack.len > common &&
	    stack.ptr[common] != ';')
		b->depth--;
	if (!stack.len)
		b->depth = 0;
	b->line.len = common;
	if (order == FG_TREE_SORTED) /* frames beyond LINE_KEPT are looked up */
		stack = fg_str_before(stack, LINE_KEPT);
	fg_buf_add_str(&b->line, fg_str_from_pos(stack, common));
}

uint32_t fg_tree_leaf(struct fg_tree *t, struct fg_str stack)
{
	struct fg_tree_builder *b = t->builder;
	uint32_t node;
	size_t start, end;

	keep_common(b, stack, t->order);
	node = b->depth ? b->path[b->depth - 1].node : 0;
	start = b->depth ? b->path[b->depth - 1].end + 1 : 0;
	/* an empty leaf, like in "a;", starts at the end of the stack */
	for (; start < stack.len || (start && start == stack.len); start = end + 1) {
		struct fg_str rest = fg_str_from_pos(stack, start);
		uint32_t child = find_child(t, node, rest);

		if (child != FG_TREE_NONE) {
			node = child;
			end = start + name_of(t, node).len;
		} else {
			struct fg_str frame = first_frame(rest);

			node = child_of_new_name(t, node, frame);
			end = start + frame.len;
		}
		if (t->order == FG_TREE_SORTED && end > LINE_KEPT)
			/* the next line is not compared with frames beyond LINE_KEPT */
			continue;
		FG_GROW(b->path, b->path_alloc, b->depth + 1);
		b->path[b->depth].node = node;
		b->path[b->depth++].end = end;
	}
	return node;
}

/* ---- adding a line */

/* Grows t->before so that it has an element for every node. New elements are 0. */
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
	t->before_total += before;
	if (delta > t->max_delta)
		t->max_delta = delta;
}

uint32_t fg_tree_child(struct fg_tree *t, uint32_t parent, struct fg_str name)
{
	uint32_t child = find_child(t, parent, name);

	return child == FG_TREE_NONE ? child_of_new_name(t, parent, name) : child;
}

int fg_tree_count(struct fg_tree *t, uint32_t node, unsigned columns,
		  const uint64_t counts[2])
{
	if (t->total > UINT64_MAX - counts[1])
		return -1;
	if (columns == 2) {
		if (t->before_total > UINT64_MAX - counts[0])
			return -1;
		add_delta(t, node, counts[0], counts[1]);
	}
	t->nodes[node].self += counts[1];
	t->total += counts[1];
	return 0;
}

/* ---- finishing: the order of siblings, and totals */

/* A node, and the eight bytes in which its name most likely differs from others. */
struct sibling {
	uint64_t start; /* the bytes after the common start of all names, as a number */
	uint32_t node;
};

struct siblings {
	const struct fg_tree *tree;
	struct sibling *items;
	size_t items_alloc;
	uint32_t *order;
	size_t order_alloc;
	size_t count;
};

static int compare_siblings(const void *context, uint32_t a, uint32_t b)
{
	const struct siblings *s = context;
	const struct sibling *one = &s->items[a], *other = &s->items[b];

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return fg_str_cmp(name_of(s->tree, one->node), name_of(s->tree, other->node));
}

static void add_sibling(struct siblings *s, uint32_t node)
{
	FG_GROW(s->items, s->items_alloc, s->count + 1);
	FG_GROW(s->order, s->order_alloc, s->count + 1);
	s->items[s->count].node = node;
	s->order[s->count] = (uint32_t)s->count;
	s->count++;
}

/* Gathers the children, with the bytes after the common start of their names. */
static void gather_children(struct siblings *s, uint32_t parent)
{
	const struct fg_tree *t = s->tree;
	struct fg_str common = name_of(t, t->nodes[parent].first);

	s->count = 0;
	for (uint32_t i = t->nodes[parent].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next) {
		add_sibling(s, i);
		common.len = fg_str_common(common, name_of(t, i));
	}
	for (size_t i = 0; i < s->count; i++)
		s->items[i].start =
			fg_str_number_at(name_of(t, s->items[i].node), common.len);
}

static void sort_children(struct fg_tree *t, uint32_t parent, struct siblings *s)
{
	uint32_t next = FG_TREE_NONE;

	gather_children(s, parent);
	fg_sort(s->order, s->count, compare_siblings, s);
	for (size_t i = s->count; i-- > 0;) {
		uint32_t node = s->items[s->order[i]].node;

		t->nodes[node].next = next;
		next = node;
	}
	t->nodes[parent].first = next;
}

/* Goes backwards: parents come before their children, so one pass is enough. */
void fg_tree_sum_up(struct fg_tree *t)
{
	for (size_t i = t->count; i-- > 1;)
		t->nodes[t->nodes[i].parent].total += t->nodes[i].total;
}

void fg_tree_finish(struct fg_tree *t)
{
	struct siblings siblings = { .tree = t };

	free_builder(t);
	fg_intern_trim(&t->names);
	if (t->before)
		grow_before(t);
	for (size_t i = 0; i < t->count; i++) {
		if (t->nodes[i].built.unsorted)
			sort_children(t, (uint32_t)i, &siblings);
		t->nodes[i].total = t->nodes[i].self;
	}
	free(siblings.items);
	free(siblings.order);
	fg_tree_sum_up(t);
}

uint64_t *fg_tree_sums(const struct fg_tree *t, const uint64_t *own)
{
	uint64_t *sums = fg_xcalloc(t->count, sizeof(*sums));

	memcpy(sums, own, t->count * sizeof(*sums));
	for (size_t i = t->count; i-- > 1;)
		sums[t->nodes[i].parent] += sums[i];
	return sums;
}

/*
 * ---- adding folded lines
 *
 * All counts have as many decimals as any of them needs, as long as the totals fit into
 * 64 bits.
 */

/*
 * Returns the starts of the frames of a tree whose totals have been computed. The
 * caller frees the array.
 */
static uint64_t *make_starts(const struct fg_tree *t)
{
	uint64_t *starts = fg_xcalloc(t->count, sizeof(*starts));

	for (size_t i = 0; i < t->count; i++) {
		uint64_t at = starts[i] + t->nodes[i].self;

		for (uint32_t child = t->nodes[i].first; child != FG_TREE_NONE;
		     child = t->nodes[child].next) {
			starts[child] = at;
			at += t->nodes[child].total;
		}
	}
	return starts;
}

static uint64_t rescaled(uint64_t n, unsigned from, unsigned to)
{
	struct fg_count count = { n, from };

	fg_count_scale(count, to, &n);
	return n;
}

/*
 * Rounds all counts. To do so, rounds where frames start and end, so that their widths
 * still add up.
 */
static void round_nodes(struct fg_tree *t, unsigned from)
{
	size_t bytes = fg_size_mul(t->count, sizeof(*t->nodes));
	struct fg_tree_node *built = fg_xmalloc(bytes);
	uint64_t *starts;

	memcpy(built, t->nodes, bytes);
	for (size_t i = 0; i < t->count; i++)
		t->nodes[i].total = t->nodes[i].self;
	fg_tree_sum_up(t);
	starts = t->starts ? t->starts : make_starts(t);
	for (size_t i = 0; i < t->count; i++) {
		struct fg_tree_node *node = &t->nodes[i];
		uint64_t end = rescaled(starts[i] + node->total, from, t->decimals);

		starts[i] = rescaled(starts[i], from, t->decimals);
		node->self = end - starts[i];
		node->built = built[i].built;
	}
	for (size_t i = 1; i < t->count; i++)
		t->nodes[t->nodes[i].parent].self -= t->nodes[i].self;
	if (starts != t->starts)
		free(starts);
	free(built);
}

/* Rescales all counts to units of 10^-decimals; the caller knows that they fit. */
static void set_decimals(struct fg_tree *t, unsigned decimals)
{
	unsigned from = t->decimals;

	t->decimals = decimals;
	t->max_delta = rescaled(t->max_delta, from, decimals);
	t->total = rescaled(t->total, from, decimals);
	t->before_total = rescaled(t->before_total, from, decimals);
	for (size_t i = 0; i < t->before_alloc && i < t->count; i++)
		t->before[i] = rescaled(t->before[i], from, decimals);
	if (decimals < from) {
		round_nodes(t, from);
		return;
	}
	for (size_t i = 0; i < t->count; i++) {
		t->nodes[i].self = rescaled(t->nodes[i].self, from, decimals);
		if (t->starts)
			t->starts[i] = rescaled(t->starts[i], from, decimals);
	}
}

/*
 * Returns true if the totals, with `line` added, fit into 64 bits with `decimals`
 * decimals.
 */
static bool fits(const struct fg_tree *t, const struct fg_folded *line,
		 unsigned decimals)
{
	struct fg_count totals[2] = { { t->before_total, t->decimals },
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
 * Chooses the decimals for a tree that gets the counts of `line`, and rescales the tree
 * to them: as many as any count has, but fewer if the totals would not fit. Whole
 * counts are never rounded. Returns 0, or -1 if the totals would exceed 2^64-1.
 */
static int fit(struct fg_tree *t, const struct fg_folded *line)
{
	unsigned decimals = t->decimals;

	for (unsigned column = 0; column < line->columns; column++)
		if (line->count[column].decimals > decimals)
			decimals = line->count[column].decimals;
	if (!decimals) /* whole counts stay as they are; fg_tree_count() adds them */
		return 0;
	while (!fits(t, line, decimals))
		if (!decimals--)
			return -1;
	if (decimals != t->decimals)
		set_decimals(t, decimals);
	return 0;
}

int fg_tree_add(struct fg_tree *t, const struct fg_folded *line)
{
	struct fg_str stack = line->stack;
	uint64_t counts[2] = { 0, 0 };

	while (!t->keep_leaf && fg_str_cut_end(&stack, FG_STR(";")))
		;
	if (fit(t, line))
		return -1;
	for (unsigned i = 0; i < line->columns; i++)
		fg_count_scale(line->count[i], t->decimals,
			       &counts[2 - line->columns + i]);
	return fg_tree_count(t, fg_tree_leaf(t, stack), line->columns, counts);
}
