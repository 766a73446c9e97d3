/* Tests of lib/base/number: the same digits as printf. */
#include <stdio.h>
#include <string.h>

#include "lib/base/number.h"
#include "tests/unit/support/support.h"

static void check_fixed(double x, unsigned decimals)
{
	char want[64], got[64];
	char *end = fg_put_fixed(got, fg_fixed(x, decimals), decimals);

	snprintf(want, sizeof(want), "%.*f", (int)decimals, x);
	if (!strcmp(want, "-0.0") || !strcmp(want, "-0.00"))
		memmove(want, want + 1, strlen(want));
	check_str(fg_str_of(got, (size_t)(end - got)), fg_str_from(want), __FILE__,
		  __LINE__);
}

static void fixed_is_printf(void **state)
{
	static const double cases[] = { 0,     0.05,   0.15,	     0.25,    0.35,
					0.45,  0.005,  0.125,	     0.375,   1.005,
					2.675, 99.995, 99.95,	     1189.95, 12.25,
					12.75, 1e9,    123456789.05, 4e14,    0.1 + 0.2,
					-0.25, -12.5,  -0.04 };
	struct random r = { 42 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		check_fixed(cases[i], 1);
		check_fixed(cases[i], 2);
	}
	for (size_t i = 0; i < 200000; i++) {
		double x = (double)(random_next(&r) >> 24);

		x /= (double)(1 + random_below(&r, 1u << (i % 31)));
		check_fixed(x, 1 + i % 2);
	}
}

static void tenths(void **state)
{
	static const struct {
		int64_t tenths;
		const char *text;
	} cases[] = { { 0, "0" },      { 1, "0.1" },	  { 9, "0.9" },	  { 10, "1" },
		      { 105, "10.5" }, { 11800, "1180" }, { 999, "99.9" } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char got[FG_NUMBER_MAX];

		*fg_put_tenths(got, cases[i].tenths) = '\0';
		assert_string_equal(got, cases[i].text);
	}
}

static void fixed_is_cut(void **state)
{
	(void)state;
	assert_int_equal(fg_fixed(1e300, 1), INT64_C(10000000000000000));
	assert_int_equal(fg_fixed(-1e300, 2), -INT64_C(100000000000000000));
}

static void rounded_is_printf(void **state)
{
	static const double cases[] = {
		0, 0.5, 1.5, 2.5, 3.5, 0.49, 0.51, 1e15 + 0.5, 9007199254740993.0, 1e19
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char want[64], got[64];

		snprintf(want, sizeof(want), "%.0f", cases[i]);
		*fg_put_u64(got, fg_rounded(cases[i])) = '\0';
		assert_string_equal(got, want);
	}
	assert_true(fg_rounded(1e30) == UINT64_MAX);
}

static void whole_numbers(void **state)
{
	static const struct {
		uint64_t n;
		const char *plain, *commas;
	} cases[] = {
		{ 0, "0", "0" },
		{ 9, "9", "9" },
		{ 10, "10", "10" },
		{ 999, "999", "999" },
		{ 1000, "1000", "1,000" },
		{ 1002003, "1002003", "1,002,003" },
		{ UINT64_MAX, "18446744073709551615", "18,446,744,073,709,551,615" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char text[FG_NUMBER_MAX];

		*fg_put_u64(text, cases[i].n) = '\0';
		assert_string_equal(text, cases[i].plain);
		*fg_put_thousands(text, cases[i].n) = '\0';
		assert_string_equal(text, cases[i].commas);
	}
}

static void decimals_are_exact(void **state)
{
	char text[FG_NUMBER_MAX];

	(void)state;
	*fg_put_decimal(text, 1205, 2) = '\0';
	assert_string_equal(text, "12.05");
	*fg_put_decimal(text, 1200, 2) = '\0';
	assert_string_equal(text, "12");
	*fg_put_decimal(text, 5, 9) = '\0';
	assert_string_equal(text, "0.000000005");
	*fg_put_decimal(text, UINT64_MAX, 1) = '\0';
	assert_string_equal(text, "1844674407370955161.5");
}

/* Compares with "%.1f". */
static void assert_percent(double part, double whole, const char *expected)
{
	char text[32];

	snprintf(text, sizeof(text), "%.1f", fg_percent(part, whole));
	assert_string_equal(text, expected);
}

static void only_all_is_a_hundred_percent(void **state)
{
	(void)state;
	assert_percent(99949, 100000, "99.9");
	assert_percent(99950, 100000, "99.9");
	assert_percent(99999, 100000, "99.9");
	assert_percent(100000, 100000, "100.0");
	assert_percent(200000, 100000, "200.0");
	assert_percent(1, 3, "33.3");
	assert_percent(1, 0, "0.0");
}

static void assert_share(double part, double whole, const char *expected)
{
	char text[FG_NUMBER_MAX];

	*fg_put_percent(text, part, whole) = '\0';
	assert_string_equal(text, expected);
}

static void a_small_share_is_not_zero(void **state)
{
	(void)state;
	assert_share(0, 1000000, "0.0%");
	assert_share(500, 1000000, "0.05%");
	assert_share(1000, 1000000, "0.1%");
	assert_share(1, 8, "12.5%");
	assert_share(99999, 100000, "99.9%");
	assert_share(100000, 100000, "100%");
	assert_share(0, 0, "0.0%");
}

static void numbers_of_attributes(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	fg_add_number(&b, 15);
	fg_buf_add_char(&b, ' ');
	fg_add_number(&b, 7.5);
	fg_buf_add_char(&b, ' ');
	fg_add_number(&b, 0.59);
	fg_buf_add_char(&b, ' ');
	fg_add_number(&b, 100);
	assert_str(fg_buf_str(&b), "15 7.5 0.59 100");
	fg_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_is_printf),
		cmocka_unit_test(tenths),
		cmocka_unit_test(fixed_is_cut),
		cmocka_unit_test(rounded_is_printf),
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(decimals_are_exact),
		cmocka_unit_test(only_all_is_a_hundred_percent),
		cmocka_unit_test(a_small_share_is_not_zero),
		cmocka_unit_test(numbers_of_attributes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
