/*
 * Tests of lib/base/diag: messages at each verbosity, one line for each message.
 */
#include "lib/base/diag.h"
#include "tests/unit/support/support.h"

static void test_places(void **state)
{
	const struct fg_place whole = { "perf.txt", 0 };
	const struct fg_place line = { "perf.txt", UINT64_MAX };
	const struct fg_place nowhere = { NULL, 7 };
	const struct fg_place nameless = { "", 0 };
	struct caught c;

	(void)state;
	caught_init(&c);
	fg_error(&c.diag, NULL, "no input");
	fg_error(&c.diag, &whole, "cannot read");
	fg_error(&c.diag, &line, "odd: %d%%", 42);
	fg_error(&c.diag, &nowhere, "odd");
	fg_error(&c.diag, &nameless, "cannot open");
	assert_str(fg_buf_str(&c.text),
		   "prog: no input\n"
		   "prog: perf.txt: cannot read\n"
		   "prog: perf.txt:18446744073709551615: odd: 42%\n"
		   "prog: odd\n"
		   "prog: '': cannot open\n");
	caught_release(&c);
}

static void test_verbosity(void **state)
{
	static const struct {
		enum fg_verbosity verbosity;
		struct fg_str want;
	} rows[] = {
		{ FG_QUIET, FG_STR_INIT("prog: e\n") },
		{ FG_NORMAL, FG_STR_INIT("prog: e\nprog: w\n") },
		{ FG_VERBOSE, FG_STR_INIT("prog: e\nprog: w\nprog: n\n") },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct caught c;

		caught_init(&c);
		assert_int_equal(c.diag.verbosity, FG_NORMAL);
		c.diag.verbosity = rows[i].verbosity;
		fg_error(&c.diag, NULL, "e");
		fg_warn(&c.diag, NULL, "w");
		fg_note(&c.diag, NULL, "n");
		assert_str_is(fg_buf_str(&c.text), rows[i].want);
		assert_int_equal(c.diag.errors, 1);
		assert_int_equal(c.diag.warnings, 1);
		caught_release(&c);
	}
}

static void test_a_message_is_one_line(void **state)
{
	const struct fg_place at = { "a\nb\x1b[2J\xc3\xa4\xc2\x9b\x9b", 1 };
	struct caught c;

	(void)state;
	caught_init(&c);
	fg_error(&c.diag, &at, "got '%s'", "x\r\t\x7f");
	assert_str(fg_buf_str(&c.text), "prog: a\\nb\\x1b[2J\xc3\xa4\\xc2\\x9b\\x9b:1: "
					"got 'x\\x0d\t\\x7f'\n");
	caught_release(&c);
}

static void test_a_message_has_any_length(void **state)
{
	struct caught c;

	(void)state;
	caught_init(&c);
	fg_warn(&c.diag, NULL, "%100000d", 1);
	assert_int_equal(c.text.len, 6 + 100000 + 1);
	caught_release(&c);
}

static void complain(void)
{
	const struct fg_place at = { "in", 3 };
	struct fg_diag diag;

	fg_diag_init(&diag, "prog");
	fg_error(&diag, &at, "first");
	fg_note(&diag, &at, "not shown");
	fg_warn(&diag, NULL, "second");
}

static void test_standard_error(void **state)
{
	struct fg_buf errors = FG_BUF_INIT;

	(void)state;
	assert_int_equal(run_apart(complain, &errors), 0);
	assert_str(fg_buf_str(&errors), "prog: in:3: first\nprog: second\n");
	fg_buf_release(&errors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_verbosity),
		cmocka_unit_test(test_a_message_is_one_line),
		cmocka_unit_test(test_a_message_has_any_length),
		cmocka_unit_test(test_standard_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
