/* Tests of lib/base/buf: all bytes that were added are there, in any sizes. */
#include <string.h>

#include "lib/base/buf.h"
#include "tests/unit/support/support.h"

static void test_empty(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_buf_add(&b, NULL, 0);
	fg_buf_add_str(&b, fg_str_of(NULL, 0));
	fg_buf_addf(&b, "%s", "");
	assert_null(b.ptr);
	assert_str(fg_buf_str(&b), "");
	assert_string_equal(fg_buf_cstr(&b), "");
	assert_int_equal(b.len, 0);
	fg_buf_release(&b);
	assert_null(b.ptr);
	fg_buf_release(&b);
}

static void test_bytes_are_kept_whatever_they_are(void **state)
{
	struct random random = { 11 };
	struct fg_buf b = FG_BUF_INIT;
	char all[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)random_below(&random, 256);
	while (b.len < sizeof(all)) {
		size_t left = sizeof(all) - b.len;
		size_t n = random_below(&random, 40);

		if (n < 2)
			fg_buf_add_char(&b, all[b.len]);
		else
			fg_buf_add(&b, all + b.len, n < left ? n : left);
		assert_true(b.len <= b.alloc);
	}
	assert_str_is(fg_buf_str(&b), fg_str_of(all, sizeof(all)));
	assert_int_equal(fg_buf_cstr(&b)[b.len], '\0');
	assert_str_is(fg_buf_str(&b), fg_str_of(all, sizeof(all)));
	fg_buf_release(&b);
}

static void test_clearing_keeps_the_memory(void **state)
{
	struct fg_buf b = FG_BUF_INIT;
	char *before;

	(void)state;
	fg_buf_reserve(&b, 1000);
	assert_int_equal(b.len, 0);
	assert_true(b.alloc >= 1000);
	before = b.ptr;
	for (int i = 0; i < 100; i++)
		fg_buf_add(&b, "0123456789", 10);
	fg_buf_clear(&b);
	assert_int_equal(b.len, 0);
	assert_ptr_equal(b.ptr, before);
	fg_buf_release(&b);
}

static void test_numbers(void **state)
{
	static const uint64_t numbers[] = {
		0,
		1,
		9,
		10,
		99,
		100,
		4294967295,
		4294967296,
		UINT64_C(9999999999999999999),
		UINT64_C(10000000000000000000),
		UINT64_MAX,
	};
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		fg_buf_add_u64(&b, numbers[i]);
		fg_buf_add_char(&b, ' ');
	}
	assert_str(fg_buf_str(&b), "0 1 9 10 99 100 4294967295 4294967296 "
				   "9999999999999999999 10000000000000000000 "
				   "18446744073709551615 ");
	fg_buf_release(&b);
}

static void test_bytes_are_replaced_from_a_position_on(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_buf_replace(&b, 0, ';', ':');
	assert_int_equal(b.len, 0);
	fg_buf_add_str(&b, FG_STR("a;b;c;"));
	fg_buf_replace(&b, 3, ';', ':');
	assert_str(fg_buf_str(&b), "a;b:c:");
	fg_buf_release(&b);
}

/* Lengths around the sizes at which the buffer grows. */
static void test_printing_fits_whatever_the_length(void **state)
{
	(void)state;
	for (int width = 1; width < 300; width++) {
		struct fg_buf b = FG_BUF_INIT;

		fg_buf_add_char(&b, '<');
		fg_buf_addf(&b, "%*d", width, 7);
		fg_buf_add_char(&b, '>');
		assert_int_equal(b.len, width + 2);
		assert_int_equal(b.ptr[0], '<');
		assert_int_equal(b.ptr[width], '7');
		assert_int_equal(b.ptr[width + 1], '>');
		fg_buf_release(&b);
	}
}

static void test_printing_adds_nul_as_any_byte(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&b, "a%cb%.2f%%", '\0', 0.5);
	assert_str(fg_buf_str(&b), "a\0b0.50%");
	fg_buf_release(&b);
}

static void test_visible(void **state)
{
	static const struct {
		struct fg_str s;
		size_t max;
		struct fg_str want;
	} rows[] = {
		{ FG_STR_INIT("plain ~"), 80, FG_STR_INIT("plain ~") },
		{ FG_STR_INIT("\t\n\r\0\x1b\x1f\x7f"), 80,
		  FG_STR_INIT("\\t\\n\\x0d\\x00\\x1b\\x1f\\x7f") },
		{ FG_STR_INIT("\xc3\xa4\xff"), 80, FG_STR_INIT("\\xc3\\xa4\\xff") },
		{ FG_STR_INIT("abc"), 3, FG_STR_INIT("abc") },
		{ FG_STR_INIT("abcd"), 3, FG_STR_INIT("abc...") },
		{ FG_STR_INIT("\n\n\n"), 2, FG_STR_INIT("\\n\\n...") },
		{ FG_STR_INIT("a"), 0, FG_STR_INIT("...") },
		{ { NULL, 0 }, 0, { NULL, 0 } },
	};
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		fg_buf_clear(&b);
		fg_buf_add_visible(&b, rows[i].s, rows[i].max);
		assert_str_is(fg_buf_str(&b), rows[i].want);
	}
	fg_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_bytes_are_kept_whatever_they_are),
		cmocka_unit_test(test_clearing_keeps_the_memory),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bytes_are_replaced_from_a_position_on),
		cmocka_unit_test(test_printing_fits_whatever_the_length),
		cmocka_unit_test(test_printing_adds_nul_as_any_byte),
		cmocka_unit_test(test_visible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
