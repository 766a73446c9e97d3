/* Tests of lib/base/utf8 against the tables of RFC 3629. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "tests/unit/support/support.h"

/* The syntax of section 4: the ranges of each byte of a character. */
static const struct {
	unsigned len;
	unsigned char from[4], to[4];
} syntax[] = {
	{ 1, { 0x00 }, { 0x7f } },
	{ 2, { 0xc2, 0x80 }, { 0xdf, 0xbf } },
	{ 3, { 0xe0, 0xa0, 0x80 }, { 0xe0, 0xbf, 0xbf } },
	{ 3, { 0xe1, 0x80, 0x80 }, { 0xec, 0xbf, 0xbf } },
	{ 3, { 0xed, 0x80, 0x80 }, { 0xed, 0x9f, 0xbf } },
	{ 3, { 0xee, 0x80, 0x80 }, { 0xef, 0xbf, 0xbf } },
	{ 4, { 0xf0, 0x90, 0x80, 0x80 }, { 0xf0, 0xbf, 0xbf, 0xbf } },
	{ 4, { 0xf1, 0x80, 0x80, 0x80 }, { 0xf3, 0xbf, 0xbf, 0xbf } },
	{ 4, { 0xf4, 0x80, 0x80, 0x80 }, { 0xf4, 0x8f, 0xbf, 0xbf } },
};

/* Returns the length of the character that the bytes start with, or 0. */
static unsigned length_by_syntax(const unsigned char *bytes, size_t len)
{
	for (size_t row = 0; row < COUNT_OF(syntax); row++) {
		unsigned at = 0;

		while (at < syntax[row].len && at < len &&
		       bytes[at] >= syntax[row].from[at] &&
		       bytes[at] <= syntax[row].to[at])
			at++;
		if (at == syntax[row].len)
			return at;
	}
	return 0;
}

/* Returns the bytes of a code, by section 3. */
static unsigned encode(uint32_t code, unsigned char *bytes)
{
	static const unsigned char leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (unsigned i = len - 1; i > 0; i--) {
		bytes[i] = (unsigned char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	bytes[0] = (unsigned char)(leads[len] | code);
	return len;
}

static void test_every_code(void **state)
{
	struct fg_buf added = FG_BUF_INIT;

	(void)state;
	for (uint32_t code = 0; code < 0x1fffff; code += code < 0x20000 ? 1 : 251) {
		unsigned char bytes[4];
		unsigned len = encode(code, bytes);
		bool valid = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
		struct fg_utf8_char c =
			fg_utf8_first(fg_str_of((const char *)bytes, len));

		fg_buf_clear(&added);
		fg_utf8_add(&added, code);
		assert_str_is(fg_buf_str(&added), fg_str_of((const char *)bytes, len));
		assert_int_equal(c.valid, valid);
		assert_int_equal(c.len, valid ? len : 1);
		assert_int_equal(c.code, valid ? code : FG_UTF8_REPLACEMENT);
	}
	fg_buf_release(&added);
}

static void check_bytes(const unsigned char *bytes, size_t len)
{
	struct fg_utf8_char c = fg_utf8_first(fg_str_of((const char *)bytes, len));
	unsigned want = length_by_syntax(bytes, len);

	assert_int_equal(c.valid, want != 0);
	assert_int_equal(c.len, want ? want : 1);
	if (!want)
		assert_int_equal(c.code, FG_UTF8_REPLACEMENT);
}

/* All pairs of bytes, and after them those at the ends of each range. */
static void test_every_sequence(void **state)
{
	static const unsigned char ends[] = { 0x00, 0x7f, 0x80, 0x8f, 0x90,
					      0x9f, 0xa0, 0xbf, 0xc0, 0xff };
	unsigned char bytes[4];

	(void)state;
	for (unsigned pair = 0; pair < 0x10000; pair++) {
		bytes[0] = (unsigned char)(pair >> 8);
		bytes[1] = (unsigned char)pair;
		check_bytes(bytes, 1);
		check_bytes(bytes, 2);
		for (unsigned i = 0; i < COUNT_OF(ends) * COUNT_OF(ends); i++) {
			bytes[2] = ends[i / COUNT_OF(ends)];
			bytes[3] = ends[i % COUNT_OF(ends)];
			check_bytes(bytes, 3);
			check_bytes(bytes, 4);
		}
	}
}

static void test_the_end_is_respected(void **state)
{
	static const char euro[] = "\xf0\x9f\x98\x80";

	(void)state;
	for (size_t len = 1; len <= 4; len++) {
		char *copy = malloc(len);

		assert_non_null(copy);
		memcpy(copy, euro, len);
		assert_int_equal(fg_utf8_first(fg_str_of(copy, len)).valid, len == 4);
		assert_int_equal(fg_utf8_count(fg_str_of(copy, len)),
				 len == 4 ? 1 : len);
		free(copy);
	}
}

static void test_counting_and_prefixes(void **state)
{
	static const struct {
		struct fg_str s;
		size_t count, chars;
		struct fg_str prefix;
	} rows[] = {
		{ { NULL, 0 }, 0, 5, { NULL, 0 } },
		{ FG_STR_INIT("abc"), 3, 2, FG_STR_INIT("ab") },
		{ FG_STR_INIT("abc"), 3, 0, { NULL, 0 } },
		{ FG_STR_INIT("abc"), 3, SIZE_MAX, FG_STR_INIT("abc") },
		{ FG_STR_INIT("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80z"), 4, 3,
		  FG_STR_INIT("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80") },
		{ FG_STR_INIT("\xe2\x82"
			      "a\xff\0"),
		  5, 3,
		  FG_STR_INIT("\xe2\x82"
			      "a") },
		{ FG_STR_INIT("\xed\xa0\x80"), 3, 1, FG_STR_INIT("\xed") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(fg_utf8_count(rows[i].s), rows[i].count);
		assert_str_is(fg_utf8_prefix(rows[i].s, rows[i].chars), rows[i].prefix);
	}
}

static void test_within(void **state)
{
	struct fg_str s = FG_STR("a\303\244\342\202\254"); /* 1, 2 and 3 bytes */
	static const size_t lens[] = { 0, 1, 1, 3, 3, 3, 6, 6 };

	(void)state;
	for (size_t bytes = 0; bytes < COUNT_OF(lens); bytes++)
		assert_int_equal(fg_utf8_within(s, bytes).len, lens[bytes]);
}

static void test_columns(void **state)
{
	static const struct {
		struct fg_str s;
		size_t columns, room;
		struct fg_str fitting;
	} rows[] = {
		{ FG_STR_INIT(""), 0, 3, FG_STR_INIT("") },
		{ FG_STR_INIT("abc"), 3, 2, FG_STR_INIT("ab") },
		{ FG_STR_INIT("é\xff"), 2, 1, FG_STR_INIT("é") },
		{ FG_STR_INIT("应用"), 4, 3, FG_STR_INIT("应") },
		{ FG_STR_INIT("a한글b"), 6, 5, FG_STR_INIT("a한글") },
		{ FG_STR_INIT("カﾅｱ"), 4, 3, FG_STR_INIT("カﾅ") },
		{ FG_STR_INIT("🔥✅"), 4, 4, FG_STR_INIT("🔥✅") },
		{ FG_STR_INIT("𠀋—…"), 4, 9, FG_STR_INIT("𠀋—…") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(fg_utf8_columns(rows[i].s), rows[i].columns);
		assert_str_is(fg_utf8_fitting(rows[i].s, rows[i].room),
			      rows[i].fitting);
	}
}

/* Returns a bit for each byte that starts a character, from `start` on. */
static unsigned starts(struct fg_str s, size_t start)
{
	unsigned bits = 0;

	for (size_t at = start; at < s.len;
	     at += fg_utf8_first(fg_str_from_pos(s, at)).len)
		bits |= 1U << at;
	return bits;
}

/* Makes text `n` of all texts of up to LEN bytes, each one of a few bytes. */
#define LEN 5
static struct fg_str text_of(unsigned n, char *bytes)
{
	static const char some[] = "a\xc3\xe2\xf0\x9f\x80";
	size_t len = 0;

	for (; n; n /= COUNT_OF(some))
		if (n % COUNT_OF(some))
			bytes[len++] = some[n % COUNT_OF(some) - 1];
	return fg_str_of(bytes, len);
}

static void test_what_is_shared_is_not_looked_at_again(void **state)
{
	char bytes[2][LEN];

	(void)state;
	for (unsigned seed = 1; seed < 400000; seed++) {
		struct fg_str before = text_of(seed % 16807, bytes[0]);
		struct fg_str s = text_of(seed * 2654435761U % 16807, bytes[1]), part;
		size_t shared = fg_str_common(before, s);
		unsigned kept;

		part = fg_utf8_part(s, shared);
		assert_in_range(s.len - part.len, 0, shared);
		kept = (1U << (s.len - part.len)) - 1;
		assert_int_equal((starts(before, 0) & kept) |
					 starts(s, s.len - part.len),
				 starts(s, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_code),
		cmocka_unit_test(test_every_sequence),
		cmocka_unit_test(test_the_end_is_respected),
		cmocka_unit_test(test_counting_and_prefixes),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_what_is_shared_is_not_looked_at_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
