/* Tests of collapse/names: offsets and versions are cut off, parts of names stay. */
#include "collapse/names.h"
#include "tests/unit/support/support.h"

static void test_offsets(void **state)
{
	static const char *const names[][2] = {
		{ "main+0x1f", "main" },
		{ "main+0x1f/0x30", "main" },
		{ "operator++0x1", "operator+" },
		{ "operator+", "operator+" },
		{ "main+31", "main+31" },
		{ "main+0x", "main+0x" },
		{ "main/0x30", "main/0x30" },
		{ "a+0x1+0x2", "a+0x1" },
		{ "+0x1", "" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_str_is(fg_name_cut_offset(fg_str_from(names[i][0])),
			      fg_str_from(names[i][1]));
}

static void test_versions(void **state)
{
	static const char *const names[][2] = {
		{ "qsort@@GLIBC_2.2.5", "qsort" },
		{ "qsort@GLIBC_2.34", "qsort" },
		{ "f@@Qt_5", "f" },
		{ "f@LIB_A_1.0", "f" },
		{ "f@plt", "f@plt" },
		{ "f@@", "f@@" },
		{ "f@_1", "f@_1" },
		{ "f@V1", "f@V1" },
		{ "f@V_", "f@V_" },
		{ "@GLIBC_2.34", "@GLIBC_2.34" },
		{ "a@GLIBC_2.34@b", "a@GLIBC_2.34@b" },
		{ "GLIBC_2.34", "GLIBC_2.34" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_str_is(fg_name_cut_version(fg_str_from(names[i][0])),
			      fg_str_from(names[i][1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_versions),
	};

	return cmocka_run_group_tests_name("affixes", tests, NULL, NULL);
}
