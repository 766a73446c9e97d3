/* Tests of the header line "# quality:": what is read, added up and written. */
#include "lib/profile/quality.h"
#include "tests/unit/support/support.h"

/* Checks what is written after the values were read one after another. */
static void check(const char *const *values, const char *written)
{
	struct fg_quality q = { .partial = false };
	struct fg_buf text = FG_BUF_INIT;

	for (; *values; values++)
		fg_quality_read(&q, fg_str_from(*values));
	fg_quality_add_value(&q, &text);
	assert_string_equal(fg_buf_cstr(&text), written);
	fg_buf_release(&text);
}

#define CHECK(written, ...) check((const char *const[]){ __VA_ARGS__, NULL }, written)

static void words_are_read_in_any_order(void **state)
{
	(void)state;
	CHECK("samples=7", "samples=7");
	CHECK("samples=7 ns=5 lost=2 cut=1", " lost=2  cut=1 samples=7 ns=5 ");
	CHECK("dropped=3", "dropped=3");
	CHECK("samples=0", "samples=0");
	CHECK("stacks=4 lost=1", "lost=1 stacks=4");
	CHECK("samples=7", "samples=7 later=9");
	CHECK("samples=7,8 truncated=0,1", "samples=7,8 truncated=0,1 lost=0,0");
}

static void malformed_values_are_ignored(void **state)
{
	(void)state;
	CHECK("", "");
	CHECK("", "samples=x");
	CHECK("", "samples=1 lost=-1");
	CHECK("", "samples=1,2,3");
	CHECK("", "samples");
	CHECK("", "samples=18446744073709551616");
	CHECK("samples=5", "samples=5", "samples=7 lost=x");
}

static void numbers_are_added_up(void **state)
{
	(void)state;
	CHECK("samples=12 ns=3 lost=4", "samples=5 ns=1 lost=4", "samples=7 ns=2");
	CHECK("samples=18446744073709551615", "samples=18446744073709551615",
	      "samples=1");
	CHECK("samples=1,9", "samples=1,2", "samples=7");
}

static void a_part_without_the_line_makes_all_unknown(void **state)
{
	struct fg_quality q = { .partial = true };
	struct fg_buf lines = FG_BUF_INIT;

	(void)state;
	fg_quality_read(&q, FG_STR("samples=5"));
	fg_quality_add_line(&q, &lines);
	assert_int_equal(lines.len, 0);
	q = (struct fg_quality){ .partial = false };
	fg_quality_read(&q, FG_STR("samples=5"));
	fg_quality_add_line(&q, &lines);
	assert_string_equal(fg_buf_cstr(&lines), "# quality: samples=5\n");
	fg_buf_release(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read_in_any_order),
		cmocka_unit_test(malformed_values_are_ignored),
		cmocka_unit_test(numbers_are_added_up),
		cmocka_unit_test(a_part_without_the_line_makes_all_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
