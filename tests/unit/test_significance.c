/* Tests of reportfolded/significance: what is noise. */
#include <math.h>

#include "reportfolded/significance.h"
#include "tests/unit/support/support.h"

/* As other programs compute it, without a correction for continuity. */
static void known_values(void **state)
{
	static const struct {
		struct fg_proportion before, after;
		double z, p;
	} cases[] = {
		{ { 20, 100 }, { 35, 100 }, 2.375423, 0.017529 },
		{ { 50, 1000 }, { 80, 1000 }, 2.721095, 0.006507 },
		{ { 473, 500 }, { 450, 500 }, -2.728234, 0.006367 },
		{ { 1, 1e6 }, { 30, 1e6 }, 5.208594, 0.00000019 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		double z = fg_two_proportions(cases[i].before, cases[i].after);
		double back = fg_two_proportions(cases[i].after, cases[i].before);

		assert_true(fabs(z - cases[i].z) < 1e-5);
		assert_true(fabs(back + cases[i].z) < 1e-5);
		assert_true(fabs(fg_two_sided(z) - cases[i].p) < 1e-6);
	}
	assert_true(fabs(fg_two_sided(1.959964) - 0.05) < 1e-6);
	assert_true(fabs(fg_two_sided(-2.575829) - 0.01) < 1e-6);
}

static void nothing_can_be_told(void **state)
{
	const struct fg_proportion none = { 0, 100 }, all = { 100, 100 };
	const struct fg_proportion empty = { 0, 0 }, some = { 30, 100 };

	(void)state;
	assert_true(fg_two_proportions(none, none) == 0);
	assert_true(fg_two_proportions(all, all) == 0);
	assert_true(fg_two_proportions(empty, some) == 0);
	assert_true(fg_two_proportions(some, empty) == 0);
	assert_true(fg_two_proportions(some, some) == 0);
	assert_true(fg_two_sided(0) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values),
		cmocka_unit_test(nothing_can_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
