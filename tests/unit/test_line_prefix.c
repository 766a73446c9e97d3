/*
 * Tests of lib/base/line_prefix: which prefixes are accepted, and how they are cut off.
 */
#include <string.h>

#include "lib/base/line_prefix.h"
#include "tests/unit/support/support.h"

static void expect_rest(const struct fg_line_prefix *p, const char *text,
			const char *rest)
{
	struct fg_str line = fg_str_from(text);

	assert_int_equal(fg_line_prefix_cut(p, &line), rest != NULL);
	if (rest)
		assert_str_is(line, fg_str_from(rest));
}

static void prefixes_are_cut_off(void **state)
{
	struct fg_line_prefix p = { .words = 0 };

	(void)state;
	expect_rest(&p, "a", NULL);
	assert_true(fg_line_prefix_set(&p, FG_STR("[info] a"), 7));
	expect_rest(&p, "[info]   b", "  b");
	expect_rest(&p, "[info]", "");
	expect_rest(&p, "[warn] b", NULL);
	assert_true(fg_line_prefix_set(&p, FG_STR("  9\ta"), 4));
	expect_rest(&p, " 10\tb", "b");
	expect_rest(&p, "\tb", NULL);
	assert_false(fg_line_prefix_set(&p, FG_STR("a word a"), 7));
	assert_false(fg_line_prefix_set(&p, FG_STR("\"a\" a"), 4));
	fg_line_prefix_set_quote(&p, FG_STR("> > a"));
	expect_rest(&p, "> > b", "b");
	expect_rest(&p, "> b", NULL);
	fg_line_prefix_release(&p);
}

/* Each line is compared with the whole prefix, so its length has a limit. */
static void long_prefixes_are_refused(void **state)
{
	struct fg_line_prefix p = { .words = 0 };
	char blanks[1026];

	(void)state;
	memset(blanks, ' ', sizeof(blanks));
	assert_true(fg_line_prefix_set(&p, fg_str_of(blanks, 1025), 1024));
	assert_int_equal(p.text.len, 1024);
	assert_false(fg_line_prefix_set(&p, fg_str_of(blanks, 1026), 1025));
	blanks[1024] = 'a';
	fg_line_prefix_set_quote(&p, fg_str_of(blanks, 1025));
	assert_int_equal(p.text.len, 1024);
	blanks[1024] = ' ';
	fg_line_prefix_set_quote(&p, fg_str_of(blanks, 1025));
	assert_int_equal(p.text.len, 0);
	fg_line_prefix_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes_are_cut_off),
		cmocka_unit_test(long_prefixes_are_refused),
	};

	return cmocka_run_group_tests_name("line_prefix", tests, NULL, NULL);
}
