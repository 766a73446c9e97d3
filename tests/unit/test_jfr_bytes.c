/*
 * Tests how collapse/formats/jfr/bytes reads numbers and strings, whole or cut at any
 * byte.
 */
#include "collapse/formats/jfr/bytes.h"

#include "tests/unit/support/support.h"

static struct jfr_bytes over(struct fg_str s)
{
	return (struct jfr_bytes){ .at = s.ptr, .end = s.ptr + s.len };
}

static void numbers_have_seven_bits_a_byte_and_eight_in_the_ninth(void **state)
{
	static const struct {
		struct fg_str bytes;
		uint64_t value;
	} rows[] = {
		{ FG_STR_INIT("\0"), 0 },
		{ FG_STR_INIT("\x7f"), 127 },
		{ FG_STR_INIT("\x80\x01"), 128 },
		{ FG_STR_INIT("\xff\x7f"), 16383 },
		{ FG_STR_INIT("\x80\x80\x01"), 16384 },
		{ FG_STR_INIT("\xff\xff\xff\xff\xff\xff\xff\x7f"),
		  (UINT64_C(1) << 56) - 1 },
		{ FG_STR_INIT("\x80\x80\x80\x80\x80\x80\x80\x80\x01"), UINT64_C(1)
									       << 56 },
		{ FG_STR_INIT("\x80\x80\x80\x80\x80\x80\x80\x80\x80"), UINT64_C(1)
									       << 63 },
		{ FG_STR_INIT("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf text = FG_BUF_INIT;
		struct jfr_bytes b;

		fg_buf_add_str(&text, rows[i].bytes);
		fg_buf_add_char(&text, 'x');
		b = over(fg_buf_str(&text));
		assert_true(jfr_long(&b) == rows[i].value);
		assert_int_equal(jfr_left(&b), 1);
		assert_false(b.bad);
		for (size_t len = 0; len < rows[i].bytes.len; len++) {
			b = over(fg_str_before(rows[i].bytes, len));
			assert_int_equal(jfr_long(&b), 0);
			assert_true(b.bad);
			assert_int_equal(jfr_left(&b), 0);
		}
		fg_buf_release(&text);
	}
}

static void fixed_numbers_are_big_endian(void **state)
{
	static const struct fg_str bytes =
		FG_STR_INIT("\x01\x02\x03\x04\x05\x06\x07\x08");
	static const struct {
		unsigned width;
		uint64_t value;
	} rows[] = {
		{ 1, 0x01 },
		{ 2, 0x0102 },
		{ 4, 0x01020304 },
		{ 8, UINT64_C(0x0102030405060708) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct jfr_bytes b = over(bytes);

		assert_true(jfr_fixed(&b, rows[i].width) == rows[i].value);
		assert_int_equal(jfr_left(&b), 8 - rows[i].width);
		b = over(fg_str_before(bytes, rows[i].width));
		assert_true(jfr_fixed(&b, rows[i].width) == rows[i].value);
		assert_false(b.bad);
		b = over(fg_str_before(bytes, rows[i].width - 1));
		assert_int_equal(jfr_fixed(&b, rows[i].width), 0);
		assert_true(b.bad);
	}
}

static void skipping_more_bytes_than_are_left_is_bad(void **state)
{
	struct jfr_bytes b = over(FG_STR("abc"));

	(void)state;
	jfr_skip_bytes(&b, 2);
	assert_int_equal(jfr_left(&b), 1);
	jfr_skip_bytes(&b, 1);
	assert_int_equal(jfr_left(&b), 0);
	assert_false(b.bad);
	jfr_skip_bytes(&b, 1);
	assert_true(b.bad);
	b = over(FG_STR("abc"));
	jfr_skip_bytes(&b, UINT64_MAX);
	assert_true(b.bad);
}

/* Checks skipping, eight bytes at a time, against reading numbers of random lengths. */
static void skipping_numbers_moves_as_far_as_reading_them(void **state)
{
	struct random random = { 41 };

	(void)state;
	for (unsigned turn = 0; turn < 3000; turn++) {
		struct fg_buf text = FG_BUF_INIT;
		size_t count = random_below(&random, 40), longest = 1 + turn % 9;
		struct jfr_bytes one, all;

		for (size_t i = 0; i < count; i++) {
			size_t more = random_below(&random, longest);

			for (size_t k = 0; k < more; k++)
				fg_buf_add_char(&text, '\x81');
			fg_buf_add_char(&text, more == 8 ? '\x83' : '\x03');
		}
		fg_buf_addf(&text, "%.*s", (int)(turn % 3), "ab");
		one = over(fg_buf_str(&text));
		all = one;
		for (size_t i = 0; i < count; i++)
			jfr_long(&one);
		jfr_skip_numbers(&all, count, 8);
		assert_false(all.bad);
		assert_ptr_equal(all.at, one.at);
		all = over(fg_buf_str(&text));
		jfr_skip_numbers(&all, text.len + 1, 8);
		assert_true(all.bad);
		fg_buf_release(&text);
	}
}

static void fixed_numbers_are_skipped_by_their_width(void **state)
{
	struct jfr_bytes b = over(FG_STR("123456789"));

	(void)state;
	b.fixed = true;
	jfr_skip_numbers(&b, 2, 4);
	assert_int_equal(jfr_left(&b), 1);
	jfr_skip_numbers(&b, 1, 2);
	assert_true(b.bad);
}

/* ---- strings */

struct string {
	struct fg_str bytes;
	enum jfr_string kind;
	const char *text;
};

static const struct string strings[] = {
	{ FG_STR_INIT("\0"), JFR_STRING_NULL, "" },
	{ FG_STR_INIT("\1"), JFR_STRING_EMPTY, "" },
	{ FG_STR_INIT("\2\x85\x01"), JFR_STRING_CONSTANT, "" },
	{ FG_STR_INIT("\3\0"), JFR_STRING_UTF8, "" },
	{ FG_STR_INIT("\3\3abc"), JFR_STRING_UTF8, "abc" },
	{ FG_STR_INIT("\5\3a\xe9\x7f"), JFR_STRING_LATIN1, "a\xc3\xa9\x7f" },
	{ FG_STR_INIT("\5\2\x80\xff"), JFR_STRING_LATIN1, "\xc2\x80\xc3\xbf" },
	{ FG_STR_INIT("\4\2a\x62"), JFR_STRING_UTF16, "ab" },
	/* U+7FF, U+800, U+D7FF, U+E000, U+FFFF */
	{ FG_STR_INIT("\4\5\xff\x0f\x80\x10\xff\xaf\x03\x80\xc0\x03\xff\xff\x03"),
	  JFR_STRING_UTF16,
	  "\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf" },
	/* U+10000, U+1F600, U+10FFFF */
	{ FG_STR_INIT("\4\6\x80\xb0\x03\x80\xb8\x03\xbd\xb0\x03\x80\xbc\x03"
		      "\xff\xb7\x03\xff\xbf\x03"),
	  JFR_STRING_UTF16, "\xf0\x90\x80\x80\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf" },
	/* high surrogates without a low one, then a pair, then a low one alone */
	{ FG_STR_INIT(
		  "\4\6\x80\xb0\x03x\x80\xb0\x03\x80\xb0\x03\x80\xb8\x03\x80\xb8\x03"),
	  JFR_STRING_UTF16, "\xef\xbf\xbdx\xef\xbf\xbd\xf0\x90\x80\x80\xef\xbf\xbd" },
	{ FG_STR_INIT("\4\1\x80\xb0\x03"), JFR_STRING_UTF16, "\xef\xbf\xbd" },
};

static void strings_become_utf_8(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(strings); i++) {
		const struct string *s = &strings[i];
		struct fg_buf text = FG_BUF_INIT;
		struct jfr_bytes b = over(s->bytes);
		uint64_t key = 0;

		assert_int_equal(jfr_read_string(&b, &text, &key), s->kind);
		check_str(fg_buf_str(&text), fg_str_from(s->text), __FILE__, (int)i);
		assert_int_equal(jfr_left(&b), 0);
		assert_false(b.bad);
		assert_int_equal(key, s->kind == JFR_STRING_CONSTANT ? 133 : 0);
		b = over(s->bytes);
		jfr_skip_string(&b);
		assert_int_equal(jfr_left(&b), 0);
		assert_false(b.bad);
		for (size_t len = 0; len < s->bytes.len; len++) {
			b = over(fg_str_before(s->bytes, len));
			jfr_read_string(&b, &text, &key);
			assert_true(b.bad);
			b = over(fg_str_before(s->bytes, len));
			jfr_skip_string(&b);
			assert_true(b.bad);
		}
		fg_buf_release(&text);
	}
}

static void a_string_of_an_unknown_kind_is_bad(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct jfr_bytes b = over(FG_STR("\6abc"));
	uint64_t key;

	(void)state;
	assert_int_equal(jfr_read_string(&b, &text, &key), JFR_STRING_NULL);
	assert_true(b.bad);
	b = over(FG_STR("\6abc"));
	jfr_skip_string(&b);
	assert_true(b.bad);
	fg_buf_release(&text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_seven_bits_a_byte_and_eight_in_the_ninth),
		cmocka_unit_test(fixed_numbers_are_big_endian),
		cmocka_unit_test(skipping_more_bytes_than_are_left_is_bad),
		cmocka_unit_test(skipping_numbers_moves_as_far_as_reading_them),
		cmocka_unit_test(fixed_numbers_are_skipped_by_their_width),
		cmocka_unit_test(strings_become_utf_8),
		cmocka_unit_test(a_string_of_an_unknown_kind_is_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
