/* Tests of lib/base/regex: bytes, text, and patterns that backtrack without end. */
#include <string.h>

#include "lib/base/regex.h"
#include "tests/unit/support/support.h"

static void test_matching(void **state)
{
	static const struct {
		const char *pattern;
		struct fg_str s;
		int want;
	} rows[] = {
		{ "b", FG_STR_INIT("abc"), 1 },
		{ "^b", FG_STR_INIT("abc"), 0 },
		{ "c$", FG_STR_INIT("abc"), 1 },
		{ "B", FG_STR_INIT("abc"), 0 },
		{ "(?i)B", FG_STR_INIT("abc"), 1 },
		{ "", FG_STR_INIT("abc"), 1 },
		{ "", { NULL, 0 }, 1 },
		{ "^$", { NULL, 0 }, 1 },
		{ ".", { NULL, 0 }, 0 },
		{ "a.c", FG_STR_INIT("a\0c"), 1 },
		{ "c", FG_STR_INIT("a\0c"), 1 },
		{ "^a.c$",
		  FG_STR_INIT("a\xc3\xa4"
			      "c"),
		  1 },
		{ "^a..c$",
		  FG_STR_INIT("a\xc3\xa4"
			      "c"),
		  0 },
		{ "\xc3\xa4",
		  FG_STR_INIT("a\xc3\xa4"
			      "c"),
		  1 },
		{ "c",
		  FG_STR_INIT("\xff\xc3"
			      "c"),
		  1 },
		{ "^a", FG_STR_INIT("a\xff"), 1 },
		{ "a.b",
		  FG_STR_INIT("a\xff"
			      "b"),
		  0 },
		{ "(a)(b)(c)(d)", FG_STR_INIT("abcd"), 1 },
		{ "(?<=a)b(?!c)", FG_STR_INIT("abd"), 1 },
		{ "(.)\\1", FG_STR_INIT("abccd"), 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_regex *re;
		struct caught c;

		caught_init(&c);
		re = fg_regex_new(rows[i].pattern, "--keep", &c.diag);
		assert_non_null(re);
		for (int round = 0; round < 2; round++)
			assert_int_equal(fg_regex_match(re, rows[i].s), rows[i].want);
		assert_int_equal(c.text.len, 0);
		fg_regex_free(re);
		caught_release(&c);
	}
}

static void test_a_bad_pattern_is_reported_with_its_place(void **state)
{
	static const struct {
		const char *pattern;
		const char *place;
	} rows[] = {
		{ "(", "(at byte 1)" },	   { "a)", "(at byte 1)" },
		{ "a**+", "(at byte 2)" }, { "[z-a]", "(at byte 3)" },
		{ "ab\\", "(at byte 3)" }, { "\xff", "(at byte 0)" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf start = FG_BUF_INIT;
		struct caught c;

		caught_init(&c);
		assert_null(fg_regex_new(rows[i].pattern, "--drop", &c.diag));
		assert_int_equal(c.diag.errors, 1);
		fg_buf_addf(&start, "prog: --drop: bad regular expression '%s': ",
			    rows[i].pattern);
		assert_has(fg_buf_str(&c.text), fg_buf_cstr(&start));
		assert_has(fg_buf_str(&c.text), rows[i].place);
		fg_buf_release(&start);
		caught_release(&c);
	}
}

static void test_backtracking_without_end_is_given_up(void **state)
{
	static const char *const patterns[] = { "(a+)+$", "^(a|aa)+$",
						"^(?:a|a?)+[bc]" };
	static const struct fg_str bomb =
		FG_STR_INIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(patterns); i++) {
		struct fg_regex *re;
		struct caught c;

		caught_init(&c);
		re = fg_regex_new(patterns[i], "--keep", &c.diag);
		assert_non_null(re);
		assert_int_equal(fg_regex_match(re, bomb), -1);
		assert_int_equal(c.diag.errors, 1);
		assert_has(fg_buf_str(&c.text), "prog: --keep: gave up matching '");
		assert_int_equal(fg_regex_match(re, FG_STR("aab")), i == 2);
		fg_regex_free(re);
		caught_release(&c);
	}
}

/* Names of C++ may have a few thousand bytes, and backtracking remembers each. */
static void test_long_names(void **state)
{
	struct fg_buf name = FG_BUF_INIT;

	(void)state;
	for (size_t len = 10; len < 10000; len *= 3) {
		struct fg_regex *re;
		struct caught c;

		caught_init(&c);
		while (name.len < len)
			fg_buf_add_char(&name, 'a');
		re = fg_regex_new("^(a|b)*$", "--keep", &c.diag);
		assert_non_null(re);
		assert_int_equal(fg_regex_match(re, fg_buf_str(&name)), 1);
		fg_regex_free(re);
		caught_release(&c);
	}
	fg_buf_release(&name);
}

/* Each match ends soon; all together would take minutes. */
static void test_all_matches_of_a_pattern_together_are_bounded(void **state)
{
	static const struct fg_str slow = FG_STR_INIT("aaaaaaaaaaaaaaaaaa!");
	struct fg_regex *re;
	struct caught c;
	int matches = 0;

	(void)state;
	caught_init(&c);
	re = fg_regex_new("(a+)+$", "--keep", &c.diag);
	assert_non_null(re);
	while (matches < 5000 && fg_regex_match(re, slow) == 0)
		matches++;
	assert_in_range(matches, 10, 1000);
	assert_str(fg_buf_str(&c.text),
		   "prog: --keep: gave up matching '(a+)+$': it takes too long on all "
		   "of the input\n");
	assert_int_equal(fg_regex_match(re, FG_STR("b;a")), 1);
	fg_regex_free(re);
	caught_release(&c);
}

/* A match takes few steps from each place in the subject, but too many from all. */
static void test_long_names_have_a_limit_too(void **state)
{
	struct fg_buf name = FG_BUF_INIT;
	struct fg_regex *re;
	struct caught c;

	(void)state;
	caught_init(&c);
	while (name.len < 100000)
		fg_buf_add_char(&name, 'a');
	fg_buf_add_char(&name, '!');
	re = fg_regex_new("(a|b)*$", "--keep", &c.diag);
	assert_non_null(re);
	assert_int_equal(fg_regex_match(re, fg_buf_str(&name)), -1);
	assert_has(fg_buf_str(&c.text), "prog: --keep: gave up matching '(a|b)*$'");
	fg_regex_free(re);
	fg_buf_release(&name);
	caught_release(&c);
}

/* We never give up a pattern that does not backtrack, however large the input is. */
static void test_much_input_is_not_given_up(void **state)
{
	struct fg_buf name = FG_BUF_INIT;
	struct fg_regex *re;
	struct caught c;

	(void)state;
	caught_init(&c);
	while (name.len < 20000)
		fg_buf_add_str(&name, FG_STR("std::vector<int>;"));
	re = fg_regex_new("malloc|operator new.*;free$", "--keep", &c.diag);
	assert_non_null(re);
	for (int i = 0; i < 2000; i++)
		assert_int_equal(fg_regex_match(re, fg_buf_str(&name)), 0);
	assert_int_equal(c.text.len, 0);
	fg_regex_free(re);
	fg_buf_release(&name);
	caught_release(&c);
}

static void check_replaced(const char *pattern, struct fg_regex_text with,
			   struct fg_str s, const char *want)
{
	struct fg_buf out = FG_BUF_INIT;
	struct fg_regex *re;
	struct caught c;

	caught_init(&c);
	fg_buf_add(&out, "<", 1);
	re = fg_regex_new(pattern, "--rename", &c.diag);
	assert_non_null(re);
	assert_int_equal(fg_regex_check(re, &with), 0);
	assert_int_equal(fg_regex_replace(re, s, &with, &out), want != NULL);
	assert_true(out.ptr[0] == '<');
	assert_str_is(fg_str_from_pos(fg_buf_str(&out), 1), fg_str_from(want));
	assert_int_equal(c.text.len, 0);
	fg_regex_free(re);
	fg_buf_release(&out);
	caught_release(&c);
}

static void test_replacing(void **state)
{
	const struct fg_regex_text first = { "[$1]", false }, all = { "[$1]", true };
	const struct fg_regex_text gone = { "", true };
	struct fg_buf long_name = FG_BUF_INIT;

	(void)state;
	check_replaced("(b)", first, FG_STR("abcb"), "a[b]cb");
	check_replaced("(b)", all, FG_STR("abcb"), "a[b]c[b]");
	check_replaced("(x)", all, FG_STR("abcb"), NULL);
	check_replaced("(x)|b", all, FG_STR("abcb"), "a[]c[]");
	check_replaced("()", first, FG_STR(""), "[]");
	check_replaced("b+", gone, FG_STR("abbcb"), "ac");
	check_replaced("(c)", all,
		       FG_STR("\xff"
			      "c"),
		       "\xff[c]");
	check_replaced("(?<n>b)", (struct fg_regex_text){ "${n}$$", false },
		       FG_STR("ab"), "ab$");
	while (long_name.len < 10000)
		fg_buf_add(&long_name, "ab", 2);
	check_replaced("^(ab)+$", (struct fg_regex_text){ "$1", false },
		       fg_buf_str(&long_name), "ab");
	fg_buf_release(&long_name);
}

static void test_a_bad_replacement_is_reported(void **state)
{
	static const char *const rows[][2] = {
		{ "$9", "unknown substring (at byte 2)" },
		{ "${name", "(at byte 6)" },
		{ "$", "(at byte 1)" },
		{ "a\\", "(at byte 2)" },
		{ "\xff", "UTF-8" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_regex_text with = { rows[i][0], false };
		struct fg_regex *re;
		struct caught c;

		caught_init(&c);
		re = fg_regex_new("(a)", "rules:7", &c.diag);
		assert_int_equal(fg_regex_check(re, &with), -1);
		assert_int_equal(c.diag.errors, 1);
		assert_has(fg_buf_str(&c.text), "prog: rules:7: bad replacement '");
		assert_has(fg_buf_str(&c.text), rows[i][1]);
		fg_regex_free(re);
		caught_release(&c);
	}
}

static void test_replacing_has_limits(void **state)
{
	const struct fg_regex_text twice = { "$0$0", false }, x = { "x", true };
	struct fg_buf name = FG_BUF_INIT, other = FG_BUF_INIT;
	struct fg_regex *re;
	struct caught c;

	(void)state;
	caught_init(&c);
	re = fg_regex_new("^.*$", "--rename", &c.diag);
	while (name.len < FG_REGEX_RESULT_MAX / 2)
		fg_buf_add(&name, "abcdefgh", 8);
	assert_int_equal(fg_regex_replace(re, fg_buf_str(&name), &twice, &other), 1);
	assert_int_equal(other.len, FG_REGEX_RESULT_MAX);
	fg_buf_add_char(&name, 'x');
	assert_int_equal(fg_regex_replace(re, fg_buf_str(&name), &twice, &other), -1);
	assert_has(fg_buf_str(&c.text), "--rename: replacing '^.*$' by '$0$0' makes a "
					"name of more than 1048576 bytes");
	fg_regex_free(re);

	/* each match has a limit, and all of them together, too */
	re = fg_regex_new("(a+)+$|!", "--rename", &c.diag);
	fg_buf_clear(&name);
	for (int i = 0; i < 300; i++)
		fg_buf_add(&name, "!aaaaaaaaaaaaaaaaa!", 19);
	assert_int_equal(fg_regex_replace(re, fg_buf_str(&name), &x, &other), -1);
	assert_has(fg_buf_str(&c.text), "--rename: gave up matching '(a+)+$|!'");
	fg_regex_free(re);
	fg_buf_release(&name);
	fg_buf_release(&other);
	caught_release(&c);
}

static void test_freeing_nothing(void **state)
{
	(void)state;
	fg_regex_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matching),
		cmocka_unit_test(test_a_bad_pattern_is_reported_with_its_place),
		cmocka_unit_test(test_backtracking_without_end_is_given_up),
		cmocka_unit_test(test_all_matches_of_a_pattern_together_are_bounded),
		cmocka_unit_test(test_long_names_have_a_limit_too),
		cmocka_unit_test(test_much_input_is_not_given_up),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_replacing),
		cmocka_unit_test(test_a_bad_replacement_is_reported),
		cmocka_unit_test(test_replacing_has_limits),
		cmocka_unit_test(test_freeing_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
