/* Tests of collapse/decimal: digits, exponents, rounding, numbers that do not fit. */
#include "collapse/decimal.h"
#include "tests/unit/support/support.h"

static void expect(const char *text, int shift, int64_t value)
{
	int64_t got = -1;

	assert_int_equal(fg_decimal_i64(fg_str_from(text), shift, &got), 0);
	assert_int_equal(got, value);
}

static void expect_none(const char *text, int shift)
{
	int64_t got;

	assert_int_equal(fg_decimal_i64(fg_str_from(text), shift, &got), -1);
}

static void numbers_are_read(void **state)
{
	(void)state;
	expect("0", 3, 0);
	expect("-0", 3, 0);
	expect("12", 0, 12);
	expect("12", 3, 12000);
	expect("-12.5", 3, -12500);
	expect("0.005", 9, 5000000);
	expect("1.5e3", 0, 1500);
	expect("1.5E+3", -2, 15);
	expect("25e-1", 1, 25);
	expect("0e999999999999999999999", 9, 0);
	expect("1e-999999999999999999999", 9, 0);
	expect("9223372036854775807", 0, INT64_MAX);
	expect("18446744064077150000", -3, 18446744064077150);
}

static void halves_go_away_from_zero(void **state)
{
	(void)state;
	expect("0.5", 0, 1);
	expect("-0.5", 0, -1);
	expect("0.4999999999999999999999", 0, 0);
	expect("2.4", 0, 2);
	expect("15", -1, 2);
	expect("9.999999999999999999", 0, 10);
	expect("5e-20", 19, 1);
	expect("0.000000000000000000001", 9, 0);
}

static void malformed_numbers_are_refused(void **state)
{
	static const char *const texts[] = {
		"", "-", ".5", "5.", "1e", "1e+", "+1", "0x10", "1 ", "NaN", "--1",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		expect_none(texts[i], 0);
	expect_none("9223372036854775808", 0);
	expect_none("1e19", 0);
	expect_none("1e99999999999", 0);
	expect_none("10000000000", 9);
}

static void sums_may_have_128_bits(void **state)
{
	struct fg_sum sum;
	bool negative;

	(void)state;
	assert_int_equal(
		fg_decimal_sum(FG_STR("-28446744073709551616"), 0, &sum, &negative), 0);
	assert_true(negative);
	assert_int_equal(sum.high, 1);
	assert_int_equal(sum.low, UINT64_C(9999999999999999994)); /* ends in 0 */
	assert_int_equal(fg_decimal_sum(FG_STR("3e38"), 0, &sum, &negative), 0);
	assert_int_equal(fg_decimal_sum(FG_STR("4e38"), 0, &sum, &negative), -1);
	assert_true(fg_sum_is_zero(sum));
	assert_int_equal(
		fg_decimal_sum(FG_STR("18446744073709551615"), 0, &sum, &negative), 0);
	assert_true(sum.low == UINT64_MAX && !sum.high);
	assert_int_equal(
		fg_decimal_sum(FG_STR("18446744073709551616.9"), 0, &sum, &negative),
		0);
	assert_true(sum.low == UINT64_MAX - 5 && !sum.high);
	assert_int_equal(fg_decimal_sum(FG_STR("1e20"), 19, &sum, &negative), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read),
		cmocka_unit_test(halves_go_away_from_zero),
		cmocka_unit_test(malformed_numbers_are_refused),
		cmocka_unit_test(sums_may_have_128_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
