/* Tests of lib/svg/xml: a strict parser reads back any bytes that were written. */
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/svg/xml.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/xml.h"

/* Returns true for the characters of https://www.w3.org/TR/xml/#charsets */
static bool xml_has(uint32_t code)
{
	return code == 0x9 || code == 0xa || code == 0xd ||
	       (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) ||
	       (code >= 0x10000 && code <= 0x10ffff);
}

/* Appends `s` as far as a document can hold it, with U+FFFD for the rest. */
static void expected(struct fg_str s, struct fg_buf *text)
{
	while (s.len) {
		struct fg_utf8_char c = fg_utf8_first(s);

		if (c.valid && xml_has(c.code))
			fg_buf_add(text, s.ptr, c.len);
		else
			fg_buf_add_str(text, FG_STR("\xef\xbf\xbd"));
		s = fg_str_from_pos(s, c.len);
	}
}

static bool has_pair_of_dashes(struct fg_str s)
{
	return fg_str_has(s, FG_STR("--")) || fg_str_ends(s, FG_STR("-"));
}

/*
 * Converts line ends like a parser does if they are not escaped
 * (https://www.w3.org/TR/xml/#sec-line-ends).
 */
static void normalize_line_ends(struct fg_buf *text)
{
	size_t to = 0;

	for (size_t i = 0; i < text->len; i++) {
		if (text->ptr[i] != '\r')
			text->ptr[to++] = text->ptr[i];
		else if (i + 1 == text->len || text->ptr[i + 1] != '\n')
			text->ptr[to++] = '\n';
	}
	text->len = to;
}

/* A comment may gain a space after each dash. */
static void check_comment(struct fg_str got, struct fg_str want)
{
	size_t at = 0;

	assert_false(has_pair_of_dashes(got));
	for (size_t i = 0; i < want.len; i++) {
		if (at && at < got.len && got.ptr[at] == ' ' && want.ptr[i] == '-' &&
		    got.ptr[at - 1] == '-')
			at++;
		assert_true(at < got.len);
		assert_int_equal(got.ptr[at++], want.ptr[i]);
	}
	if (want.len && want.ptr[want.len - 1] == '-')
		assert_int_equal(got.ptr[at++], ' ');
	assert_int_equal(at, got.len);
}

static void check_written(struct fg_str s)
{
	struct xml_seen seen;
	struct fg_buf want = FG_BUF_INIT;
	struct fg_out o;

	fg_out_init_memory(&o);
	fg_out_add_str(&o, FG_STR("<r"));
	fg_xml_attr(&o, "a", s);
	fg_out_add_char(&o, '>');
	fg_xml_text(&o, s);
	fg_out_add_str(&o, FG_STR("<!--"));
	fg_xml_comment(&o, s);
	fg_out_add_str(&o, FG_STR("--></r>"));
	assert_int_equal(xml_read(fg_buf_str(&o.buf), &seen), 0);
	expected(s, &want);
	assert_str_is(fg_buf_str(&seen.attribute), fg_buf_str(&want));
	normalize_line_ends(&want);
	assert_str_is(fg_buf_str(&seen.text), fg_buf_str(&want));
	check_comment(fg_buf_str(&seen.comment), fg_buf_str(&want));
	fg_buf_release(&want);
	xml_seen_release(&seen);
	fg_out_close(&o);
}

static void test_every_byte_and_every_pair(void **state)
{
	(void)state;
	check_written(fg_str_of(NULL, 0));
	for (int first = 0; first < 256; first++) {
		char pair[2] = { (char)first, 0 };

		check_written(fg_str_of(pair, 1));
		for (int second = 0; second < 256; second += 5) {
			pair[1] = (char)second;
			check_written(fg_str_of(pair, 2));
		}
	}
}

static void test_characters_at_the_edges(void **state)
{
	static const struct fg_str rows[] = {
		FG_STR_INIT("]]>"),
		FG_STR_INIT("<!--a--b---->"),
		FG_STR_INIT("-"),
		FG_STR_INIT("a -- b --- c-"),
		FG_STR_INIT(" two  spaces \r\n\t "),
		FG_STR_INIT("&amp;&#0;&nbsp;%s"),
		FG_STR_INIT("\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf"),
		FG_STR_INIT("\xed\x9f\xbf\xed\xa0\x80\xee\x80\x80"),
		FG_STR_INIT("\xf0\x9f\xbf\xbe\xf4\x8f\xbf\xbf\xf4\x90\x80\x80"),
		FG_STR_INIT("\x7f\xc2\x80\xc2\x85\xe2\x80\xa8"),
		FG_STR_INIT("cut \xe2\x82"),
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_written(rows[i]);
}

static void test_random_bytes(void **state)
{
	static const struct fg_str alphabets[] = {
		FG_STR_INIT(""),
		FG_STR_INIT("<>&\"'-!]=/ \t\r\n;a#0x"),
		FG_STR_INIT("-- >a\xef\xbf\xbd\xbe\xbf\xf4\x8f"),
	};
	struct random random = { 23 };
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		fg_buf_clear(&b);
		random_bytes(&random, &b, random_below(&random, 60),
			     alphabets[i % COUNT_OF(alphabets)]);
		check_written(fg_buf_str(&b));
	}
	fg_buf_release(&b);
}

/* People who read the source see plain names. */
static void test_plain_text_is_not_escaped(void **state)
{
	struct fg_out o;

	(void)state;
	fg_out_init_memory(&o);
	fg_xml_text(&o, FG_STR("std::vector's [x] {y}\t\r\n\xc3\xa4"));
	fg_xml_attr(&o, "name", FG_STR("<\"&\">\n"));
	fg_xml_comment(&o, FG_STR("a & <b>"));
	assert_str(fg_buf_str(&o.buf),
		   "std::vector's [x] {y}\t\r\n\xc3\xa4"
		   " name=\"&lt;&quot;&amp;&quot;&gt;&#10;\"a & <b>");
	fg_out_close(&o);
}

static void test_references_are_resolved(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "a &amp;&amp; b", "a && b" },
		{ "&lt;&gt;&quot;&apos;&amp;lt;", "<>\"'&lt;" },
		{ "&#38;&#x26;&#xe4;&#0000000065;", "&&\xc3\xa4"
						    "A" },
		{ "&#0;&#8;&#xd800;&#xffff;&#1114112;&#;&#x;&#xg;",
		  "&#0;&#8;&#xd800;&#xffff;&#1114112;&#;&#x;&#xg;" },
		{ "&nbsp; &AMP; & &; &amp &amp", "&nbsp; &AMP; & &; &amp &amp" },
		{ "&aaaaaaaaaaaaaaaaamp;", "&aaaaaaaaaaaaaaaaamp;" },
		{ "&", "&" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf text = FG_BUF_INIT;

		fg_xml_resolve(&text, fg_str_from(rows[i].text));
		assert_string_equal(fg_buf_cstr(&text), rows[i].want);
		fg_buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte_and_every_pair),
		cmocka_unit_test(test_characters_at_the_edges),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_plain_text_is_not_escaped),
		cmocka_unit_test(test_references_are_resolved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
