/* Tests of flamegraph/layout: children lie within their parents, rows are apart. */
#include <string.h>

#include "flamegraph/options.h"
#include "flamegraph/layout.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

struct fixture {
	struct caught caught;
	struct fg_graph_args args;
	struct fg_tree tree;
	struct fg_layout layout;
};

static void set_up(struct fixture *f)
{
	caught_init(&f->caught);
	fg_graph_args_init(&f->args);
	fg_tree_init(&f->tree, FG_TREE_SORTED);
}

static void lay_out(struct fixture *f)
{
	assert_int_equal(fg_graph_args_check(&f->args, &f->caught.diag), 0);
	fg_tree_finish(&f->tree);
	fg_layout_init(&f->layout, &f->tree, &f->args.options, &f->caught.diag);
}

static void tear_down(struct fixture *f)
{
	fg_layout_release(&f->layout);
	fg_tree_release(&f->tree);
	fg_graph_args_release(&f->args);
	caught_release(&f->caught);
}

static void rows_and_size(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	tree_add(&f.tree, "a;b;c 75");
	tree_add(&f.tree, "a;d 25");
	lay_out(&f);
	assert_int_equal(f.layout.count, 5);
	assert_int_equal(f.layout.max_depth, 3);
	assert_true(f.layout.height == 4 * 16 + 36 + 34);
	assert_true(fg_layout_y(&f.layout, 0) == 85);
	assert_true(fg_layout_y(&f.layout, 3) == 37);
	assert_true(fg_layout_x(&f.layout, 0) == 10);
	assert_true(fg_layout_x(&f.layout, 100) == 1190);
	tear_down(&f);
}

static void inverted_below_subtitle(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.inverted = true;
	f.args.subtitle = "x";
	tree_add(&f.tree, "a 100");
	lay_out(&f);
	assert_true(fg_layout_y(&f.layout, 0) == 60);
	assert_true(fg_layout_y(&f.layout, 1) == 76);
	assert_true(f.layout.height == 2 * 16 + 60 + 34);
	tear_down(&f);
}

static void narrow_frames_are_left_out(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.minwidth = "10%";
	tree_add(&f.tree, "a;b;c 5");
	tree_add(&f.tree, "a;d 90");
	tree_add(&f.tree, "e;f;g;h 5");
	lay_out(&f);
	assert_int_equal(f.layout.count, 3);
	assert_int_equal(f.layout.max_depth, 2);
	tear_down(&f);
}

static uint64_t drawn(const char *minwidth, const char *line)
{
	struct fixture f;
	uint64_t counts;

	set_up(&f);
	f.args.minwidth = minwidth;
	tree_add(&f.tree, line);
	lay_out(&f);
	counts = f.layout.drawn;
	tear_down(&f);
	return counts;
}

/*
 * The threshold is in the tree's units, rounded up. Too large a width does not
 * overflow.
 */
static void threshold_is_whole(void **state)
{
	(void)state;
	assert_int_equal(drawn("0", "a 1180"), 0);
	assert_int_equal(drawn("0.1", "a 1180"), 1);
	assert_int_equal(drawn("2", "a 1180"), 2);
	assert_int_equal(drawn("2.1", "a 1180"), 3);
	assert_int_equal(drawn("2", "a 1180.05"), 201);
	assert_int_equal(drawn("50%", "a 18446744073709551614"), UINT64_C(1) << 63);
	assert_int_equal(drawn("1e300", "a 1180"), UINT64_MAX);
}

/* Adds stacks of one frame: the widest has `widest` counts, each next one less. */
static void add_falling(struct fixture *f, uint64_t widest, size_t stacks)
{
	struct fg_buf line = FG_BUF_INIT;

	for (uint64_t i = 0; i < stacks; i++) {
		fg_buf_clear(&line);
		fg_buf_addf(&line, "f%d;g %d", (int)i, (int)(widest - i));
		tree_add(&f->tree, fg_buf_cstr(&line));
	}
	fg_buf_release(&line);
}

static void thin(struct fixture *f)
{
	lay_out(f);
	fg_layout_thin(&f->layout, &f->tree, FG_VIEWER_FRAMES);
}

static void few_frames_are_not_thinned(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.width = 2520;
	add_falling(&f, 1000000, FG_VIEWER_FRAMES / 2 - 1);
	tree_add(&f.tree, "x 1000000");
	thin(&f);
	assert_int_equal(f.layout.count, FG_VIEWER_FRAMES);
	tear_down(&f);
}

/* 2,500 pairs and the root: only the narrowest pair is left out. */
static void many_frames_are_thinned(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.width = 2520;
	add_falling(&f, 1000000, FG_VIEWER_FRAMES / 2);
	thin(&f);
	assert_int_equal(f.layout.drawn, 1000000 - FG_VIEWER_FRAMES / 2 + 2);
	assert_int_equal(f.layout.count, FG_VIEWER_FRAMES - 1);
	assert_int_equal(f.layout.max_depth, 2);
	tear_down(&f);
}

/* Frames as wide as a pixel stay, however many there are. */
static void a_pixel_stays(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.width = 120020;
	for (int i = 0; i < 60000; i++) {
		struct fg_buf line = FG_BUF_INIT;

		fg_buf_addf(&line, "f%d;%d;%d;%d %d", i, i, i, i, i % 2 ? 29 : 11);
		tree_add(&f.tree, fg_buf_cstr(&line));
		fg_buf_release(&line);
	}
	thin(&f);
	assert_int_equal(f.layout.drawn, 10);
	assert_int_equal(f.layout.count, 1 + 4 * 60000);
	tear_down(&f);
}

static void total_scales(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.total = 200;
	tree_add(&f.tree, "a 100");
	lay_out(&f);
	assert_true(fg_layout_x(&f.layout, 100) == 600);
	assert_true(f.layout.total == 200);
	tear_down(&f);
}

static void small_total_is_ignored(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.total = 50;
	tree_add(&f.tree, "a 100");
	lay_out(&f);
	assert_true(f.layout.total == 100);
	assert_has(fg_buf_str(&f.caught.text), "--total 50 is ignored");
	tear_down(&f);
}

static void add_random(struct fixture *f, struct random *r)
{
	struct fg_buf line = FG_BUF_INIT;

	for (size_t i = 0; i < 300; i++) {
		uint64_t depth = 1 + random_below(r, 8);

		fg_buf_clear(&line);
		for (uint64_t d = 0; d < depth; d++)
			fg_buf_addf(&line, "%s%c", d ? ";" : "",
				    (char)('a' + random_below(r, 3)));
		fg_buf_addf(&line, " %d", (int)random_below(r, 50));
		tree_add(&f->tree, fg_buf_cstr(&line));
	}
	fg_buf_release(&line);
}

static void children_lie_within(void **state)
{
	struct random r = { 99 };
	struct fixture f;
	const struct fg_layout_frame *path[64] = { NULL };

	(void)state;
	set_up(&f);
	f.args.minwidth = "0";
	add_random(&f, &r);
	lay_out(&f);
	assert_int_equal(f.layout.count, f.tree.count);
	for (size_t i = 0; i < f.layout.count; i++) {
		const struct fg_layout_frame *at = &f.layout.frames[i];
		const struct fg_tree_node *n = &f.tree.nodes[at->node];
		const struct fg_layout_frame *parent;

		path[at->depth] = at;
		if (!at->depth)
			continue;
		parent = path[at->depth - 1];
		assert_int_equal(n->parent, parent->node);
		assert_true(at->start >= parent->start);
		assert_true(at->start + n->total <=
			    parent->start + f.tree.nodes[parent->node].total);
	}
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_size),
		cmocka_unit_test(inverted_below_subtitle),
		cmocka_unit_test(narrow_frames_are_left_out),
		cmocka_unit_test(threshold_is_whole),
		cmocka_unit_test(few_frames_are_not_thinned),
		cmocka_unit_test(many_frames_are_thinned),
		cmocka_unit_test(a_pixel_stays),
		cmocka_unit_test(total_scales),
		cmocka_unit_test(small_total_is_ignored),
		cmocka_unit_test(children_lie_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
