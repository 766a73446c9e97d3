/*
 * Tests of lib/profile/filter: the steps in their order, on text and on stacks with
 * root frames.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/profile/filter.h"
#include "tests/unit/support/support.h"

#define STACK "app;main;foo;bar;foo;baz"

/* Options, by the names in the rows. */
struct given {
	const char *name, *value;
};

static void give(struct fg_filter_options *o, const struct given *g)
{
	if (!strcmp(g->name, "no-lines")) {
		o->no_lines = true;
		return;
	}
	for (const struct fg_opt *row = fg_filter_rows;; row++) {
		void *field = (char *)o + row->offset;
		struct fg_opt_list *list = field;
		uint64_t n = 0;

		if (!row->name || strcmp(row->name, g->name) != 0)
			continue;
		if (row->kind == FG_OPT_LIST) {
			const char **items = realloc(
				list->items, (list->count + 1) * sizeof(*items));

			assert_non_null(items);
			list->items = items;
			list->items[list->count++] = g->value;
		} else if (row->kind == FG_OPT_UINT) {
			assert_int_equal(fg_str_u64(fg_str_from(g->value), &n), 0);
			*(uint64_t *)field = n;
		} else if (row->kind == FG_OPT_FLAG) {
			*(bool *)field = true;
		} else {
			while (strcmp(row->choices[n], g->value) != 0)
				n++;
			*(int *)field = (int)n;
		}
		return;
	}
}

/* A filter of up to three options. */
struct fixture {
	struct fg_filter_options options;
	struct fg_filter *filter;
	struct caught caught;
	int status;
};

static void start(struct fixture *x, const struct given *given, struct fg_intern *names)
{
	memset(x, 0, sizeof(*x));
	caught_init(&x->caught);
	for (size_t i = 0; i < 3 && given[i].name; i++)
		give(&x->options, &given[i]);
	x->status = fg_filter_new(&x->options, names, &x->caught.diag, &x->filter);
}

static void end(struct fixture *x)
{
	fg_filter_free(x->filter);
	fg_opts_release(fg_filter_rows, &x->options);
	caught_release(&x->caught);
}

static const struct {
	struct given given[3];
	const char *stack;
	const char *want; /* NULL: the stack is left out */
} rows[] = {
	{ { { "focus", "^foo$" } }, STACK, STACK },
	{ { { "focus", "^fo$" } }, STACK, NULL },
	{ { { "focus", "x" }, { "focus", "b[ar]+$" } }, STACK, STACK },
	{ { { "ignore", "baz" } }, STACK, NULL },
	{ { { "ignore", "x" } }, STACK, STACK },
	{ { { "focus", "foo" }, { "ignore", "bar" } }, STACK, NULL },
	{ { { "focus", "foo;bar" } }, STACK, NULL },
	{ { { "hide", "foo" } }, STACK, "app;main;bar;baz" },
	{ { { "hide", "" } }, STACK, "[other]" },
	{ { { "hide", "baz" }, { "focus", "baz" } }, STACK, "app;main;foo;bar;foo" },
	{ { { "show", "foo|bar" } }, STACK, "foo;bar;foo" },
	{ { { "show", "foo|bar" }, { "hide", "bar" } }, STACK, "foo;foo" },
	{ { { "show", "x" } }, STACK, "[other]" },
	{ { { "show-from", "^(foo|baz)" } }, STACK, "foo;bar;foo;baz" },
	{ { { "show-from", "x" } }, STACK, NULL },
	{ { { "show-from", "baz" }, { "hide", "baz" } }, STACK, NULL },
	{ { { "base", "foo" } }, STACK, "foo;baz" },
	{ { { "base", "fo" } }, STACK, NULL },
	{ { { "base", "bar" }, { "base", "main" } }, STACK, "bar;foo;baz" },
	{ { { "trim-below", "foo" } }, STACK, "app;main;foo;bar;foo" },
	{ { { "trim-below", "ma" } }, STACK, "app;main" },
	{ { { "trim-below", "x" } }, STACK, STACK },
	{ { { "skip-root", "2" } }, STACK, "foo;bar;foo;baz" },
	{ { { "skip-root", "6" } }, STACK, "[other]" },
	{ { { "skip-root", "99" } }, STACK, "[other]" },
	{ { { "skip-root", "1" }, { "focus", "app" } }, STACK, "main;foo;bar;foo;baz" },
	{ { { "skip-root", "1" } }, "", "" },
	{ { { "max-depth", "2" } }, STACK, "app;main" },
	{ { { "max-depth", "2" }, { "hide", "app" } }, STACK, "main;foo" },
	{ { { "recursion", "cycles" } }, STACK, "app;main;foo;baz" },
	{ { { "recursion", "direct" }, { "hide", "bar" } }, STACK, "app;main;foo;baz" },
	{ { { "keep", "foo;bar" } }, STACK, STACK },
	{ { { "keep", "^main" }, { "skip-root", "1" } },
	  STACK,
	  "main;foo;bar;foo;baz" },
	{ { { "drop", "baz$" } }, STACK, NULL },
	{ { { "drop", "baz$" }, { "hide", "baz" } }, STACK, "app;main;foo;bar;foo" },
	{ { { "rename", "s/ba(.)/\\1\\1/" } }, STACK, "app;main;foo;rr;foo;zz" },
	{ { { "rename", "s/o/0/" } }, STACK, "app;main;f0o;bar;f0o;baz" },
	{ { { "rename", "s|O|0|gi" } }, STACK, "app;main;f00;bar;f00;baz" },
	{ { { "rename", "s/foo//" } }, STACK, "app;main;bar;baz" },
	{ { { "rename", "s/^.*$//" } }, STACK, "[other]" },
	{ { { "rename", "s/main/x;y\\n/" } }, "main", "x:y\\n" },
	{ { { "rename", "s/foo/new/" }, { "focus", "foo" } }, STACK, NULL },
	{ { { "rename", "s/foo/bar/" }, { "rename", "s/bar/x/" } },
	  STACK,
	  "app;main;x;x;x;baz" },
	{ { { "rename", "s#/#::#g" } }, "a/b/c", "a::b::c" },
	{ { { "rename", "s/a\\/b/c/" } }, "a/b", "c" },
	{ { { "no-lines", NULL } },
	  "app;main:src/app.c:12;read:fs/a.c:7_[k];a::b:12",
	  "app;main;read_[k];a::b:12" },
	{ { { "no-lines", NULL },
	    { "rename", "s/^main$/x/" },
	    { "recursion", "direct" } },
	  "app;main:a.c:1;main:a.c:2;f",
	  "app;x;f" },
	{ { { "strip-addresses", NULL } },
	  "0x7F12;f+0x1;0xyz;[l.so <7f>];[l <x>]",
	  "0x...;f+0x...;0xyz;[l.so];[l <x>]" },
	{ { { "focus", "^$" } }, "a;;b", "a;;b" },
	{ { { "hide", "^$" } }, "a;;b;", "a;b" },
	{ { { "hide", "b" } }, "a;b;", "a;" },
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fixture x;

		start(&x, rows[i].given, NULL);
		assert_int_equal(x.status, 0);
		for (int round = 0; round < 2; round++) {
			struct fg_str stack = fg_str_from(rows[i].stack);
			bool kept = fg_filter_text(x.filter, &stack);

			if (kept != (rows[i].want != NULL))
				fail_msg("row %zu is %s", i,
					 kept ? "kept" : "left out");
			if (kept)
				assert_str_is(stack, fg_str_from(rows[i].want));
		}
		assert_false(fg_filter_failed(x.filter));
		end(&x);
	}
}

/* Neighbours that share the start of their text, but not a frame. */
static void test_lines_after_each_other(void **state)
{
	static const char *const lines[][2] = {
		{ "a;bc;d", "A;bc;d" }, { "a;b;d", "A;b;d" }, { "a;b;d;e", "A;b;d;e" },
		{ "a;b;d", "A;b;d" },	{ "a", "A" },	      { "ab", "ab" },
		{ "ab;a", "ab;A" },	{ "", "" },	      { "a;b", "A;b" },
		{ "a;b;", "A;b;" },	{ ";a", ";A" },	      { "a;b;;a", "A;b;;A" },
		{ "a;b;", "A;b;" },
	};
	struct given given[3] = { { "rename", "s/^a$/A/" } };
	struct fixture x;

	(void)state;
	start(&x, given, NULL);
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct fg_str stack = fg_str_from(lines[i][0]);

		assert_true(fg_filter_text(x.filter, &stack));
		assert_str_is(stack, fg_str_from(lines[i][1]));
	}
	end(&x);
}

static void test_no_option_is_no_filter(void **state)
{
	struct given given[3] = { { NULL, NULL } };
	struct fixture x;

	(void)state;
	start(&x, given, NULL);
	assert_int_equal(x.status, 0);
	assert_null(x.filter);
	assert_false(fg_filter_failed(x.filter));
	fg_filter_report(x.filter);
	assert_false(fg_filter_options_choose(&x.options));
	assert_false(fg_filter_options_change(&x.options));
	end(&x);
}

/* --max-depth and --recursion leave root frames and values alone. */
static void test_roots_and_values(void **state)
{
	static const struct {
		struct given given[3];
		const char *want;
	} cases[] = {
		{ { { "max-depth", "1" } }, "r r a v " },
		{ { { "recursion", "direct" } }, "r r a b v " },
		{ { { "recursion", "cycles" }, { "max-depth", "1" } }, "r r a v " },
		{ { { "hide", "r" }, { "max-depth", "1" } }, "a v " },
		{ { { "skip-root", "1" }, { "max-depth", "1" } }, "r a v " },
		{ { { "skip-root", "3" }, { "max-depth", "1" } }, "a v " },
		{ { { "skip-root", "5" }, { "max-depth", "1" } }, "v " },
		{ { { "trim-below", "a" }, { "max-depth", "1" } }, "r r a " },
		{ { { "trim-below", "r" } }, "r r " },
		{ { { "show", "v" }, { "max-depth", "1" } }, "v " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_buf text = FG_BUF_INIT;
		struct fg_intern names;
		struct fg_filter_stack s;
		uint32_t ids[7];
		struct fixture x;

		fg_intern_init(&names);
		for (size_t k = 0; k < 6; k++)
			ids[k] = fg_intern(&names, fg_str_of(&"rraabv"[k], 1));
		s = (struct fg_filter_stack){ ids, 6, 2, 1 };
		start(&x, cases[i].given, &names);
		assert_true(fg_filter_stack(x.filter, &s));
		for (size_t k = 0; k < s.depth; k++) {
			fg_buf_add_str(&text, fg_intern_name(&names, s.ids[k]));
			fg_buf_add_char(&text, ' ');
		}
		assert_str_is(fg_buf_str(&text), fg_str_from(cases[i].want));
		fg_buf_release(&text);
		end(&x);
		fg_intern_release(&names);
	}
}

static void test_patterns_without_a_match_give_a_warning(void **state)
{
	struct given given[3] = { { "focus", "foo" },
				  { "focus", "f" },
				  { "hide", "nothing" } };
	struct fg_str stack = FG_STR(STACK);
	struct fixture x;

	(void)state;
	start(&x, given, NULL);
	fg_filter_report(x.filter);
	assert_int_equal(x.caught.text.len, 0);
	assert_true(fg_filter_text(x.filter, &stack));
	fg_filter_report(x.filter);
	assert_str(fg_buf_str(&x.caught.text),
		   "prog: --hide 'nothing' matches no frame\n");
	end(&x);
}

static void test_wrong_options(void **state)
{
	static const struct {
		struct given given;
		const char *message;
	} cases[] = {
		{ { "focus", "(" }, "prog: --focus: bad regular expression '('" },
		{ { "trim-below", "(" }, "prog: --trim-below: bad" },
		{ { "drop", "[" }, "prog: --drop: bad" },
		{ { "rename", "s/(/x/" }, "prog: --rename: bad regular expression" },
		{ { "rename", "s/a/$1/" }, "prog: --rename: bad replacement '$1'" },
		{ { "rename", "s/a/b" }, "a rule is s/REGEX/TEXT/" },
		{ { "rename", "s/a/b/x" }, "a rule is s/REGEX/TEXT/" },
		{ { "rename", "sxaxbx" }, "a rule is s/REGEX/TEXT/" },
		{ { "rename", "" }, "a rule is s/REGEX/TEXT/" },
		{ { "rules", "/nonexistent/rules" }, "/nonexistent/rules: " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct given given[3] = { cases[i].given };
		struct fixture x;

		start(&x, given, NULL);
		assert_int_equal(x.status, -1);
		assert_int_equal(x.caught.diag.errors, 1);
		assert_has(fg_buf_str(&x.caught.text), cases[i].message);
		end(&x);
	}
}

static void test_rules_of_a_file(void **state)
{
	struct given given[3] = { { "rename", "s/three/3/" }, { "rules", NULL } };
	struct fg_str stack = FG_STR("one;two");
	struct folder folder;
	struct fixture x;

	(void)state;
	folder_init(&folder);
	given[1].value = folder_write(&folder, "rules",
				      FG_STR("# a comment\r\n\ns/one/two/\r\n"
					     "s/two/three/g\n"));
	start(&x, given, NULL);
	assert_int_equal(x.status, 0);
	assert_true(fg_filter_text(x.filter, &stack));
	assert_str(stack, "3;3");
	end(&x);

	given[1].value = folder_write(&folder, "wrong", FG_STR("\ns/a/b/\ns/(/c/\n"));
	start(&x, given, NULL);
	assert_int_equal(x.status, -1);
	assert_has(fg_buf_str(&x.caught.text), "wrong:3: bad regular expression '('");
	end(&x);
	folder_release(&folder);
}

/* A failed match is reported once, and from there on no stack is kept. */
static void test_a_pattern_that_is_given_up(void **state)
{
	static const char *const options[] = { "focus", "keep", "rename" };
	static const char bomb[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";

	(void)state;
	for (size_t i = 0; i < COUNT_OF(options); i++) {
		struct given given[3] = { { options[i],
					    i == 2 ? "s/(a+)+$/x/" : "(a+)+$" } };
		struct fixture x;

		start(&x, given, NULL);
		assert_int_equal(x.status, 0);
		for (int round = 0; round < 2; round++) {
			struct fg_str stack = FG_STR("main;a;b");

			if (!round)
				stack = fg_str_from(bomb);
			assert_false(fg_filter_text(x.filter, &stack));
		}
		assert_true(fg_filter_failed(x.filter));
		assert_int_equal(x.caught.diag.errors, 1);
		end(&x);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_lines_after_each_other),
		cmocka_unit_test(test_no_option_is_no_filter),
		cmocka_unit_test(test_roots_and_values),
		cmocka_unit_test(test_patterns_without_a_match_give_a_warning),
		cmocka_unit_test(test_wrong_options),
		cmocka_unit_test(test_rules_of_a_file),
		cmocka_unit_test(test_a_pattern_that_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
