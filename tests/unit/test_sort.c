/* Tests of lib/base/sort: in order and stable, for every size. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/sort.h"
#include "tests/unit/support/support.h"

#define LARGEST 3000

struct keys {
	unsigned of[LARGEST]; /* keys by index */
	size_t compared;
};

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct keys *keys = context;

	((struct keys *)(uintptr_t)keys)->compared++;
	return (keys->of[a] > keys->of[b]) - (keys->of[a] < keys->of[b]);
}

/* Checks that `order` has 0 to n - 1, by key and, if keys are equal, by index. */
static void check_order(const struct keys *keys, const uint32_t *order, size_t n)
{
	static bool seen[LARGEST];

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < n; i++) {
		assert_true(order[i] < n);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
		if (!i)
			continue;
		assert_true(keys->of[order[i - 1]] <= keys->of[order[i]]);
		if (keys->of[order[i - 1]] == keys->of[order[i]])
			assert_true(order[i - 1] < order[i]);
	}
}

/* Sorts in a block of just the right size, so that ASan sees an index too many. */
static void sort_and_check(struct keys *keys, size_t n)
{
	uint32_t *order = malloc(n * sizeof(*order) + !n);

	assert_non_null(order);
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	keys->compared = 0;
	fg_sort(order, n, compare, keys);
	check_order(keys, order, n);
	free(order);
}

/* Sizes around powers of two times the length of the runs, and some others. */
static size_t next_size(size_t n)
{
	return n < 120 ? n + 1 : n + n / 13;
}

static void test_random_keys(void **state)
{
	static struct keys keys;
	struct random random = { 13 };

	(void)state;
	for (size_t n = 0; n < LARGEST; n = next_size(n))
		for (unsigned kinds = 1; kinds < 5000; kinds *= 7) {
			for (size_t i = 0; i < n; i++)
				keys.of[i] = (unsigned)random_below(&random, kinds);
			sort_and_check(&keys, n);
		}
}

static void test_descending_keys(void **state)
{
	static struct keys keys;

	(void)state;
	for (size_t n = 0; n < LARGEST; n = next_size(n)) {
		for (size_t i = 0; i < n; i++)
			keys.of[i] = (unsigned)(n - i) / 2;
		sort_and_check(&keys, n);
	}
}

static void test_sorted_input_costs_one_pass(void **state)
{
	static struct keys keys;

	(void)state;
	for (size_t i = 0; i < LARGEST; i++)
		keys.of[i] = (unsigned)i / 3;
	sort_and_check(&keys, LARGEST);
	assert_int_equal(keys.compared, LARGEST - 1);
}

static void test_nothing(void **state)
{
	(void)state;
	fg_sort(NULL, 0, compare, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_keys),
		cmocka_unit_test(test_descending_keys),
		cmocka_unit_test(test_sorted_input_costs_one_pass),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
