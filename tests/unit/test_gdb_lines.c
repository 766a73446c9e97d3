/* Tests of collapse/formats/gdb/row: which lines are frames, and what they say. */
#include "lib/recognize/gdb.h"

#include "tests/unit/support/support.h"

/*
 * The bytes after a line in memory do not belong to it; here they would make it a
 * frame.
 */
static void what_is_behind_a_line_is_not_looked_at(void **state)
{
	static const struct {
		const char *all;
		size_t len;
	} rows[] = {
		{ "#0  beta (argc=1)", 14 },
		{ "#0  beta (...)", 13 },
		{ "#0  beta ()", 10 },
		{ "#0  <signal>", 11 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_str all = fg_str_from(rows[i].all);

		assert_true(gdb_row_is(all, 0));
		assert_false(gdb_row_is(fg_str_before(all, rows[i].len), 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_behind_a_line_is_not_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
