/* Tests of lib/base/arena: blocks do not move or overlap, and are aligned. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/xalloc.h"
#include "tests/unit/support/support.h"

#define BLOCKS 3000

static void test_empty(void **state)
{
	struct fg_arena a;
	struct fg_str copy;

	(void)state;
	memset(&a, 0, sizeof(a));
	fg_arena_release(&a);
	assert_non_null(fg_arena_alloc(&a, 0));
	assert_non_null(fg_arena_bytes(&a, 0));
	copy = fg_arena_copy(&a, fg_str_of(NULL, 0));
	assert_int_equal(copy.len, 0);
	fg_arena_release(&a);
	assert_null(a.chunks);
	assert_null(a.next);
	fg_arena_release(&a);
}

/*
 * Every block is filled with its own byte before the next one is allocated; a block
 * that moved or overlaps another would read back wrong.
 */
static void test_blocks_stay_as_they_were(void **state)
{
	static char *blocks[BLOCKS];
	static size_t sizes[BLOCKS];
	struct random random = { 3 };
	struct fg_arena a;

	(void)state;
	fg_arena_init(&a);
	for (size_t i = 0; i < BLOCKS; i++) {
		bool large = !random_below(&random, 50);

		sizes[i] = random_below(&random, large ? 20000 : 100);
		if (random_below(&random, 2)) {
			blocks[i] = fg_arena_alloc(&a, sizes[i]);
			assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t),
					 0);
		} else {
			blocks[i] = fg_arena_bytes(&a, sizes[i]);
		}
		memset(blocks[i], (int)(i & 0xff), sizes[i]);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		for (size_t at = 0; at < sizes[i]; at++)
			assert_int_equal((unsigned char)blocks[i][at], i & 0xff);
	fg_arena_release(&a);
}

/* Sizes around those of the first chunks, each from a fresh arena. */
static void test_sizes_around_a_chunk(void **state)
{
	(void)state;
	for (size_t size = 4096 - 20; size < 4096 + 20; size++)
		for (size_t first = 0; first < 20; first++) {
			struct fg_arena a;
			char *one, *two;

			fg_arena_init(&a);
			one = fg_arena_bytes(&a, first ? first : size);
			memset(one, 'x', first ? first : size);
			two = fg_arena_alloc(&a, size);
			assert_int_equal((uintptr_t)two % alignof(max_align_t), 0);
			memset(two, 'y', size);
			for (size_t i = 0; i < first; i++)
				assert_int_equal(one[i], 'x');
			fg_arena_release(&a);
		}
}

static void test_a_block_larger_than_any_chunk(void **state)
{
	size_t size = (size_t)3 << 20;
	struct fg_arena a;
	char *small, *huge;

	(void)state;
	fg_arena_init(&a);
	small = fg_arena_bytes(&a, 1);
	*small = 's';
	huge = fg_arena_alloc(&a, size);
	memset(huge, 'h', size);
	memset(fg_arena_bytes(&a, 5000), 'n', 5000);
	assert_int_equal(*small, 's');
	assert_int_equal(huge[0], 'h');
	assert_int_equal(huge[size - 1], 'h');
	fg_arena_release(&a);
}

/* After a block that is larger than a chunk, chunks do not stay so large. */
static void test_chunks_have_a_largest_size(void **state)
{
	const size_t huge = (size_t)1 << 24;
	struct fg_arena a;

	(void)state;
	fg_arena_init(&a);
	assert_non_null(fg_arena_bytes(&a, huge));
	assert_non_null(fg_arena_bytes(&a, (size_t)(a.end - a.next) + 1));
	assert_true((size_t)(a.end - a.next) < huge / 2);
	fg_arena_release(&a);
}

static void test_copies_belong_to_the_arena(void **state)
{
	char text[] = "a\0\xff";
	struct fg_arena a;
	struct fg_str copy;

	(void)state;
	fg_arena_init(&a);
	copy = fg_arena_copy(&a, fg_str_of(text, 3));
	memset(text, 0, sizeof(text));
	assert_str(copy, "a\0\xff");
	fg_arena_release(&a);
}

static void ask_for_more_than_there_is(void)
{
	struct fg_arena a;

	fg_arena_init(&a);
	fg_arena_bytes(&a, 1);
	fg_arena_alloc(&a, SIZE_MAX - 3);
}

static void test_an_impossible_size(void **state)
{
	struct fg_buf errors = FG_BUF_INIT;

	(void)state;
	assert_int_equal(run_apart(ask_for_more_than_there_is, &errors), 1);
	assert_has(fg_buf_str(&errors), "out of memory");
	fg_buf_release(&errors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_blocks_stay_as_they_were),
		cmocka_unit_test(test_sizes_around_a_chunk),
		cmocka_unit_test(test_a_block_larger_than_any_chunk),
		cmocka_unit_test(test_chunks_have_a_largest_size),
		cmocka_unit_test(test_copies_belong_to_the_arena),
		cmocka_unit_test(test_an_impossible_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
