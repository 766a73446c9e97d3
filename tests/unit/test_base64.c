/* Tests of lib/base/base64: the vectors of RFC 4648, text in parts, bad text. */
#include "lib/base/base64.h"
#include "tests/unit/support/support.h"

static void write(struct fg_str bytes, struct fg_buf *text)
{
	struct fg_out out;

	fg_out_init_memory(&out);
	fg_base64_write(&out, bytes);
	fg_buf_add_str(text, fg_buf_str(&out.buf));
	fg_out_close(&out);
}

/* Reads `text` in parts of `size`. Returns 0 or -1. */
static int read_parts(struct fg_str text, size_t size, struct fg_buf *bytes)
{
	struct fg_base64 decoder = { 0 };

	for (; text.len; text = fg_str_from_pos(text, size))
		if (fg_base64_read(&decoder, fg_str_before(text, size), bytes))
			return -1;
	return fg_base64_end(&decoder);
}

static void test_vectors(void **state)
{
	static const struct fg_str vectors[][2] = {
		{ FG_STR_INIT(""), FG_STR_INIT("") },
		{ FG_STR_INIT("f"), FG_STR_INIT("Zg==") },
		{ FG_STR_INIT("fo"), FG_STR_INIT("Zm8=") },
		{ FG_STR_INIT("foo"), FG_STR_INIT("Zm9v") },
		{ FG_STR_INIT("foobar"), FG_STR_INIT("Zm9vYmFy") },
		{ FG_STR_INIT("\xfb\xff\xfe"), FG_STR_INIT("+//+") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(vectors); i++) {
		struct fg_buf text = FG_BUF_INIT, bytes = FG_BUF_INIT;

		write(vectors[i][0], &text);
		assert_str_is(fg_buf_str(&text), vectors[i][1]);
		assert_int_equal(read_parts(vectors[i][1], 1, &bytes), 0);
		assert_str_is(fg_buf_str(&bytes), vectors[i][0]);
		fg_buf_release(&text);
		fg_buf_release(&bytes);
	}
}

static void test_round_trip(void **state)
{
	struct random random = { 7 };

	(void)state;
	for (size_t len = 0; len < 4000; len += 1 + len / 20) {
		struct fg_buf bytes = FG_BUF_INIT, text = FG_BUF_INIT;
		struct fg_buf again = FG_BUF_INIT;

		random_bytes(&random, &bytes, len, FG_STR(""));
		write(fg_buf_str(&bytes), &text);
		assert_true(fg_base64_fits(text.len) >= len);
		assert_int_equal(read_parts(fg_buf_str(&text), 1 + len / 7, &again), 0);
		assert_str_is(fg_buf_str(&again), fg_buf_str(&bytes));
		fg_buf_clear(&text);
		write(fg_str_before(fg_buf_str(&bytes), fg_base64_fits(len)), &text);
		assert_true(text.len <= len);
		fg_buf_release(&bytes);
		fg_buf_release(&text);
		fg_buf_release(&again);
	}
}

static void test_white_space(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	assert_int_equal(read_parts(FG_STR(" Z\n m\t9\r\nvYg=\n=\n"), 3, &bytes), 0);
	assert_str(fg_buf_str(&bytes), "foob");
	fg_buf_release(&bytes);
}

static void test_bad_text(void **state)
{
	static const struct fg_str wrong[] = {
		FG_STR_INIT("Z"),
		FG_STR_INIT("Zg"),
		FG_STR_INIT("Zg="),
		FG_STR_INIT("Z==="),
		FG_STR_INIT("===="),
		FG_STR_INIT("Zg==Zg=="),
		FG_STR_INIT("Zg=="
			    "="),
		FG_STR_INIT("Zm9v-_8A"),
		FG_STR_INIT("Zm=v"),
		FG_STR_INIT("Zm9v&"),
		FG_STR_INIT("Zm9v\0AAA"),
		FG_STR_INIT("\xc3\xa9Zm"),
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct fg_buf bytes = FG_BUF_INIT;

		assert_int_equal(read_parts(wrong[i], 100, &bytes), -1);
		fg_buf_clear(&bytes);
		assert_int_equal(read_parts(wrong[i], 1, &bytes), -1);
		fg_buf_release(&bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_white_space),
		cmocka_unit_test(test_bad_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
