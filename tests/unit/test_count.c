/*
 * Tests of lib/base/count: exact decimals, and sums of 128 bits checked limb by limb.
 */
#include <math.h>
#include <string.h>

#include "lib/base/count.h"
#include "tests/unit/support/support.h"

/* A number of 256 bits in limbs of 16: slow, but so simple that it must be right. */
#define LIMBS 16
struct big {
	uint32_t limb[LIMBS];
};

static struct big big_of(struct fg_sum sum)
{
	struct big b = { { 0 } };

	for (unsigned i = 0; i < 4; i++) {
		b.limb[i] = (uint32_t)(sum.low >> 16 * i & 0xffff);
		b.limb[4 + i] = (uint32_t)(sum.high >> 16 * i & 0xffff);
	}
	return b;
}

static struct big big_add(struct big a, struct big b)
{
	uint32_t carry = 0;

	for (unsigned i = 0; i < LIMBS; i++) {
		carry += a.limb[i] + b.limb[i];
		a.limb[i] = carry & 0xffff;
		carry >>= 16;
	}
	return a;
}

static struct big big_mul(struct big a, struct big b)
{
	struct big product = { { 0 } };

	for (unsigned i = 0; i < LIMBS; i++) {
		uint64_t carry = 0;

		for (unsigned j = 0; i + j < LIMBS; j++) {
			carry += (uint64_t)a.limb[i] * b.limb[j] + product.limb[i + j];
			product.limb[i + j] = (uint32_t)(carry & 0xffff);
			carry >>= 16;
		}
	}
	return product;
}

static int big_cmp(struct big a, struct big b)
{
	for (unsigned i = LIMBS; i-- > 0;)
		if (a.limb[i] != b.limb[i])
			return a.limb[i] < b.limb[i] ? -1 : 1;
	return 0;
}

/* Returns the number, or 2^128-1 if it does not fit into 128 bits. */
static struct big big_most(struct big a)
{
	bool fits = true;

	for (unsigned i = LIMBS / 2; i < LIMBS; i++)
		fits = fits && !a.limb[i];
	for (unsigned i = 0; i < LIMBS && !fits; i++)
		a.limb[i] = i < LIMBS / 2 ? 0xffff : 0;
	return a;
}

static struct fg_sum sum_of(uint64_t high, uint64_t low)
{
	return (struct fg_sum){ .low = low, .high = high };
}

static struct big big_u64(uint64_t n)
{
	return big_of(sum_of(0, n));
}

#define TOP (UINT64_C(1) << 63)

/* Words with few and with many bits, and the edges. */
static uint64_t random_word(struct random *random)
{
	static const uint64_t edges[] = { 0,
					  1,
					  2,
					  9,
					  10,
					  UINT32_MAX,
					  UINT64_C(1) << 32,
					  TOP - 1,
					  TOP,
					  TOP + 1,
					  UINT64_MAX - 1,
					  UINT64_MAX };

	if (random_below(random, 2))
		return edges[random_below(random, COUNT_OF(edges))];
	return random_next(random) >> random_below(random, 64);
}

static struct fg_sum random_sum(struct random *random)
{
	return sum_of(random_below(random, 3) ? random_word(random) : 0,
		      random_word(random));
}

static void test_powers(void **state)
{
	uint64_t power = 1;

	(void)state;
	for (unsigned exponent = 0; exponent < 20; exponent++) {
		assert_int_equal(fg_pow10(exponent), power);
		power *= 10;
	}
}

static void test_parsing(void **state)
{
	static const struct {
		struct fg_str s;
		uint64_t digits;
		unsigned decimals;
	} rows[] = {
		{ FG_STR_INIT("0"), 0, 0 },
		{ FG_STR_INIT("12"), 12, 0 },
		{ FG_STR_INIT("120"), 120, 0 },
		{ FG_STR_INIT("12."), 12, 0 },
		{ FG_STR_INIT("12.5"), 125, 1 },
		{ FG_STR_INIT("012.50"), 125, 1 },
		{ FG_STR_INIT("12.05000"), 1205, 2 },
		{ FG_STR_INIT("0.000000000"), 0, 0 },
		{ FG_STR_INIT("0.000000001"), 1, 9 },
		{ FG_STR_INIT("0.0000000019"), 1, 9 },
		{ FG_STR_INIT("1.9999999999999999999999"), 1999999999, 9 },
		{ FG_STR_INIT("18446744073709551615"), UINT64_MAX, 0 },
		{ FG_STR_INIT("18446744073709551615.9"), UINT64_MAX, 0 },
		{ FG_STR_INIT("1844674407370955161.5"), UINT64_MAX, 1 },
		{ FG_STR_INIT("1844674407370955161.6"), UINT64_C(1844674407370955161),
		  0 },
		{ FG_STR_INIT("1844674407370955160.61"), UINT64_C(18446744073709551606),
		  1 },
		{ FG_STR_INIT("1844674407370955161.60"), UINT64_C(1844674407370955161),
		  0 },
		{ FG_STR_INIT("18446744073.709551616"), UINT64_C(1844674407370955161),
		  8 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_count count;

		assert_int_equal(fg_count_parse(rows[i].s, &count), 0);
		assert_int_equal(count.digits, rows[i].digits);
		assert_int_equal(count.decimals, rows[i].decimals);
	}
}

static void test_text_that_is_not_a_count(void **state)
{
	static const struct fg_str rows[] = {
		{ NULL, 0 },
		FG_STR_INIT("."),
		FG_STR_INIT(".5"),
		FG_STR_INIT("-1"),
		FG_STR_INIT("+1"),
		FG_STR_INIT(" 1"),
		FG_STR_INIT("1 "),
		FG_STR_INIT("1.2.3"),
		FG_STR_INIT("1.2x"),
		FG_STR_INIT("1.\0"),
		FG_STR_INIT("1e3"),
		FG_STR_INIT("1,5"),
		FG_STR_INIT("0x1"),
		FG_STR_INIT("1.00000000000x"),
		FG_STR_INIT("18446744073709551616"),
		FG_STR_INIT("18446744073709551615.5x"),
		FG_STR_INIT("100000000000000000000"),
	};
	struct fg_count count;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(fg_count_parse(rows[i], &count), -1);
}

static void test_scaling(void **state)
{
	static const struct {
		struct fg_count count;
		unsigned decimals;
		int status;
		uint64_t want;
	} rows[] = {
		{ { 125, 1 }, 1, 0, 125 },
		{ { 125, 1 }, 3, 0, 12500 },
		{ { 124, 1 }, 0, 0, 12 },
		{ { 125, 1 }, 0, 0, 13 },
		{ { 4, 1 }, 0, 0, 0 },
		{ { 5, 1 }, 0, 0, 1 },
		{ { 49999, 5 }, 0, 0, 0 },
		{ { 50000, 5 }, 0, 0, 1 },
		{ { 0, 0 }, 9, 0, 0 },
		{ { UINT64_MAX, 0 }, 0, 0, UINT64_MAX },
		{ { UINT64_MAX, 9 }, 9, 0, UINT64_MAX },
		{ { UINT64_MAX, 1 }, 0, 0, UINT64_C(1844674407370955162) },
		{ { UINT64_MAX, 0 }, 1, -1, 0 },
		{ { UINT64_MAX / 10, 0 }, 1, 0, UINT64_MAX / 10 * 10 },
		{ { UINT64_MAX / 10 + 1, 0 }, 1, -1, 0 },
		{ { UINT64_C(18446744073), 0 }, 9, 0, UINT64_C(18446744073000000000) },
		{ { UINT64_C(18446744074), 0 }, 9, -1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t digits = 0;

		assert_int_equal(
			fg_count_scale(rows[i].count, rows[i].decimals, &digits),
			rows[i].status);
		if (!rows[i].status)
			assert_int_equal(digits, rows[i].want);
	}
}

#define ROUNDS 20000

static void assert_big_equal(struct big a, struct big b)
{
	assert_memory_equal(a.limb, b.limb, sizeof(a.limb));
}

static void test_adding_and_multiplying(void **state)
{
	struct random random = { 31 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct fg_sum a = random_sum(&random), b = random_sum(&random), sum = a;
		uint64_t n = random_word(&random);

		fg_sum_add(&sum, n);
		assert_big_equal(big_of(sum), big_most(big_add(big_of(a), big_u64(n))));
		sum = a;
		fg_sum_add_sum(&sum, b);
		assert_big_equal(big_of(sum), big_most(big_add(big_of(a), big_of(b))));
		assert_big_equal(big_of(fg_sum_mul(a, n)),
				 big_most(big_mul(big_of(a), big_u64(n))));
		assert_int_equal(fg_sum_is_zero(a), !(a.low | a.high));
		sum = fg_sum_less(a, b);
		if (a.high > b.high || (a.high == b.high && a.low > b.low)) {
			fg_sum_add_sum(&sum, b);
			assert_big_equal(big_of(sum), big_of(a));
		} else {
			assert_true(fg_sum_is_zero(sum));
		}
	}
}

/* Checks that sum == quotient * n + rest, and rest < n. */
static void test_dividing(void **state)
{
	struct random random = { 37 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct fg_sum sum = random_sum(&random), quotient;
		uint64_t n = random_word(&random), rest;

		if (!n)
			continue;
		quotient = fg_sum_div(sum, n, &rest);
		assert_true(rest < n);
		assert_big_equal(
			big_add(big_mul(big_of(quotient), big_u64(n)), big_u64(rest)),
			big_of(sum));
		assert_big_equal(big_of(fg_sum_div(sum, n, NULL)), big_of(quotient));
	}
}

/* Checks that share * of <= whole * part < (share + 1) * of. */
static void test_sharing(void **state)
{
	struct random random = { 41 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct fg_sum whole = random_sum(&random), part = random_sum(&random);
		struct fg_sum of = random_sum(&random), share;
		struct big product, low, high;

		if (fg_sum_is_zero(of) || big_cmp(big_of(part), big_of(of)) > 0)
			continue;
		share = fg_sum_share(whole, part, of);
		product = big_mul(big_of(whole), big_of(part));
		low = big_mul(big_of(share), big_of(of));
		high = big_mul(big_add(big_of(share), big_u64(1)), big_of(of));
		assert_true(big_cmp(low, product) <= 0);
		assert_true(big_cmp(product, high) < 0);
	}
}

static void test_as_double(void **state)
{
	struct random random = { 43 };

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct fg_sum sum = random_sum(&random);
		struct big b = big_of(sum);
		double want = 0;

		for (unsigned limb = LIMBS; limb-- > 0;)
			want = want * 65536 + b.limb[limb];
		assert_true(fabs(fg_sum_double(sum) - want) <= want * 1e-15);
	}
	assert_true(fg_sum_double(sum_of(0, TOP)) == 9223372036854775808.0);
}

static void test_printing(void **state)
{
	static const struct {
		uint64_t high, low;
		unsigned decimals;
		struct fg_str want;
	} rows[] = {
		{ 0, 0, 0, FG_STR_INIT("0") },
		{ 0, 0, 9, FG_STR_INIT("0") },
		{ 0, 7, 0, FG_STR_INIT("7") },
		{ 0, 7, 1, FG_STR_INIT("0.7") },
		{ 0, 70, 1, FG_STR_INIT("7") },
		{ 0, 1250, 2, FG_STR_INIT("12.5") },
		{ 0, 1205, 2, FG_STR_INIT("12.05") },
		{ 0, 1, 9, FG_STR_INIT("0.000000001") },
		{ 0, UINT64_MAX, 0, FG_STR_INIT("18446744073709551615") },
		{ 0, UINT64_MAX, 9, FG_STR_INIT("18446744073.709551615") },
		{ 1, 0, 0, FG_STR_INIT("18446744073709551616") },
		{ 1, 0, 1, FG_STR_INIT("1844674407370955161.6") },
		{ 10, 0, 1, FG_STR_INIT("18446744073709551616") },
		{ UINT64_MAX, UINT64_MAX, 0,
		  FG_STR_INIT("340282366920938463463374607431768211455") },
		{ UINT64_MAX, UINT64_MAX, 9,
		  FG_STR_INIT("340282366920938463463374607431.768211455") },
	};
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		fg_buf_clear(&b);
		fg_buf_add_sum(&b, sum_of(rows[i].high, rows[i].low), rows[i].decimals);
		assert_str_is(fg_buf_str(&b), rows[i].want);
	}
	fg_buf_release(&b);
}

/* A number that is printed without decimals reads back as the same number. */
static void test_printed_digits(void **state)
{
	struct random random = { 47 };
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (int i = 0; i < ROUNDS / 10; i++) {
		struct fg_sum sum = random_sum(&random);
		struct big read = { { 0 } };

		fg_buf_clear(&b);
		fg_buf_add_sum(&b, sum, 0);
		assert_true(b.len == 1 || b.ptr[0] != '0');
		for (size_t at = 0; at < b.len; at++)
			read = big_add(big_mul(read, big_u64(10)),
				       big_u64((uint64_t)(b.ptr[at] - '0')));
		assert_big_equal(read, big_of(sum));
	}
	fg_buf_release(&b);
}

static void test_shift(void **state)
{
	static const struct {
		struct fg_count count;
		int exponent, status;
		struct fg_count want;
	} cases[] = {
		{ { 125, 2 }, 3, 0, { 1250, 0 } },
		{ { 125, 2 }, 2, 0, { 125, 0 } },
		{ { 125, 2 }, -3, 0, { 125, 5 } },
		{ { 0, 0 }, 300, 0, { 0, 0 } },
		{ { 7, 0 }, -300, 0, { 0, 9 } },
		{ { 5, 0 }, -10, 0, { 1, 9 } },
		{ { 4, 0 }, -10, 0, { 0, 9 } },
		{ { UINT64_MAX, 0 }, -29, 0, { 0, 9 } },
		{ { UINT64_MAX, 0 }, -28, 0, { 2, 9 } },
		{ { 1, 0 }, 19, 0, { 10000000000000000000u, 0 } },
		{ { 2, 0 }, 19, -1, { 2, 0 } },
		{ { 1, 0 }, 20, -1, { 1, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_count count = cases[i].count;

		assert_int_equal(fg_count_shift(&count, cases[i].exponent),
				 cases[i].status);
		assert_int_equal(count.digits, cases[i].want.digits);
		assert_int_equal(count.decimals, cases[i].want.decimals);
	}
}

static void test_common_divisor(void **state)
{
	(void)state;
	assert_int_equal(fg_common_divisor(12, 18), 6);
	assert_int_equal(fg_common_divisor(0, 18), 18);
	assert_int_equal(fg_common_divisor(18, 0), 18);
	assert_int_equal(fg_common_divisor(0, 0), 0);
	assert_int_equal(fg_common_divisor(UINT64_MAX, UINT64_MAX - 1), 1);
	assert_true(fg_common_divisor(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shift),
		cmocka_unit_test(test_powers),
		cmocka_unit_test(test_common_divisor),
		cmocka_unit_test(test_parsing),
		cmocka_unit_test(test_text_that_is_not_a_count),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_adding_and_multiplying),
		cmocka_unit_test(test_dividing),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_as_double),
		cmocka_unit_test(test_printing),
		cmocka_unit_test(test_printed_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
