/*
 * Tests of lib/profile/tree: counts with fractions and near 2^64, and stacks that come
 * as frames.
 */
#include <stdlib.h>

#include "tests/unit/support/starts.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

static void test_totals_end_at_64_bits(void **state)
{
	static const struct {
		const char *lines[4];
		int last;
	} rows[] = {
		{ { "a 18446744073709551614", "b 1" }, 0 },
		{ { "a 18446744073709551615", "b 0" }, 0 },
		{ { "a 18446744073709551615", "b 1" }, -1 },
		{ { "a 18446744073709551615", "a 18446744073709551615" }, -1 },
		{ { "a 18446744073709551615 1", "b 0 1" }, 0 },
		{ { "a 18446744073709551615 1", "b 1 1" }, -1 },
		{ { "a 1 18446744073709551615", "b 1 1" }, -1 },
		{ { "a 18446744073709551615 1", "b 1" }, 0 },
		{ { "a 0.5", "b 0.5", "a 18446744073709551614" }, 0 },
		{ { "a 0.5", "b 0.5", "a 18446744073709551615" }, -1 },
		{ { "a 18446744073709551615", "b 0.4" }, 0 },
		{ { "a 18446744073709551615", "b 0.5" }, -1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_tree t;

		fg_tree_init(&t, i % 2 ? FG_TREE_INPUT : FG_TREE_SORTED);
		for (size_t line = 0; rows[i].lines[line]; line++)
			assert_int_equal(tree_try(&t, rows[i].lines[line]),
					 rows[i].lines[line + 1] ? 0 : rows[i].last);
		fg_tree_release(&t);
	}
}

/* Checks that each frame is within its parent, to the right of the one before. */
static void check_layout(const struct fg_tree *t)
{
	uint64_t *starts = all_starts(t);

	assert_int_equal(starts[0], 0);
	assert_int_equal(t->nodes[0].total, t->total);
	for (size_t i = 0; i < t->count; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t at = starts[i], children = 0;

		for (uint32_t child = node->first; child != FG_TREE_NONE;
		     child = t->nodes[child].next) {
			assert_true(starts[child] >= at);
			at = starts[child] + t->nodes[child].total;
			assert_true(at >= starts[child]);
			children += t->nodes[child].total;
		}
		assert_true(at <= starts[i] + node->total);
		assert_int_equal(node->self + children, node->total);
	}
	free(starts);
}

/*
 * Many fractions, and then a count so large that no decimals fit: the widths still add
 * up to a total below 2^64, and whole counts are not rounded.
 */
static void test_decimals_that_no_longer_fit(void **state)
{
	static const enum fg_tree_order orders[] = { FG_TREE_SORTED, FG_TREE_INPUT };
	struct random random = { 73 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		struct fg_buf line = FG_BUF_INIT;
		struct fg_tree t;

		fg_tree_init(&t, orders[i % 2]);
		for (int frame = 0; frame < 40; frame++) {
			fg_buf_clear(&line);
			fg_buf_addf(&line, "%c;%c;%c 0.%d",
				    (int)('a' + random_below(&random, 3)),
				    (int)('a' + random_below(&random, 3)),
				    (int)('a' + random_below(&random, 3)),
				    (int)random_below(&random, 10));
			tree_add(&t, fg_buf_cstr(&line));
			tree_add(&t, "whole 7");
		}
		assert_true(t.decimals == 1);
		tree_add(&t, "z 18446744073709551000");
		assert_int_equal(t.decimals, 0);
		tree_add(&t, "a 0.5");
		fg_tree_finish(&t);
		check_layout(&t);
		for (size_t node = 1; node < t.count; node++)
			if (fg_str_eq(fg_intern_name(&t.names, t.nodes[node].name),
				      FG_STR("whole")))
				assert_int_equal(t.nodes[node].total,
						 i % 2 ? 7 : 7 * 40);
		fg_buf_release(&line);
		fg_tree_release(&t);
	}
}

static void test_numbers(void **state)
{
	struct fg_tree t;

	(void)state;
	fg_tree_init(&t, FG_TREE_SORTED);
	tree_add(&t, "a 12.25");
	fg_tree_finish(&t);
	assert_int_equal(t.total, 1225);
	assert_true(fg_tree_number(&t, t.total) == 12.25);
	fg_tree_release(&t);
}

/* Stacks that come as frames make the same tree as their text. */
static void test_frames(void **state)
{
	const uint64_t counts[2] = { 3, 4 }, most[2] = { UINT64_MAX - 2, 0 };
	const uint64_t full[2] = { 0, UINT64_MAX - 3 };
	struct fg_tree t;
	uint32_t a, b;

	(void)state;
	fg_tree_init(&t, FG_TREE_SORTED);
	b = fg_tree_child(&t, 0, FG_STR("b"));
	a = fg_tree_child(&t, 0, FG_STR("a"));
	assert_true(a != b);
	assert_int_equal(fg_tree_child(&t, 0, FG_STR("b")), b);
	assert_int_equal(fg_tree_child(&t, 0, FG_STR("a")), a);
	a = fg_tree_child(&t, b, FG_STR("a"));
	assert_int_equal(fg_tree_count(&t, a, 2, counts), 0);
	assert_int_equal(fg_tree_count(&t, b, 2, most), -1);
	assert_int_equal(fg_tree_count(&t, b, 1, most), 0);
	assert_int_equal(fg_tree_count(&t, b, 1, full), -1);
	assert_int_equal(fg_tree_count(&t, b, 2, full), -1);
	assert_int_equal(fg_tree_count(&t, b, 2, counts), 0);
	fg_tree_finish(&t);
	assert_int_equal(t.total, 8);
	assert_int_equal(t.nodes[b].total, 8);
	assert_int_equal(t.nodes[b].self, 4);
	assert_int_equal(t.before[a], 3);
	assert_int_equal(t.nodes[b].next, FG_TREE_NONE);
	fg_tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals_end_at_64_bits),
		cmocka_unit_test(test_decimals_that_no_longer_fit),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
