/* Tests of lib/base/hash: it uses every byte and reads none beyond the end. */
#include <stdlib.h>
#include <string.h>

/*
 * 64-bit machines have a product of 128 bits; we compare the portable one with it.
 */
#ifdef __SIZEOF_INT128__
#define HAVE_WIDE_PRODUCT 1
__extension__ typedef unsigned __int128 wide;
#undef __SIZEOF_INT128__
#else
#define HAVE_WIDE_PRODUCT 0
#endif
#include "lib/base/hash.h"
#include "tests/unit/support/support.h"

static void test_portable_product(void **state)
{
	(void)state;
#if HAVE_WIDE_PRODUCT
	static const uint64_t edges[] = {
		0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX
	};
	struct random random = { 5 };

	for (size_t i = 0; i < 100000; i++) {
		size_t edge = i % COUNT_OF(edges);
		size_t other = i / COUNT_OF(edges) % COUNT_OF(edges);
		uint64_t a = i < 40 ? edges[edge] : random_next(&random);
		uint64_t b = i < 80 ? edges[other] : random_next(&random);
		wide product = (wide)a * b;

		assert_int_equal(fg_hash_mix(a, b),
				 (uint64_t)product ^ (uint64_t)(product >> 64));
	}
#else
	skip();
#endif
}

/* Returns how many of 1,000 keys, in steps of `step`, get a slot that is taken. */
static size_t shared_slots(uint64_t seed, uint64_t step)
{
	enum { KEYS = 1000, SLOTS = 2048 };
	unsigned char taken[SLOTS] = { 0 };
	size_t shared = 0;

	for (uint64_t i = 1; i <= KEYS; i++)
		shared += taken[fg_hash_pair(i * step, 0, seed) % SLOTS]++ != 0;
	return shared;
}

/* By chance, 215 of 1,000 keys get such a slot; only few seeds would reach 300. */
static void test_numbers_in_steps_are_spread_by_any_seed(void **state)
{
	static const uint64_t steps[] = { 1, 8, 4096, UINT64_C(1) << 32 };
	struct random random = { 3 };

	(void)state;
	for (size_t i = 0; i < 4000; i++)
		assert_true(shared_slots(random_next(&random),
					 steps[i % COUNT_OF(steps)]) < 300);
}

/* Copies the bytes to a block of just their size, so that ASan sees a byte too many. */
static uint64_t hash_alone(const char *bytes, size_t len)
{
	char *copy = malloc(len ? len : 1);
	uint64_t hash;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	hash = fg_hash_bytes(copy, len, 0);
	free(copy);
	return hash;
}

static void test_every_bit_counts(void **state)
{
	struct random random = { 9 };
	char bytes[70];

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)random_below(&random, 256);
	for (size_t len = 1; len < sizeof(bytes); len++) {
		uint64_t hash = hash_alone(bytes, len);

		assert_int_equal(hash_alone(bytes, len), hash);
		for (size_t bit = 0; bit < 8 * len; bit++) {
			bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
			assert_true(hash_alone(bytes, len) != hash);
			bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
		}
	}
}

static void test_length_and_seed_count(void **state)
{
	static const char zeros[65];

	(void)state;
	for (size_t len = 0; len < 64; len++) {
		for (size_t other = 0; other < len; other++)
			assert_true(fg_hash_bytes(zeros, len, 0) !=
				    fg_hash_bytes(zeros, other, 0));
		assert_true(fg_hash_bytes(zeros, len, 0) !=
			    fg_hash_bytes(zeros, len, 1));
	}
	assert_int_equal(fg_hash_bytes(NULL, 0, 0), fg_hash_bytes(zeros, 0, 0));
}

/* Bytes that make a factor 0 if one knows the seed; only the last 8 differ. */
static size_t count_collisions(uint64_t known, uint64_t seed)
{
	enum { NAMES = 100 };
	uint64_t zero = FG_HASH_K1 ^ known, first = 0;
	size_t collisions = 0;
	char name[16];

	memcpy(name, &zero, sizeof(zero));
	for (uint64_t i = 0; i < NAMES; i++) {
		uint64_t hash;

		memcpy(name + sizeof(zero), &i, sizeof(i));
		hash = fg_hash_bytes(name, sizeof(name), seed);
		if (i == 0)
			first = hash;
		else
			collisions += hash == first;
	}
	return collisions;
}

static void test_a_seed_that_is_not_known_keeps_names_apart(void **state)
{
	uint64_t seed = fg_hash_seed();

	(void)state;
	assert_int_equal(count_collisions(0, 0), 99);
	assert_int_equal(count_collisions(seed, seed), 99);
	assert_int_equal(count_collisions(0, seed), 0);
	assert_int_equal(count_collisions(seed, fg_hash_seed()), 0);
}

/* Puts names that differ in one digit into buckets, by low and by high bits. */
static void test_similar_names_spread(void **state)
{
	enum { BUCKETS = 1024, NAMES = 8 * BUCKETS };
	static unsigned low[BUCKETS], high[BUCKETS];
	struct fg_buf name = FG_BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < NAMES; i++) {
		uint64_t hash;

		fg_buf_clear(&name);
		fg_buf_addf(&name, "std::vector<T%u>::push_back", i);
		hash = fg_hash_bytes(name.ptr, name.len, 0);
		low[hash % BUCKETS]++;
		high[(hash >> 32) % BUCKETS]++;
	}
	fg_buf_release(&name);
	for (unsigned i = 0; i < BUCKETS; i++) {
		assert_in_range(low[i], 0, 30);
		assert_in_range(high[i], 0, 30);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_portable_product),
		cmocka_unit_test(test_every_bit_counts),
		cmocka_unit_test(test_numbers_in_steps_are_spread_by_any_seed),
		cmocka_unit_test(test_length_and_seed_count),
		cmocka_unit_test(test_a_seed_that_is_not_known_keeps_names_apart),
		cmocka_unit_test(test_similar_names_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
