/* Tests of lib/base/compat: names that programs may be called by. */
#include "lib/base/compat.h"
#include "tests/unit/support/support.h"

static void names_of_older_tools(void **state)
{
	static const struct {
		const char *argv0;
		enum fg_compat compat;
	} rows[] = {
		{ "flamegraph", FG_COMPAT_NONE },
		{ "/usr/bin/flamegraph", FG_COMPAT_NONE },
		{ "flamegraph.pl", FG_COMPAT_PERL },
		{ "/opt/FlameGraph/difffolded.pl", FG_COMPAT_PERL },
		{ "inferno-flamegraph", FG_COMPAT_INFERNO },
		{ "../bin/inferno-diff-folded", FG_COMPAT_INFERNO },
		{ "/inferno-build.pl/flamegraph", FG_COMPAT_NONE },
		{ "my-inferno-flamegraph", FG_COMPAT_NONE },
		{ "", FG_COMPAT_NONE },
		{ NULL, FG_COMPAT_NONE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(fg_compat_called_as(rows[i].argv0), rows[i].compat);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_older_tools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
