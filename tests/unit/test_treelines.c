/*
 * Tests of lib/profile/treelines: deep trees, and too much text. test_treedata reads
 * the lines again.
 */
#include "lib/profile/treelines.h"
#include "tests/unit/support/support.h"

/* Makes a stack of many frames, each with a count of its own. */
static void make_chain(struct fg_tree *t, enum fg_tree_order order, size_t frames)
{
	uint32_t name, node = 0;

	fg_tree_init(t, order);
	name = fg_intern(&t->names, FG_STR("f"));
	for (size_t i = 0; i < frames; i++) {
		node = fg_tree_append(t, node, name);
		t->nodes[node].self = 1;
	}
	fg_tree_finish(t);
}

/* The text of frames in each other grows with the square of their number. */
static void check_chain(enum fg_tree_order order, size_t frames, bool fits)
{
	struct fg_tree t;

	make_chain(&t, order, frames);
	assert_int_equal(fg_treelines_fit(&t), fits);
	fg_tree_release(&t);
}

static void test_too_much_text(void **state)
{
	(void)state;
	check_chain(FG_TREE_SORTED, 250000, true);
	check_chain(FG_TREE_SORTED, 270000, false);
	check_chain(FG_TREE_INPUT, 170000, true);
	check_chain(FG_TREE_INPUT, 270000, false);
}

/* All lines would be 10 GB of text; the first ones come without the others. */
static void test_deep(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_treelines lines;
	struct fg_tree t;

	(void)state;
	make_chain(&t, FG_TREE_SORTED, 100000);
	fg_treelines_init(&lines, &t);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(fg_treelines_next(&lines, &text), 1);
	assert_int_equal(text.len, 100 * 101 + 200);
	fg_treelines_release(&lines);
	fg_tree_release(&t);
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_much_text),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
