/* Tests of lib/base/deflate: round trips, damaged streams and bombs. */
#include "lib/base/deflate.h"
#include "tests/unit/support/support.h"

static void make(size_t len, struct fg_buf *bytes, struct fg_buf *zipped)
{
	struct random random = { len + 1 };

	random_bytes(&random, bytes, len, FG_STR("abcdefghijklmnop"));
	fg_deflate(fg_buf_str(bytes), 4, zipped);
}

static void test_round_trip(void **state)
{
	static const size_t sizes[] = { 0, 1, 100, 16384, 16385, 300000 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fg_buf bytes = FG_BUF_INIT, zipped = FG_BUF_INIT;
		struct fg_buf again = FG_BUF_INIT;

		make(sizes[i], &bytes, &zipped);
		assert_int_equal(fg_inflate(fg_buf_str(&zipped), sizes[i], &again), 0);
		assert_str_is(fg_buf_str(&again), fg_buf_str(&bytes));
		fg_buf_release(&bytes);
		fg_buf_release(&zipped);
		fg_buf_release(&again);
	}
}

static void test_limit(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT, zipped = FG_BUF_INIT;

	(void)state;
	make(50000, &bytes, &zipped);
	for (size_t max = 0; max < 50000; max += 1 + max) {
		struct fg_buf again = FG_BUF_INIT;

		assert_int_equal(fg_inflate(fg_buf_str(&zipped), max, &again), -1);
		assert_true(again.len <= max + 1);
		fg_buf_release(&again);
	}
	fg_buf_release(&bytes);
	fg_buf_release(&zipped);
}

/* A bomb costs no more memory than the limit. */
static void test_bomb(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT, zipped = FG_BUF_INIT;
	struct fg_buf again = FG_BUF_INIT;

	(void)state;
	fg_buf_reserve(&bytes, 10000000);
	memset(bytes.ptr, 0, 10000000);
	bytes.len = 10000000;
	fg_deflate(fg_buf_str(&bytes), 9, &zipped);
	assert_true(zipped.len < 20000);
	assert_int_equal(fg_inflate(fg_buf_str(&zipped), 100000, &again), -1);
	assert_true(again.alloc < 1000000);
	fg_buf_release(&bytes);
	fg_buf_release(&zipped);
	fg_buf_release(&again);
}

static void test_damage(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT, zipped = FG_BUF_INIT;

	(void)state;
	make(2000, &bytes, &zipped);
	for (size_t i = 0; i < zipped.len; i++) {
		struct fg_buf again = FG_BUF_INIT;

		assert_int_equal(fg_inflate(fg_str_of(zipped.ptr, i), 4000, &again),
				 -1);
		zipped.ptr[i] = (char)(zipped.ptr[i] ^ 32);
		fg_buf_clear(&again);
		assert_int_equal(fg_inflate(fg_buf_str(&zipped), 4000, &again), -1);
		zipped.ptr[i] = (char)(zipped.ptr[i] ^ 32);
		fg_buf_release(&again);
	}
	fg_buf_add_char(&zipped, 'x');
	assert_int_equal(fg_inflate(fg_buf_str(&zipped), 4000, &bytes), -1);
	fg_buf_release(&bytes);
	fg_buf_release(&zipped);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
