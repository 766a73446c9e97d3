/* Tests of lib/base/str: finding, cutting, trimming and numbers, on bytes. */
#include <math.h>
#include <string.h>

#include "lib/base/str.h"
#include "tests/unit/support/support.h"

/* NUL and bytes above 0x7f are bytes like all others. */
#define ODD "a\0b\xff\0b\xff"

static void test_from(void **state)
{
	(void)state;
	assert_str(fg_str_from("abc"), "abc");
	assert_str(fg_str_from(""), "");
	assert_int_equal(fg_str_from(NULL).len, 0);
	assert_int_equal(FG_STR(ODD).len, 7);
}

/* The classes of ctype.h in the "C" locale, spelled out. */
static void test_classes(void **state)
{
	const char digits[] = "0123456789";
	const char hex[] = "0123456789abcdef";
	const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	(void)state;
	for (int i = 0; i < 256; i++) {
		char c = (char)i;
		bool digit = memchr(digits, c, 10) != NULL;
		bool letter = memchr(letters, c, 52) != NULL;

		assert_int_equal(fg_is_digit(c), digit);
		assert_int_equal(fg_is_lower_hex(c), memchr(hex, c, 16) != NULL);
		assert_int_equal(fg_is_blank(c), memchr(" \t", c, 2) != NULL);
		assert_int_equal(fg_is_space(c), memchr(" \t\n\v\f\r", c, 6) != NULL);
		assert_int_equal(fg_is_alpha(c), letter);
		assert_int_equal(fg_is_word(c), letter || digit || c == '_');
	}
}

/* In ascending order: each pair tests all comparisons. */
static const struct fg_str ascending[] = {
	{ NULL, 0 },	       FG_STR_INIT("\0"),     FG_STR_INIT("\0\0"),
	FG_STR_INIT("\0a"),    FG_STR_INIT(" "),      FG_STR_INIT("A"),
	FG_STR_INIT("a"),      FG_STR_INIT("a\0"),    FG_STR_INIT("a\0b"),
	FG_STR_INIT("ab"),     FG_STR_INIT("ab\x7f"), FG_STR_INIT("ab\x80"),
	FG_STR_INIT("ab\xff"), FG_STR_INIT("\x80"),   FG_STR_INIT("\xff"),
};

static void test_comparing(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(ascending); i++)
		for (size_t j = 0; j < COUNT_OF(ascending); j++) {
			struct fg_str a = ascending[i], b = ascending[j];
			int order = fg_str_cmp(a, b);

			assert_int_equal((order > 0) - (order < 0), (i > j) - (i < j));
			assert_int_equal(fg_str_eq(a, b), i == j);
		}
}

static void test_starts_with_any(void **state)
{
	static const struct fg_str prefixes[] = {
		FG_STR_INIT("ab"),
		FG_STR_INIT("c"),
	};
	size_t count = COUNT_OF(prefixes);

	(void)state;
	assert_true(fg_str_starts_any(FG_STR("abc"), prefixes, count));
	assert_true(fg_str_starts_any(FG_STR("c"), prefixes, count));
	assert_false(fg_str_starts_any(FG_STR("c"), prefixes, 1));
	assert_false(fg_str_starts_any(FG_STR("a"), prefixes, count));
	assert_false(fg_str_starts_any(FG_STR(""), prefixes, count));
	assert_false(fg_str_starts_any(FG_STR("abc"), NULL, 0));
}

static void test_starts_ends_has(void **state)
{
	static const struct {
		struct fg_str s, part;
		bool starts, ends, has;
	} rows[] = {
		{ { NULL, 0 }, { NULL, 0 }, true, true, true },
		{ FG_STR_INIT("abc"), { NULL, 0 }, true, true, true },
		{ { NULL, 0 }, FG_STR_INIT("a"), false, false, false },
		{ FG_STR_INIT("abc"), FG_STR_INIT("abc"), true, true, true },
		{ FG_STR_INIT("abc"), FG_STR_INIT("abcd"), false, false, false },
		{ FG_STR_INIT("abc"), FG_STR_INIT("ab"), true, false, true },
		{ FG_STR_INIT("abc"), FG_STR_INIT("bc"), false, true, true },
		{ FG_STR_INIT("abcd"), FG_STR_INIT("bc"), false, false, true },
		{ FG_STR_INIT("a\0b"), FG_STR_INIT("\0b"), false, true, true },
		{ FG_STR_INIT("a\0b"), FG_STR_INIT("a\0c"), false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(fg_str_starts(rows[i].s, rows[i].part),
				 rows[i].starts);
		assert_int_equal(fg_str_ends(rows[i].s, rows[i].part), rows[i].ends);
		assert_int_equal(fg_str_has(rows[i].s, rows[i].part), rows[i].has);
	}
}

static void test_cutting_an_end(void **state)
{
	struct fg_str s = FG_STR("f()->->");

	(void)state;
	assert_true(fg_str_cut_end(&s, FG_STR("->")));
	assert_str(s, "f()->");
	assert_false(fg_str_cut_end(&s, FG_STR(")")));
	assert_str(s, "f()->");
	assert_true(fg_str_cut_end(&s, FG_STR("f()->")));
	assert_int_equal(s.len, 0);
	assert_false(fg_str_cut_end(&s, FG_STR("f")));
	assert_true(fg_str_cut_end(&s, fg_str_of(NULL, 0)));
}

static void test_cutting_a_start(void **state)
{
	struct fg_str s = FG_STR("at at f");

	(void)state;
	assert_true(fg_str_cut_start(&s, FG_STR("at ")));
	assert_str(s, "at f");
	assert_false(fg_str_cut_start(&s, FG_STR("f")));
	assert_str(s, "at f");
	assert_true(fg_str_cut_start(&s, FG_STR("at f")));
	assert_int_equal(s.len, 0);
	assert_false(fg_str_cut_start(&s, FG_STR("f")));
	assert_true(fg_str_cut_start(&s, fg_str_of(NULL, 0)));
}

static void test_digits_at_both_ends(void **state)
{
	static const struct {
		struct fg_str s;
		size_t start, hex_start, end, hex_end;
	} rows[] = {
		{ { NULL, 0 }, 0, 0, 0, 0 },
		{ FG_STR_INIT("0123456789"), 10, 10, 10, 10 },
		{ FG_STR_INIT("1afg2bc"), 1, 3, 0, 3 },
		{ FG_STR_INIT("abc12"), 0, 5, 2, 5 },
		{ FG_STR_INIT("1A1"), 1, 1, 1, 1 },
		{ FG_STR_INIT("-1 1-"), 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(fg_str_span(rows[i].s, fg_is_digit), rows[i].start);
		assert_int_equal(fg_str_span(rows[i].s, fg_is_lower_hex),
				 rows[i].hex_start);
		assert_int_equal(fg_str_end_span(rows[i].s, fg_is_digit), rows[i].end);
		assert_int_equal(fg_str_end_span(rows[i].s, fg_is_lower_hex),
				 rows[i].hex_end);
	}
}

static void test_hexadecimal_numbers(void **state)
{
	static const struct fg_str wrong[] = {
		{ NULL, 0 },
		FG_STR_INIT("0x1"),
		FG_STR_INIT("1g"),
		FG_STR_INIT(" 1"),
		FG_STR_INIT("10000000000000000"),
	};
	uint64_t value = 7;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(fg_str_hex(wrong[i], &value), -1);
	assert_int_equal(value, 7);
	assert_int_equal(fg_str_hex(FG_STR("0"), &value), 0);
	assert_int_equal(value, 0);
	assert_int_equal(fg_str_hex(FG_STR("00123456789aBcDeF0"), &value), 0);
	assert_true(value == UINT64_C(0x123456789abcdef0));
	assert_int_equal(fg_str_hex(FG_STR("ffffffffffffffff"), &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(fg_str_0x(FG_STR("ff"), &value), -1);
	assert_int_equal(fg_str_0x(FG_STR("0x"), &value), -1);
	assert_int_equal(fg_str_0x(FG_STR("0X1"), &value), -1);
	assert_int_equal(fg_str_0x(FG_STR("0x0x1"), &value), -1);
	assert_true(value == UINT64_MAX);
	assert_int_equal(fg_str_0x(FG_STR("0x1f"), &value), 0);
	assert_int_equal(value, 0x1f);
}

static void test_finding_a_byte(void **state)
{
	struct fg_str s = FG_STR(ODD);

	(void)state;
	assert_int_equal(fg_str_find_char(s, 'a'), 0);
	assert_int_equal(fg_str_find_char(s, '\0'), 1);
	assert_int_equal(fg_str_find_char(s, '\xff'), 3);
	assert_int_equal(fg_str_find_char(s, 'z'), s.len);
	assert_int_equal(fg_str_rfind_char(s, 'a'), 0);
	assert_int_equal(fg_str_rfind_char(s, '\0'), 4);
	assert_int_equal(fg_str_rfind_char(s, '\xff'), 6);
	assert_int_equal(fg_str_rfind_char(s, 'z'), s.len);
	assert_true(fg_str_has_char(s, '\xff'));
	assert_false(fg_str_has_char(s, 'z'));
	assert_false(fg_str_has_char(fg_str_of(NULL, 0), 'a'));
	assert_int_equal(fg_str_find_char(fg_str_of(NULL, 0), 'a'), 0);
	assert_int_equal(fg_str_rfind_char(fg_str_of(NULL, 0), 'a'), 0);
}

static size_t find_slowly(struct fg_str s, struct fg_str needle)
{
	for (size_t at = 0; at + needle.len <= s.len; at++)
		if (!needle.len || !memcmp(s.ptr + at, needle.ptr, needle.len))
			return at;
	return s.len;
}

/* Texts of all lengths around the steps of the search, with the byte at each place. */
static void test_finding_the_last_byte_of_long_texts(void **state)
{
	char text[200];

	(void)state;
	memset(text, '.', sizeof(text));
	text[0] = 'a';
	for (size_t len = 1; len <= sizeof(text); len++)
		for (size_t at = 0; at < len; at++) {
			struct fg_str s = fg_str_of(text, len);

			text[at] = 'a';
			assert_int_equal(fg_str_rfind_char(s, 'a'), at);
			assert_int_equal(fg_str_rfind_char(s, 'z'), len);
			text[at] = at ? '.' : 'a';
		}
}

/* Text of two letters, so that needles almost match in many places. */
static void test_finding_agrees_with_a_slow_search(void **state)
{
	struct random random = { 7 };
	struct fg_buf s = FG_BUF_INIT, needle = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		fg_buf_clear(&s);
		fg_buf_clear(&needle);
		random_bytes(&random, &s, random_below(&random, 20), FG_STR("\0\xff"));
		random_bytes(&random, &needle, random_below(&random, 6),
			     FG_STR("\0\xff"));
		assert_int_equal(fg_str_find(fg_buf_str(&s), fg_buf_str(&needle)),
				 find_slowly(fg_buf_str(&s), fg_buf_str(&needle)));
	}
	fg_buf_release(&s);
	fg_buf_release(&needle);
}

static void test_parts_are_clamped(void **state)
{
	struct fg_str s = FG_STR("abc"), none = { NULL, 0 };

	(void)state;
	assert_str(fg_str_from_pos(s, 0), "abc");
	assert_str(fg_str_from_pos(s, 2), "c");
	assert_str(fg_str_from_pos(s, 3), "");
	assert_str(fg_str_from_pos(s, SIZE_MAX), "");
	assert_str(fg_str_before(s, 0), "");
	assert_str(fg_str_before(s, 2), "ab");
	assert_str(fg_str_before(s, SIZE_MAX), "abc");
	assert_str(fg_str_from_pos(none, 5), "");
	assert_str(fg_str_before(none, 5), "");
}

static void test_trimming(void **state)
{
	static const struct {
		struct fg_str s, left, right, both;
	} rows[] = {
		{ { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } },
		{ FG_STR_INIT(" \t\n\v\f\r"), { NULL, 0 }, { NULL, 0 }, { NULL, 0 } },
		{ FG_STR_INIT("a"), FG_STR_INIT("a"), FG_STR_INIT("a"),
		  FG_STR_INIT("a") },
		{ FG_STR_INIT("\r\na b\t "), FG_STR_INIT("a b\t "),
		  FG_STR_INIT("\r\na b"), FG_STR_INIT("a b") },
		{ FG_STR_INIT(" \0 "), FG_STR_INIT("\0 "), FG_STR_INIT(" \0"),
		  FG_STR_INIT("\0") },
		{ FG_STR_INIT("\xa0 x \x85"), FG_STR_INIT("\xa0 x \x85"),
		  FG_STR_INIT("\xa0 x \x85"), FG_STR_INIT("\xa0 x \x85") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_str_is(fg_str_trim_left(rows[i].s), rows[i].left);
		assert_str_is(fg_str_trim_right(rows[i].s), rows[i].right);
		assert_str_is(fg_str_trim(rows[i].s), rows[i].both);
	}
}

static void test_cutting(void **state)
{
	struct fg_str rest = FG_STR(";a;;b\0;");

	(void)state;
	assert_str(fg_str_cut(&rest, ';'), "");
	assert_str(fg_str_cut(&rest, ';'), "a");
	assert_str(fg_str_cut(&rest, ';'), "");
	assert_str(rest, "b\0;");
	assert_str(fg_str_cut(&rest, ';'), "b\0");
	assert_int_equal(rest.len, 0);
	assert_str(fg_str_cut(&rest, ';'), "");
	assert_int_equal(rest.len, 0);
	rest = fg_str_of(NULL, 0);
	assert_str(fg_str_cut(&rest, ';'), "");
	rest = FG_STR("whole");
	assert_str(fg_str_cut(&rest, ';'), "whole");
	assert_int_equal(rest.len, 0);
}

static void test_spaces(void **state)
{
	char text[70];

	(void)state;
	memset(text, ' ', sizeof(text));
	for (size_t len = 0; len <= sizeof(text); len++)
		assert_int_equal(fg_str_spaces(fg_str_of(text, len)), len);
	for (size_t at = 0; at < sizeof(text); at++) {
		text[at] = '\t';
		assert_int_equal(fg_str_spaces(fg_str_of(text, sizeof(text))), at);
		text[at] = ' ';
	}
}

static void test_basename(void **state)
{
	(void)state;
	assert_str(fg_str_basename(FG_STR("/usr/lib/libc.so")), "libc.so");
	assert_str(fg_str_basename(FG_STR("libc.so")), "libc.so");
	assert_str(fg_str_basename(FG_STR("/")), "");
	assert_str(fg_str_basename(FG_STR("dir/")), "");
	assert_str(fg_str_basename(FG_STR("")), "");
}

static void test_whole_numbers(void **state)
{
	static const struct {
		struct fg_str s;
		int status;
		uint64_t value;
	} rows[] = {
		{ FG_STR_INIT("0"), 0, 0 },
		{ FG_STR_INIT("007"), 0, 7 },
		{ FG_STR_INIT("18446744073709551614"), 0, UINT64_MAX - 1 },
		{ FG_STR_INIT("18446744073709551615"), 0, UINT64_MAX },
		{ FG_STR_INIT("00018446744073709551615"), 0, UINT64_MAX },
		{ FG_STR_INIT("18446744073709551616"), -1, 0 },
		{ FG_STR_INIT("18446744073709551620"), -1, 0 },
		{ FG_STR_INIT("184467440737095516150"), -1, 0 },
		{ FG_STR_INIT("99999999999999999999"), -1, 0 },
		{ { NULL, 0 }, -1, 0 },
		{ FG_STR_INIT("-1"), -1, 0 },
		{ FG_STR_INIT("+1"), -1, 0 },
		{ FG_STR_INIT(" 1"), -1, 0 },
		{ FG_STR_INIT("1 "), -1, 0 },
		{ FG_STR_INIT("1\0"), -1, 0 },
		{ FG_STR_INIT("0x1"), -1, 0 },
		{ FG_STR_INIT("1:"), -1, 0 },
		{ FG_STR_INIT("1/"), -1, 0 },
		{ FG_STR_INIT("\xb2"), -1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t value = 4711;

		assert_int_equal(fg_str_u64(rows[i].s, &value), rows[i].status);
		assert_int_equal(value, rows[i].status ? 4711 : rows[i].value);
	}
}

static void test_real_numbers(void **state)
{
	static const struct {
		struct fg_str s;
		int status;
		double value;
	} rows[] = {
		{ FG_STR_INIT("12"), 0, 12 },	  { FG_STR_INIT("-0.5"), 0, -0.5 },
		{ FG_STR_INIT("+.25"), 0, 0.25 }, { FG_STR_INIT("3."), 0, 3 },
		{ FG_STR_INIT("1e3"), 0, 1000 },  { FG_STR_INIT("1E-2"), 0, 0.01 },
		{ FG_STR_INIT("1e-999"), 0, 0 },  { FG_STR_INIT("1e999"), -1, 0 },
		{ FG_STR_INIT(""), -1, 0 },	  { FG_STR_INIT("."), -1, 0 },
		{ FG_STR_INIT("-"), -1, 0 },	  { FG_STR_INIT("e5"), -1, 0 },
		{ FG_STR_INIT("5e"), -1, 0 },	  { FG_STR_INIT("1.2.3"), -1, 0 },
		{ FG_STR_INIT("1,5"), -1, 0 },	  { FG_STR_INIT(" 1"), -1, 0 },
		{ FG_STR_INIT("1 "), -1, 0 },	  { FG_STR_INIT("1\0"), -1, 0 },
		{ FG_STR_INIT("0x10"), -1, 0 },	  { FG_STR_INIT("inf"), -1, 0 },
		{ FG_STR_INIT("nan"), -1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		double value = 4711;

		assert_int_equal(fg_str_double(rows[i].s, &value), rows[i].status);
		assert_true(fabs(value - (rows[i].status ? 4711 : rows[i].value)) <
			    1e-12);
	}
}

/* Every length and every place of the difference, in blocks or not. */
static void test_common(void **state)
{
	char a[80], b[80];

	(void)state;
	assert_int_equal(fg_str_common(fg_str_of(NULL, 0), fg_str_of(NULL, 0)), 0);
	assert_int_equal(fg_str_common(FG_STR("ab"), fg_str_of(NULL, 0)), 0);
	memset(a, 'x', sizeof(a));
	memset(b, 'x', sizeof(b));
	for (size_t len = 0; len <= sizeof(b); len++) {
		struct fg_str all = fg_str_of(a, sizeof(a));

		assert_int_equal(fg_str_common(all, fg_str_of(b, len)), len);
		assert_int_equal(fg_str_common(fg_str_of(b, len), all), len);
		for (size_t at = 0; at < len; at++) {
			b[at] = '\xff';
			assert_int_equal(fg_str_common(all, fg_str_of(b, len)), at);
			b[at] = 'x';
		}
	}
}

static void test_number_at(void **state)
{
	static const struct fg_str bytes = FG_STR_INIT("ab\xff\0cdefghi");

	(void)state;
	assert_int_equal(fg_str_number_at(fg_str_of(NULL, 0), 0), 0);
	assert_int_equal(fg_str_number_at(bytes, 0), 0x6162ff0063646566);
	assert_int_equal(fg_str_number_at(bytes, 3), 0x0063646566676869);
	assert_int_equal(fg_str_number_at(bytes, 8), 0x6768690000000000);
	assert_int_equal(fg_str_number_at(bytes, 11), 0);
	assert_int_equal(fg_str_number_at(bytes, 99), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_comparing),
		cmocka_unit_test(test_starts_with_any),
		cmocka_unit_test(test_starts_ends_has),
		cmocka_unit_test(test_cutting_an_end),
		cmocka_unit_test(test_cutting_a_start),
		cmocka_unit_test(test_digits_at_both_ends),
		cmocka_unit_test(test_hexadecimal_numbers),
		cmocka_unit_test(test_finding_a_byte),
		cmocka_unit_test(test_finding_the_last_byte_of_long_texts),
		cmocka_unit_test(test_finding_agrees_with_a_slow_search),
		cmocka_unit_test(test_parts_are_clamped),
		cmocka_unit_test(test_trimming),
		cmocka_unit_test(test_cutting),
		cmocka_unit_test(test_spaces),
		cmocka_unit_test(test_basename),
		cmocka_unit_test(test_whole_numbers),
		cmocka_unit_test(test_real_numbers),
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_number_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
