/* Tests of lib/profile/folded: the grammar of a line, guesses at other input. */
#include <string.h>

#include "lib/profile/folded.h"
#include "tests/unit/support/support.h"

static const struct {
	struct fg_str line, stack;
	struct fg_count count[2];
	unsigned columns;
} lines[] = {
	{ FG_STR_INIT("a;b 5"), FG_STR_INIT("a;b"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;b\t5"), FG_STR_INIT("a;b"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;b  5"), FG_STR_INIT("a;b "), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;b 5\r"), FG_STR_INIT("a;b"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a 0.50"), FG_STR_INIT("a"), { { 5, 1 } }, 1 },
	{ FG_STR_INIT("a 7."), FG_STR_INIT("a"), { { 7, 0 } }, 1 },
	{ FG_STR_INIT("a 18446744073709551615"),
	  FG_STR_INIT("a"),
	  { { UINT64_MAX, 0 } },
	  1 },
	{ FG_STR_INIT("a 3 5"), FG_STR_INIT("a"), { { 3, 0 }, { 5, 0 } }, 2 },
	{ FG_STR_INIT("a 0.5 0"), FG_STR_INIT("a"), { { 5, 1 }, { 0, 0 } }, 2 },
	{ FG_STR_INIT("a 1 3 5"), FG_STR_INIT("a 1"), { { 3, 0 }, { 5, 0 } }, 2 },
	{ FG_STR_INIT(" 5"), { NULL, 0 }, { { 5, 0 } }, 1 },
	{ FG_STR_INIT("3 5"), FG_STR_INIT("3"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT(" 3 5"), { NULL, 0 }, { { 3, 0 }, { 5, 0 } }, 2 },
	{ FG_STR_INIT("a3 5"), FG_STR_INIT("a3"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a .3 5"), FG_STR_INIT("a .3"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a -3 5"), FG_STR_INIT("a -3"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;operator new 8"),
	  FG_STR_INIT("a;operator new"),
	  { { 8, 0 } },
	  1 },
	{ FG_STR_INIT("a\0\xff;\xc3 5"), FG_STR_INIT("a\0\xff;\xc3"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT(";; 5"), FG_STR_INIT(";;"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a\r 5"), FG_STR_INIT("a\r"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;b 5 "), FG_STR_INIT("a;b"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a;b 5 \t\r"), FG_STR_INIT("a;b"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("a 3 5 "), FG_STR_INIT("a"), { { 3, 0 }, { 5, 0 } }, 2 },
	{ FG_STR_INIT("a 3  5"), FG_STR_INIT("a 3 "), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("# a: b;c 5"), FG_STR_INIT("# a: b;c"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("# a: b; 5"), FG_STR_INIT("# a: b;"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("#a: 5"), FG_STR_INIT("#a:"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("#;# 5"), FG_STR_INIT("#;#"), { { 5, 0 } }, 1 },
	{ FG_STR_INIT("9 a;b 5"), FG_STR_INIT("9 a;b"), { { 5, 0 } }, 1 },
};

/* Lines that perf report -g folded,count prints, or uniq -c. */
static const struct {
	struct fg_str line, stack;
	uint64_t count;
} counts_first[] = {
	{ FG_STR_INIT("5 a;b"), FG_STR_INIT("a;b"), 5 },
	{ FG_STR_INIT("5 a;b c\r"), FG_STR_INIT("a;b c"), 5 },
	{ FG_STR_INIT("17 main"), FG_STR_INIT("main"), 17 },
	{ FG_STR_INIT("0 operator new(unsigned long);f"),
	  FG_STR_INIT("operator new(unsigned long);f"), 0 },
	{ FG_STR_INIT("18446744073709551615 a"), FG_STR_INIT("a"), UINT64_MAX },
	{ FG_STR_INIT("     12 a;b c"), FG_STR_INIT("a;b c"), 12 },
	{ FG_STR_INIT("  12 a;b c"), FG_STR_INIT("a;b c"), 12 },
};

static void test_counts_first(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(counts_first); i++) {
		struct fg_folded folded;

		assert_int_equal(fg_folded_parse(counts_first[i].line, &folded),
				 FG_FOLDED_STACK);
		assert_str_is(folded.stack, counts_first[i].stack);
		assert_int_equal(folded.columns, 1);
		assert_int_equal(folded.count[0].digits, counts_first[i].count);
		assert_int_equal(folded.count[0].decimals, 0);
		assert_true(folded.count_first);
	}
}

static void test_reversed(void **state)
{
	static const char *const rows[][2] = {
		{ "", "" },	    { "a", "a" },	{ "a;b;c", "c;b;a" },
		{ "a;;c", "c;;a" }, { "a;b;;", "b;a" }, { ";a", "a;" },
	};
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_str_is(fg_folded_reverse(&b, fg_str_from(rows[i][0])),
			      fg_str_from(rows[i][1]));
	fg_buf_release(&b);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		struct fg_folded folded;

		assert_int_equal(fg_folded_parse(lines[i].line, &folded),
				 FG_FOLDED_STACK);
		assert_str_is(folded.stack, lines[i].stack);
		assert_int_equal(folded.columns, lines[i].columns);
		assert_false(folded.count_first);
		for (unsigned column = 0; column < folded.columns; column++) {
			assert_int_equal(folded.count[column].digits,
					 lines[i].count[column].digits);
			assert_int_equal(folded.count[column].decimals,
					 lines[i].count[column].decimals);
		}
	}
}

/* `2>&1` puts messages among the stacks; frames may start like them. */
static void messages_of_our_programs_are_marked(void **state)
{
	static const struct {
		struct fg_str line;
		bool want;
	} rows[] = {
		{ FG_STR_INIT("collapse-perf: a.txt:1: lost 4"), true },
		{ FG_STR_INIT("collapse-x86_64: 4"), true },
		{ FG_STR_INIT("flame: status 7"), true },
		{ FG_STR_INIT("flamegraph: no count"), true },
		{ FG_STR_INIT("diff-folded: "), false }, /* the space is cut off */
		{ FG_STR_INIT("filter-folded: x"), true },
		{ FG_STR_INIT("report-folded: x;y 4"), true },
		{ FG_STR_INIT("cargo-flame: 4"), true },
		{ FG_STR_INIT("flamepipe-svg: 4"), true },
		{ FG_STR_INIT("flame::Span::new 4"), false },
		{ FG_STR_INIT("flame;main: 4"), false },
		{ FG_STR_INIT("flame:x 4"), false },
		{ FG_STR_INIT("flames: 4"), false },
		{ FG_STR_INIT(" flame: 4"), false },
		{ FG_STR_INIT("collapse-: 4"), false },
		{ FG_STR_INIT("collapse-a b: 4"), false },
		{ FG_STR_INIT("collapse-a;b: 4"), false },
		{ FG_STR_INIT("flame 4"), false },
		{ FG_STR_INIT(""), false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_folded folded;

		fg_folded_parse(rows[i].line, &folded);
		assert_int_equal(folded.is_message, rows[i].want);
	}
}

static void test_odd_lines(void **state)
{
	static const struct {
		struct fg_str line;
		enum fg_folded_kind want;
	} rows[] = {
		{ { NULL, 0 }, FG_FOLDED_EMPTY },
		{ FG_STR_INIT("\r"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT(" "), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("\r\r"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# duration: 23873"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# a::b c: 5\r"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("#\tmode:"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# a: 5 6"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# mode"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("#"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# a 5"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# a:b 5"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("# Overhead  Command"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("#a"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("# a;b"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("    71.43%  mill     [.] main"), FG_FOLDED_EMPTY },
		{ FG_STR_INIT("71.43%  mill     [.] main"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT(" 71.4%  mill"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("5  a;b"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("  501 cd /tmp; ls"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("      5 a b"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("\t          401136 a;b c"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("5 green bottles"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("5\ta"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("5.5 a"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("18446744073709551616 a;b"), FG_FOLDED_TOO_LARGE },
		{ FG_STR_INIT("a;b"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a;5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 5x"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a x5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a -5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a +5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a .5"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a ."), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("."), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 5.."), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 1.2.3"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 1e3"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 5\0"), FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a\xa0"
			      "5"),
		  FG_FOLDED_NO_COUNT },
		{ FG_STR_INIT("a 18446744073709551616"), FG_FOLDED_TOO_LARGE },
		{ FG_STR_INIT("a 18446744073709551616.5"), FG_FOLDED_TOO_LARGE },
		{ FG_STR_INIT("a 18446744073709551616 1"), FG_FOLDED_TOO_LARGE },
	};
	struct fg_folded folded;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(fg_folded_parse(rows[i].line, &folded), rows[i].want);
}

/*
 * The oracle follows the grammar word by word: after the last white space there are
 * digits, then maybe a point and more digits. Returns their offset, or SIZE_MAX.
 */
static size_t count_starts(struct fg_str s)
{
	size_t at = s.len, i;

	while (at && !memchr(" \t\n\v\f\r", s.ptr[at - 1], 6))
		at--;
	i = at;
	while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
		i++;
	if (!at || i == at)
		return SIZE_MAX;
	if (i < s.len && s.ptr[i] == '.')
		i++;
	while (i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9')
		i++;
	return i == s.len ? at : SIZE_MAX;
}

static void test_stacks_that_need_a_semicolon(void **state)
{
	(void)state;
	assert_true(fg_folded_needs_semicolon(FG_STR("Thread 7"), false));
	assert_true(fg_folded_needs_semicolon(FG_STR("# Samples: 7"), false));
	assert_true(fg_folded_needs_semicolon(FG_STR("# 7"), false));
	assert_true(fg_folded_needs_semicolon(FG_STR("# remark"), true));
	assert_false(fg_folded_needs_semicolon(FG_STR("# remark"), false));
	assert_false(fg_folded_needs_semicolon(FG_STR("#7"), false));
	assert_false(fg_folded_needs_semicolon(FG_STR("Thread_7"), true));
}

static void check_line(struct fg_str line)
{
	struct fg_folded folded;
	struct fg_str stack;
	size_t last, before;

	while (line.len && memchr(" \t\n\v\f\r", line.ptr[line.len - 1], 6))
		line.len--;
	if (!line.len) {
		assert_int_equal(fg_folded_parse(line, &folded), FG_FOLDED_EMPTY);
		return;
	}
	last = count_starts(line);

	if (last == SIZE_MAX) {
		enum fg_folded_kind kind = fg_folded_parse(line, &folded);

		if (kind == FG_FOLDED_STACK)
			assert_true(folded.count_first);
		else
			assert_int_equal(kind, FG_FOLDED_NO_COUNT);
		return;
	}
	stack = fg_str_of(line.ptr, last - 1);
	before = count_starts(stack);
	if (before != SIZE_MAX)
		stack.len = before - 1;
	assert_int_equal(fg_folded_parse(line, &folded), FG_FOLDED_STACK);
	assert_str_is(folded.stack, stack);
	assert_int_equal(folded.columns, before == SIZE_MAX ? 1 : 2);
}

static void test_random_lines(void **state)
{
	struct random random = { 53 };
	struct fg_buf line = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		fg_buf_clear(&line);
		random_bytes(&random, &line, random_below(&random, 9),
			     FG_STR("12..  \t\v\fa;"));
		if (line.len)
			check_line(fg_buf_str(&line));
	}
	fg_buf_release(&line);
}

static void test_annotations(void **state)
{
	static const char *const rows[][2] = {
		{ "f_[k]", "f" }, { "f_[i]", "f" },	{ "f_[j]", "f" },
		{ "f_[w]", "f" }, { "f_[x]", "f_[x]" }, { "f_[k]g", "f_[k]g" },
		{ "_[k]", "" },	  { "[k]", "[k]" },	{ "f_[o]", "f" },
		{ "f_[0]", "f" }, { "f_[1]", "f" },	{ "f_[2]", "f_[2]" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_str name = fg_str_from(rows[i][0]);

		assert_true(fg_str_eq(fg_folded_without_annotation(name),
				      fg_str_from(rows[i][1])));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(messages_of_our_programs_are_marked),
		cmocka_unit_test(test_odd_lines),
		cmocka_unit_test(test_random_lines),
		cmocka_unit_test(test_annotations),
		cmocka_unit_test(test_counts_first),
		cmocka_unit_test(test_reversed),
		cmocka_unit_test(test_stacks_that_need_a_semicolon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
