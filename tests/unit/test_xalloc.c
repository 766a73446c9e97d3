/* Tests of lib/base/xalloc and size: sizes never wrap, and failing ends the process. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/base/xmlstart.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/xml.h"

/* Lets AddressSanitizer's malloc() return NULL like others do. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void test_blocks_of_no_bytes_can_be_freed(void **state)
{
	void *blocks[3] = { fg_xmalloc(0), fg_xcalloc(0, 8), fg_xcalloc(8, 0) };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(blocks); i++) {
		assert_non_null(blocks[i]);
		blocks[i] = fg_xrealloc(blocks[i], 0, 1);
		assert_non_null(blocks[i]);
		free(blocks[i]);
	}
}

static void test_calloc_zeroes(void **state)
{
	unsigned char *bytes;

	(void)state;
	for (int round = 0; round < 3; round++) {
		bytes = fg_xcalloc(25, 40);
		for (size_t i = 0; i < 1000; i++)
			assert_int_equal(bytes[i], 0);
		memset(bytes, 0xff, 1000);
		free(bytes);
	}
}

static void test_a_table_is_zeroed(void **state)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 300000 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		char *bytes = fg_xcalloc(sizes[i], 1);

		for (size_t at = 0; at < sizes[i]; at++)
			assert_int_equal(bytes[at], 0);
		memset(bytes, 0xff, sizes[i]);
		free(bytes);
	}
}

static void test_realloc_keeps_what_is_there(void **state)
{
	uint64_t *numbers = NULL;
	size_t alloc = 0;

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		FG_GROW(numbers, alloc, i + 1);
		assert_true(alloc > i);
		numbers[i] = i * i;
	}
	for (size_t i = 0; i < 5000; i++)
		assert_int_equal(numbers[i], i * i);
	free(numbers);
}

static void test_grow_leaves_what_is_enough(void **state)
{
	char *bytes = NULL, *before;
	size_t alloc = 0, nothing = 0;

	(void)state;
	FG_GROW(bytes, alloc, nothing);
	assert_null(bytes);
	FG_GROW(bytes, alloc, 1);
	before = bytes;
	assert_true(alloc >= 1);
	FG_GROW(bytes, alloc, alloc);
	assert_ptr_equal(bytes, before);
	free(bytes);
}

static void test_grown_at_least_doubles(void **state)
{
	static const struct {
		size_t have, need, want;
	} rows[] = {
		{ 0, 1, 16 },	   { 0, 16, 16 },
		{ 0, 17, 32 },	   { 16, 17, 32 },
		{ 17, 18, 34 },	   { 100, 101, 200 },
		{ 100, 401, 800 }, { SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(fg_grown(rows[i].have, rows[i].need), rows[i].want);
}

static void test_sizes_that_just_fit(void **state)
{
	(void)state;
	assert_int_equal(fg_size_add(0, SIZE_MAX), SIZE_MAX);
	assert_int_equal(fg_size_add(SIZE_MAX - 7, 7), SIZE_MAX);
	assert_int_equal(fg_size_mul(0, SIZE_MAX), 0);
	assert_int_equal(fg_size_mul(SIZE_MAX, 0), 0);
	assert_int_equal(fg_size_mul(SIZE_MAX, 1), SIZE_MAX);
	assert_int_equal(fg_size_mul(SIZE_MAX / 3, 3), SIZE_MAX / 3 * 3);
}

static void add_too_much(void)
{
	fg_size_add(SIZE_MAX - 6, 7);
}

static void multiply_too_much(void)
{
	fg_size_mul(SIZE_MAX / 3 + 1, 3);
}

static void calloc_too_many(void)
{
	free(fg_xcalloc(SIZE_MAX / 8, 16));
}

static void realloc_too_many(void)
{
	free(fg_xrealloc(NULL, SIZE_MAX / 2, 3));
}

static void grow_too_far(void)
{
	fg_grown(SIZE_MAX / 2, SIZE_MAX);
}

/* An address space of 32 bits may have space for one such block, but not for three. */
static void malloc_too_much(void)
{
	for (int i = 0; i < 3; i++)
		fg_xmalloc(PTRDIFF_MAX);
}

static void calloc_too_much(void)
{
	for (int i = 0; i < 3; i++)
		fg_xcalloc(1, PTRDIFF_MAX);
}

static void realloc_too_much(void)
{
	for (int i = 0; i < 3; i++)
		fg_xrealloc(NULL, 1, PTRDIFF_MAX);
}

/* An address space of 32 bits may have space for one. */
static void spare_too_much(void)
{
	void *volatile held = malloc(PTRDIFF_MAX);

	fg_xalloc_spare(PTRDIFF_MAX);
	free(held);
}

static void libxml2_too_much(void)
{
	fg_xml_start();
	for (int i = 0; i < 3; i++)
		xml_allocate(PTRDIFF_MAX);
}

static void test_failing_ends_the_process(void **state)
{
	static const struct {
		void (*run)(void);
		const char *message;
	} rows[] = {
		{ add_too_much,
		  "test_xalloc: out of memory (a size does not fit in memory)\n" },
		{ multiply_too_much,
		  "test_xalloc: out of memory (a size does not fit" },
		{ calloc_too_many, "test_xalloc: out of memory (a size does not fit" },
		{ realloc_too_many, "test_xalloc: out of memory (a size does not fit" },
		{ grow_too_far, "test_xalloc: out of memory (a size does not fit" },
		{ malloc_too_much, "test_xalloc: out of memory (" },
		{ spare_too_much, "test_xalloc: out of memory (" },
		{ libxml2_too_much, "test_xalloc: out of memory (" },
		{ calloc_too_much, "test_xalloc: out of memory (" },
		{ realloc_too_much, "test_xalloc: out of memory (" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf errors = FG_BUF_INIT;

		assert_int_equal(run_apart(rows[i].run, &errors), 1);
		assert_has(fg_buf_str(&errors), rows[i].message);
		fg_buf_release(&errors);
	}
}

static void *fail_when_told(void *told)
{
	while (!atomic_load((atomic_bool *)told))
		;
	add_too_much();
	return NULL;
}

static void fail_in_threads(void)
{
	atomic_bool told = false;
	pthread_t threads[4];

	for (size_t i = 0; i < COUNT_OF(threads); i++)
		pthread_create(&threads[i], NULL, fail_when_told, &told);
	atomic_store(&told, true);
	for (size_t i = 0; i < COUNT_OF(threads); i++)
		pthread_join(threads[i], NULL);
}

static void test_one_of_several_threads_ends_the_process(void **state)
{
	(void)state;
	for (int round = 0; round < 50; round++) {
		struct fg_buf errors = FG_BUF_INIT;

		assert_int_equal(run_apart(fail_in_threads, &errors), 1);
		assert_str(
			fg_buf_str(&errors),
			"test_xalloc: out of memory (a size does not fit in memory)\n");
		fg_buf_release(&errors);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_of_no_bytes_can_be_freed),
		cmocka_unit_test(test_calloc_zeroes),
		cmocka_unit_test(test_a_table_is_zeroed),
		cmocka_unit_test(test_realloc_keeps_what_is_there),
		cmocka_unit_test(test_grow_leaves_what_is_enough),
		cmocka_unit_test(test_grown_at_least_doubles),
		cmocka_unit_test(test_sizes_that_just_fit),
		cmocka_unit_test(test_failing_ends_the_process),
		cmocka_unit_test(test_one_of_several_threads_ends_the_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
