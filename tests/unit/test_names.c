/* Tests of flamegraph/names: the names as they are prepared for drawing. */
#include <string.h>

#include "flamegraph/options.h"
#include "flamegraph/names.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/treeline.h"

struct fixture {
	struct caught caught;
	struct fg_graph_args args;
	struct fg_tree tree;
	struct fg_search search;
	struct fg_nameattrs attributes;
	struct fg_palette_map map;
	struct fg_names names;
};

static void set_up(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	caught_init(&f->caught);
	fg_graph_args_init(&f->args);
	f->args.options.palette = FG_PALETTE_HOT;
	fg_tree_init(&f->tree, FG_TREE_SORTED);
	fg_palette_map_init(&f->map);
}

static void make(struct fixture *f, const char *line)
{
	struct fg_names_source source = { &f->args.options, &f->tree, &f->search,
					  &f->attributes,   &f->map,  NULL };

	tree_add(&f->tree, line);
	fg_tree_finish(&f->tree);
	fg_names_init(&f->names, &source);
}

static void tear_down(struct fixture *f)
{
	fg_names_release(&f->names);
	fg_palette_map_release(&f->map);
	fg_tree_release(&f->tree);
	fg_graph_args_release(&f->args);
	caught_release(&f->caught);
}

static uint32_t id_of(struct fixture *f, const char *name)
{
	return fg_intern(&f->tree.names, fg_str_from(name));
}

static void check_colour(struct fixture *f, const char *name, struct fg_rgb want)
{
	struct fg_rgb got = fg_names_colour(&f->names, id_of(f, name));

	assert_int_equal(got.r, want.r);
	assert_int_equal(got.g, want.g);
	assert_int_equal(got.b, want.b);
}

static void parts_of_a_name(void **state)
{
	struct fixture f;
	const struct fg_name *n;

	(void)state;
	set_up(&f);
	make(&f, "a;f<int>_[k];- 1");
	n = fg_names_get(&f.names, id_of(&f, "f<int>_[k]"));
	assert_str(n->label, "f<int>");
	assert_str(n->annotation, "_[k]");
	assert_str(n->shown, "f&lt;int&gt;");
	assert_false(n->separator);
	assert_true(fg_names_get(&f.names, id_of(&f, "-"))->separator);
	tear_down(&f);
}

static void colours_before_drawing(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	make(&f, "a;-;-- 1");
	check_colour(&f, "a", (struct fg_rgb){ 236, 146, 35 });
	check_colour(&f, "-", (struct fg_rgb){ 200, 200, 200 });
	check_colour(&f, "--", (struct fg_rgb){ 160, 160, 160 });
	tear_down(&f);
}

/* The map decides, and learns only names that are drawn. */
static void map_learns_drawn_names(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.args.options.cp = true;
	fg_palette_map_set(&f.map, FG_STR("b"), FG_STR("#123456"));
	fg_palette_map_set(&f.map, FG_STR("c"), FG_STR("url(#x)"));
	fg_palette_map_set(&f.map, FG_STR("e"), FG_STR("tomato"));
	make(&f, "a;b;c;d;e 1");
	check_colour(&f, "a", (struct fg_rgb){ 236, 146, 35 });
	check_colour(&f, "b", (struct fg_rgb){ 0x12, 0x34, 0x56 });
	check_colour(&f, "c", (struct fg_rgb){ 224, 87, 20 });
	assert_int_equal(fg_palette_map_get(&f.map, FG_STR("a")).len, 0);
	fg_names_get(&f.names, id_of(&f, "a"));
	assert_str(fg_palette_map_get(&f.map, FG_STR("a")), "rgb(236,146,35)");
	assert_int_equal(fg_palette_map_get(&f.map, FG_STR("d")).len, 0);
	assert_str(fg_names_get(&f.names, id_of(&f, "b"))->fill, "#123456");
	assert_str(fg_names_get(&f.names, id_of(&f, "c"))->fill, "#e05714");
	assert_str(fg_names_get(&f.names, id_of(&f, "e"))->fill, "tomato");
	assert_str(fg_palette_map_get(&f.map, FG_STR("c")), "url(#x)");
	tear_down(&f);
}

/* More names, and longer texts, than stay prepared. */
static void forgotten_names_are_prepared_again(void **state)
{
	enum { NAMES = 20000 };
	struct fg_buf line = FG_BUF_INIT, want = FG_BUF_INIT;
	struct fixture f;

	(void)state;
	set_up(&f);
	for (int i = 0; i < NAMES; i++)
		fg_buf_addf(&line, "%s<%0400d>_[k]", i ? ";" : "", i);
	fg_buf_add_str(&line, FG_STR(" 1"));
	make(&f, fg_buf_cstr(&line));
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < NAMES; i++) {
			/* the root, which has no name, is 0 */
			const struct fg_name *n =
				fg_names_get(&f.names, (uint32_t)i + 1);

			fg_buf_clear(&want);
			fg_buf_addf(&want, "&lt;%0400d&gt;", i);
			assert_str_is(n->shown, fg_buf_str(&want));
			assert_str(n->annotation, "_[k]");
			assert_null(n->attr);
			assert_false(n->found);
		}
	fg_buf_release(&line);
	fg_buf_release(&want);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_name),
		cmocka_unit_test(colours_before_drawing),
		cmocka_unit_test(map_learns_drawn_names),
		cmocka_unit_test(forgotten_names_are_prepared_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
