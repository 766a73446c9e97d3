/* Tests of lib/base/visible: control characters are shown, whatever is around them. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/visible.h"
#include "tests/unit/support/support.h"

static const struct {
	struct fg_str s, want;
} rows[] = {
	{ FG_STR_INIT(""), FG_STR_INIT("") },
	{ FG_STR_INIT("a b\t~"), FG_STR_INIT("a b\t~") },
	{ FG_STR_INIT("\n\r\0\x1b\x1f\x7f"),
	  FG_STR_INIT("\\n\\x0d\\x00\\x1b\\x1f\\x7f") },
	{ FG_STR_INIT("\xc2\x80|\xc2\x9f|\xc2\xa0"),
	  FG_STR_INIT("\\xc2\\x80|\\xc2\\x9f|\xc2\xa0") },
	{ FG_STR_INIT("\x80|\x9f|\xa0|\xff"), FG_STR_INIT("\\x80|\\x9f|\xa0|\xff") },
	{ FG_STR_INIT("\xe2\x80\xa7|\xe2\x80\xa8|\xe2\x80\xae|\xe2\x80\xaf"),
	  FG_STR_INIT("\xe2\x80\xa7|\\xe2\\x80\\xa8|\\xe2\\x80\\xae|\xe2\x80\xaf") },
	{ FG_STR_INIT("\xe2\x81\xa6|\xe2\x81\xa9|\xe2\x81\xaa"),
	  FG_STR_INIT("\\xe2\\x81\\xa6|\\xe2\\x81\\xa9|\xe2\x81\xaa") },
	{ FG_STR_INIT("\xef\xbb\xbe|\xef\xbb\xbf|\xef\xbc\x80"),
	  FG_STR_INIT("\xef\xbb\xbe|\\xef\\xbb\\xbf|\xef\xbc\x80") },
	{ FG_STR_INIT("\xc3\xa4\xf0\x9f\x94\xa5"),
	  FG_STR_INIT("\xc3\xa4\xf0\x9f\x94\xa5") },
};

static void test_rows(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool same = fg_str_eq(rows[i].s, rows[i].want);
		struct fg_str got = fg_visible(rows[i].s, &b);

		assert_str_is(got, rows[i].want);
		assert_int_equal(fg_is_visible(rows[i].s), same);
		assert_int_equal(got.len > rows[i].s.len, !same);
	}
	fg_buf_release(&b);
}

/*
 * Tries control characters at all offsets, because the code checks vectors, words and
 * single bytes.
 */
static void test_every_place(void **state)
{
	static const char controls[] = "\n\x7f\x80\x1f";
	char text[200];

	(void)state;
	for (size_t len = 1; len <= sizeof(text); len++)
		for (size_t at = 0; at < len; at++) {
			memset(text, len % 2 ? '~' : ' ', sizeof(text));
			assert_true(fg_is_visible(fg_str_of(text, len)));
			text[at] = controls[(len + at) % 4];
			assert_false(fg_is_visible(fg_str_of(text, len)));
			if (at + 1 < len)
				assert_true(fg_is_visible(fg_str_of(text, at)));
		}
}

/* The result is visible, so making it visible again changes nothing. */
static void test_any_bytes(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT, once = FG_BUF_INIT;
	struct random random = { 1 };

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		fg_buf_clear(&bytes);
		random_bytes(&random, &bytes, random_below(&random, 40),
			     FG_STR("ab\xc2\x80\x9b\xe2\xae\x81\n\x7f"));
		fg_buf_clear(&once);
		fg_add_visible(&once, fg_buf_str(&bytes));
		assert_true(fg_is_visible(fg_buf_str(&once)));
		assert_int_equal(fg_is_visible(fg_buf_str(&bytes)),
				 once.len == bytes.len);
	}
	fg_buf_release(&bytes);
	fg_buf_release(&once);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_every_place),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
