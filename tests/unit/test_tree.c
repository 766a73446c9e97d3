/*
 * Tests of lib/profile/tree against an oracle that searches all lines for every frame.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support/starts.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

#define LINES_MAX 120
#define UNITS 1000 /* counts of the oracle are in thousandths */

/* A profile: the text of its lines, and the stack in each. */
struct profile {
	struct fg_buf text[LINES_MAX];
	struct fg_str stack[LINES_MAX]; /* without empty frames at the leaf end */
	struct fg_folded folded[LINES_MAX];
	size_t count;
	unsigned columns;
};

static uint64_t units(struct fg_count n)
{
	return n.digits * fg_pow10(3 - n.decimals);
}

/* Return the width of a line, and its count before. */
static uint64_t width_of(const struct profile *p, size_t line)
{
	return units(p->folded[line].count[p->columns - 1]);
}

static uint64_t before_of(const struct profile *p, size_t line)
{
	return p->columns == 2 ? units(p->folded[line].count[0]) : 0;
}

static void make_line(struct random *random, struct profile *p, unsigned decimals)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("a"),	    FG_STR_INIT("a-b"),
		FG_STR_INIT("ab"),	    { NULL, 0 },
		FG_STR_INIT("b"),	    FG_STR_INIT("a\xff"),
		FG_STR_INIT("longer name"),
	};
	struct fg_buf *text = &p->text[p->count];
	struct fg_folded *folded = &p->folded[p->count];
	struct fg_str *stack = &p->stack[p->count];
	size_t depth = random_below(random, 6);

	for (size_t i = 0; i < depth; i++) {
		if (i)
			fg_buf_add_char(text, ';');
		fg_buf_add_str(text, names[random_below(random, COUNT_OF(names))]);
	}
	folded->stack = *stack = fg_buf_str(text);
	while (stack->len && stack->ptr[stack->len - 1] == ';')
		stack->len--;
	folded->columns = p->columns;
	for (unsigned column = 0; column < p->columns; column++) {
		folded->count[column].digits = random_below(random, 50);
		folded->count[column].decimals =
			(unsigned)random_below(random, decimals + 1);
	}
	p->count++;
}

static struct profile *profile_new(struct random *random, unsigned columns,
				   unsigned decimals)
{
	struct profile *p = calloc(1, sizeof(*p));
	size_t count = random_below(random, LINES_MAX);

	assert_non_null(p);
	p->columns = columns;
	while (p->count < count)
		make_line(random, p, decimals);
	return p;
}

static void profile_free(struct profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_buf_release(&p->text[i]);
	free(p);
}

static void build(struct fg_tree *t, const struct profile *p, enum fg_tree_order order)
{
	fg_tree_init(t, order);
	for (size_t i = 0; i < p->count; i++)
		assert_int_equal(fg_tree_add(t, &p->folded[i]), 0);
	fg_tree_finish(t);
}

/* The oracle's thousandths in the tree's units. */
static uint64_t in_tree(const struct fg_tree *t, uint64_t n)
{
	return n / fg_pow10(3 - t->decimals);
}

/* Returns true if `path`, which has `depth` frames, is the start of `stack`, or all. */
static bool goes_through(struct fg_str stack, struct fg_str path, size_t depth)
{
	return !depth || fg_str_eq(stack, path) ||
	       (fg_str_starts(stack, path) && stack.ptr[path.len] == ';');
}

/*
 * Finds the path of a node as text, by its parents, and returns its depth. A path that
 * ends in an empty frame goes on in some line, so the text is unambiguous.
 */
static unsigned path_of(const struct fg_tree *t, uint32_t node, struct fg_buf *path)
{
	struct fg_buf above = FG_BUF_INIT;
	unsigned depth = 0;

	for (; node; node = t->nodes[node].parent) {
		struct fg_str name = fg_intern_name(&t->names, t->nodes[node].name);

		fg_buf_clear(&above);
		fg_buf_add_str(&above, name);
		if (depth++) {
			fg_buf_add_char(&above, ';');
			fg_buf_add_str(&above, fg_buf_str(path));
		}
		fg_buf_clear(path);
		fg_buf_add_str(path, fg_buf_str(&above));
	}
	fg_buf_release(&above);
	return depth;
}

/* Checks that children fill their parent after its own counts, in order, each once. */
static void check_children(const struct fg_tree *t, uint32_t node)
{
	const struct fg_tree_node *parent = &t->nodes[node];
	uint64_t *starts = all_starts(t);
	uint64_t at = starts[node] + parent->self;
	uint32_t left = FG_TREE_NONE;

	for (uint32_t i = parent->first; i != FG_TREE_NONE; i = t->nodes[i].next) {
		assert_true(i > node);
		assert_int_equal(t->nodes[i].parent, node);
		assert_int_equal(starts[i], at);
		at += t->nodes[i].total;
		if (left != FG_TREE_NONE)
			assert_true(fg_str_cmp(fg_intern_name(&t->names,
							      t->nodes[left].name),
					       fg_intern_name(&t->names,
							      t->nodes[i].name)) < 0);
		left = i;
	}
	assert_int_equal(at, starts[node] + parent->total);
	free(starts);
}

static void check_sorted_node(const struct fg_tree *t, const struct profile *p,
			      uint32_t node, unsigned depth)
{
	uint64_t total = 0, self = 0, before = 0;
	struct fg_buf path = FG_BUF_INIT;
	struct fg_str text;

	assert_int_equal(path_of(t, node, &path), depth);
	text = fg_buf_str(&path);
	for (size_t i = 0; i < p->count; i++) {
		bool here = fg_str_eq(p->stack[i], text) && (depth || !text.len);

		if (!p->stack[i].len && depth)
			continue;
		total += goes_through(p->stack[i], text, depth) ? width_of(p, i) : 0;
		self += here ? width_of(p, i) : 0;
		before += here ? before_of(p, i) : 0;
	}
	assert_int_equal(t->nodes[node].total, in_tree(t, total));
	assert_int_equal(t->nodes[node].self, in_tree(t, self));
	if (t->before)
		assert_int_equal(t->before[node], in_tree(t, before));
	check_children(t, node);
	fg_buf_release(&path);
}

/* Checks the totals of the whole tree. */
static void check_whole(const struct fg_tree *t, const struct profile *p)
{
	uint64_t total = 0, max_delta = 0;
	unsigned decimals = 0;

	for (size_t i = 0; i < p->count; i++) {
		uint64_t after = width_of(p, i), before = before_of(p, i);
		uint64_t delta = after > before ? after - before : before - after;

		total += after;
		if (p->columns == 2 && delta > max_delta)
			max_delta = delta;
		for (unsigned column = 0; column < p->columns; column++)
			if (p->folded[i].count[column].decimals > decimals)
				decimals = p->folded[i].count[column].decimals;
	}
	assert_int_equal(t->decimals, decimals);
	assert_int_equal(t->total, in_tree(t, total));
	assert_int_equal(t->max_delta, in_tree(t, max_delta));
	assert_int_equal(t->before != NULL, p->columns == 2 && p->count);
	assert_int_equal(t->nodes[0].total, t->total);
	assert_true(fabs(fg_tree_number(t, t->total) - (double)total / UNITS) < 1e-9);
}

static void check_sorted(const struct profile *p)
{
	struct fg_tree t;
	unsigned depth = 0;
	size_t seen = 0;

	build(&t, p, FG_TREE_SORTED);
	check_whole(&t, p);
	for (uint32_t node = 0; node != FG_TREE_NONE;
	     node = fg_tree_walk(&t, node, true, &depth)) {
		check_sorted_node(&t, p, node, depth);
		seen++;
	}
	assert_int_equal(depth, 0);
	assert_int_equal(seen, t.count);
	fg_tree_release(&t);
}

static void test_sorted(void **state)
{
	struct random random = { 61 };

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		struct profile *p = profile_new(&random, 1 + i % 2, i % 4);

		check_sorted(p);
		profile_free(p);
	}
}

static int compare_lines(const void *a, const void *b)
{
	return fg_str_cmp(((const struct fg_folded *)a)->stack,
			  ((const struct fg_folded *)b)->stack);
}

/* Sorted lines take another path through the code, but give the same tree. */
static void test_sorted_input(void **state)
{
	struct random random = { 67 };

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		struct profile *p = profile_new(&random, 2, 3);

		qsort(p->folded, p->count, sizeof(*p->folded), compare_lines);
		for (size_t line = 0; line < p->count; line++) {
			p->stack[line] = p->folded[line].stack;
			while (fg_str_ends(p->stack[line], FG_STR(";")))
				p->stack[line].len--;
		}
		check_sorted(p);
		profile_free(p);
	}
}

/* Returns the end of frame `depth` in a line's text, or SIZE_MAX if it has fewer. */
static size_t frame_end(struct fg_str stack, size_t depth)
{
	size_t at = 0;

	if (!stack.len)
		return SIZE_MAX;
	for (;; at++) {
		at += fg_str_find_char(fg_str_from_pos(stack, at), ';');
		if (!depth--)
			return at;
		if (at >= stack.len)
			return SIZE_MAX;
	}
}

/* Returns true if two lines have the same frames up to `depth`. */
static bool same_frames(struct fg_str a, struct fg_str b, size_t depth)
{
	size_t end_a = frame_end(a, depth), end_b = frame_end(b, depth);

	return end_a != SIZE_MAX && end_b != SIZE_MAX &&
	       fg_str_eq(fg_str_before(a, end_a), fg_str_before(b, end_b));
}

static bool run_starts(const struct profile *p, size_t line, size_t depth)
{
	return frame_end(p->stack[line], depth) != SIZE_MAX &&
	       (!line || !same_frames(p->stack[line - 1], p->stack[line], depth));
}

/* A frame of a chart goes on while the next line has it too. */
static void check_run(const struct fg_tree *t, uint32_t node, const struct profile *p,
		      size_t line, size_t depth)
{
	size_t end = frame_end(p->stack[line], depth);
	size_t start = depth ? frame_end(p->stack[line], depth - 1) + 1 : 0;
	uint64_t total = width_of(p, line);

	for (size_t i = line + 1;
	     i < p->count && same_frames(p->stack[i - 1], p->stack[i], depth); i++)
		total += width_of(p, i);
	assert_str_is(fg_intern_name(&t->names, t->nodes[node].name),
		      fg_str_of(p->stack[line].ptr + start, end - start));
	assert_int_equal(t->nodes[node].total, in_tree(t, total));
}

static void check_chart(const struct profile *p)
{
	unsigned depth = 0;
	uint32_t node = 0;
	uint64_t left = 0;
	struct fg_tree t;

	build(&t, p, FG_TREE_INPUT);
	check_whole(&t, p);
	for (size_t line = 0; line < p->count; line++) {
		for (unsigned frame = 0; frame_end(p->stack[line], frame) != SIZE_MAX;
		     frame++) {
			if (!run_starts(p, line, frame))
				continue;
			node = fg_tree_walk(&t, node, true, &depth);
			assert_true(node != FG_TREE_NONE);
			assert_int_equal(depth, frame + 1);
			assert_int_equal(t.starts[node], in_tree(&t, left));
			check_run(&t, node, p, line, frame);
		}
		left += width_of(p, line);
	}
	assert_int_equal(fg_tree_walk(&t, node, true, &depth), FG_TREE_NONE);
	fg_tree_release(&t);
}

static void test_chart(void **state)
{
	struct random random = { 71 };

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		struct profile *p = profile_new(&random, 1 + i % 2, i % 4);

		check_chart(p);
		profile_free(p);
	}
}

/* a has b and c, and b has d; the children of some are left out. */
static void test_walking(void **state)
{
	static const struct {
		const char *pruned; /* names of frames whose children are left out */
		struct fg_str want; /* names with their depths */
	} rows[] = {
		{ "", FG_STR_INIT("0 a1 b2 d3 c2 e1 ") },
		{ "b", FG_STR_INIT("0 a1 b2 c2 e1 ") },
		{ "a", FG_STR_INIT("0 a1 e1 ") },
		{ "e", FG_STR_INIT("0 a1 b2 d3 c2 e1 ") },
		{ NULL, FG_STR_INIT("0 ") },
	};
	struct fg_tree t;

	(void)state;
	fg_tree_init(&t, FG_TREE_SORTED);
	tree_add(&t, "e 1");
	tree_add(&t, "a;c 1");
	tree_add(&t, "a;b;d 1");
	fg_tree_finish(&t);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf seen = FG_BUF_INIT;
		unsigned depth = 0;
		uint32_t node = 0;

		while (node != FG_TREE_NONE) {
			struct fg_str name =
				fg_intern_name(&t.names, t.nodes[node].name);
			bool pruned =
				node ? rows[i].pruned &&
						fg_str_eq(name,
							  fg_str_from(rows[i].pruned)) :
				       !rows[i].pruned;

			fg_buf_add_str(&seen, name);
			fg_buf_addf(&seen, "%u ", depth);
			node = fg_tree_walk(&t, node, !pruned, &depth);
		}
		assert_int_equal(depth, 0);
		assert_str_is(fg_buf_str(&seen), rows[i].want);
		fg_buf_release(&seen);
	}
	fg_tree_release(&t);
}

static void test_no_lines(void **state)
{
	struct fg_tree t;
	unsigned depth = 0;

	(void)state;
	fg_tree_init(&t, FG_TREE_SORTED);
	fg_tree_release(&t);
	fg_tree_release(&t);
	fg_tree_init(&t, FG_TREE_INPUT);
	fg_tree_finish(&t);
	assert_int_equal(t.count, 1);
	assert_int_equal(t.total, 0);
	assert_null(t.before);
	assert_int_equal(fg_tree_walk(&t, 0, true, &depth), FG_TREE_NONE);
	fg_tree_release(&t);
}

/* A stack of a hundred thousand frames needs no deep recursion. */
static void test_a_deep_stack(void **state)
{
	struct fg_buf line = FG_BUF_INIT;
	struct fg_tree t;
	unsigned depth = 0, deepest = 0;

	(void)state;
	for (int i = 0; i < 100000; i++)
		fg_buf_add_str(&line, i ? FG_STR(";f") : FG_STR("f"));
	fg_buf_add_str(&line, FG_STR(" 3"));
	fg_tree_init(&t, FG_TREE_SORTED);
	tree_add(&t, fg_buf_cstr(&line));
	tree_add(&t, fg_buf_cstr(&line));
	fg_tree_finish(&t);
	assert_int_equal(t.count, 100001);
	assert_int_equal(t.names.count, 2);
	for (uint32_t node = 0; node != FG_TREE_NONE;
	     node = fg_tree_walk(&t, node, true, &depth)) {
		assert_int_equal(t.nodes[node].total, 6);
		deepest = depth > deepest ? depth : deepest;
	}
	assert_int_equal(deepest, 100000);
	fg_tree_release(&t);
	fg_buf_release(&line);
}

/* Enough children, backwards, that the table of nodes grows. */
static void test_many_children(void **state)
{
	enum { CHILDREN = 5000 };
	struct fg_buf line = FG_BUF_INIT;
	struct fg_tree t;

	(void)state;
	fg_tree_init(&t, FG_TREE_SORTED);
	for (int round = 0; round < 2; round++)
		for (int i = CHILDREN; i > 0; i--) {
			fg_buf_clear(&line);
			fg_buf_addf(&line, "root;f%05d;leaf %d", i, i);
			tree_add(&t, fg_buf_cstr(&line));
		}
	fg_tree_finish(&t);
	assert_int_equal(t.count, 2 + 2 * CHILDREN);
	for (uint32_t i = 0; i < t.count; i++)
		check_children(&t, i);
	assert_int_equal(t.total, (uint64_t)CHILDREN * (CHILDREN + 1));
	fg_tree_release(&t);
	fg_buf_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sorted),
		cmocka_unit_test(test_sorted_input),
		cmocka_unit_test(test_chart),
		cmocka_unit_test(test_walking),
		cmocka_unit_test(test_no_lines),
		cmocka_unit_test(test_a_deep_stack),
		cmocka_unit_test(test_many_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
