/* Tests of lib/profile/totals and amount: recorded totals of a scaled difference. */
#include <stdio.h>

#include "lib/profile/amount.h"
#include "lib/profile/folded_input.h"
#include "lib/profile/totals.h"
#include "tests/unit/support/support.h"

static int add(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	(void)at;
	return fg_tree_add(data, folded);
}

/* Appends the totals of a differential profile. */
static void say(const char *text, struct fg_buf *said, struct caught *c)
{
	const struct fg_place at = { "input", 0 };
	struct fg_totals_words words = { .factor = 1 };
	struct fg_unit unit = { .mixed_units = false };
	struct fg_sample_weight weight;
	struct fg_folded_input in;
	struct fg_totals totals;
	struct fg_tree tree;
	struct fg_str rest = fg_str_from(text);

	fg_tree_init(&tree, FG_TREE_SORTED);
	fg_folded_input_init(&in, &c->diag, &unit, add, &tree);
	while (rest.len)
		assert_int_equal(
			fg_folded_input_line(&in, fg_str_cut(&rest, '\n'), &at), 0);
	assert_int_equal(fg_folded_input_end(&in), 0);
	fg_tree_finish(&tree);
	fg_sample_weight_find(&weight, &tree,
			      &(struct fg_sample_weight_hints){
				      .header = fg_buf_str(&unit.sample_weight),
			      },
			      &c->diag);
	fg_totals_find(&totals, &tree, &unit, &weight, &c->diag);
	words.unit = words.word = fg_buf_str(&unit.unit);
	words.event = fg_buf_str(&unit.event);
	fg_totals_add(&totals, &words, said);
	fg_folded_input_release(&in);
	fg_tree_release(&tree);
	fg_unit_release(&unit);
}

static void assert_says(const char *text, const char *expected)
{
	struct fg_buf said = FG_BUF_INIT;
	struct caught c;

	caught_init(&c);
	say(text, &said, &c);
	assert_string_equal(fg_buf_cstr(&said), expected);
	assert_str(fg_buf_str(&c.text), "");
	fg_buf_release(&said);
	caught_release(&c);
}

static void assert_ignored(const char *text, const char *message)
{
	struct fg_buf said = FG_BUF_INIT;
	struct caught c;

	caught_init(&c);
	say(text, &said, &c);
	assert_has(fg_buf_str(&c.text), message);
	assert_false(fg_str_has(fg_buf_str(&said), FG_STR("shares")));
	fg_buf_release(&said);
	caught_release(&c);
}

#define ARROW " \xe2\x86\x92 "
#define TIMES "\xc3\x97"
#define SCALED "; shares are compared"

static void recorded_totals(void **state)
{
	(void)state;
	assert_says("# unit: ns\n# event: cpu-clock\n"
		    "# totals: before=334000000 after=1077000000\n"
		    "a 1000000001 1000000000\nb 76999998 77000000\n",
		    "0.334 s" ARROW "1.077 s of cpu-clock (" TIMES "3.2)" SCALED);
	assert_says("# totals:  before=100.6  after=25 \na 12 13\nb 12 12\n",
		    "101" ARROW "25 (" TIMES "0.25)" SCALED);
	assert_says("# unit: calls\na 100 90\n",
		    "100" ARROW "90 calls (" TIMES "0.90, noise)");
	assert_says("# unit: calls\na 100 0\n", "100" ARROW "0 calls");
	assert_says("# unit: bytes\na 1000000000 3\n",
		    "953.7 MiB" ARROW "3 bytes (<" TIMES "0.01)");
}

/* 334 samples and 1077. The weight before is scaled like the counts. */
static void noise_depends_on_the_recorded_samples(void **state)
{
	(void)state;
	assert_says("# totals: before=1050 after=1077\n# sample-weight: 1.0257 1\n"
		    "a 1000 1000\nb 76 77\n",
		    "1,050" ARROW "1,077 (" TIMES "1.03, noise)" SCALED);
	assert_says("# totals: before=934 after=1077\n# sample-weight: 1.1531 1\n"
		    "a 1000 1000\nb 76 77\n",
		    "934" ARROW "1,077 (" TIMES "1.15)" SCALED);
}

static void a_part_of_the_totals(void **state)
{
	(void)state;
	assert_says("# totals: before=300 after=900\na 450 90\n",
		    "300" ARROW "900 (" TIMES "3.0), of which 50.0%" ARROW
		    "10.0% are here" SCALED);
	/* the missing counts were left out */
	assert_says("# totals: before=300 after=900\n# sample-weight: 3 1\n"
		    "a 450 900\n",
		    "300" ARROW "900 (" TIMES "3.0), of which 50.0%" ARROW
		    "100.0% are here" SCALED);
	/* each mean is rounded by itself */
	assert_says("# totals: before=9 after=1\na 1 0.333\nb 1 0.333\nc 1 0.333\n",
		    "9" ARROW "1 (" TIMES "0.11)" SCALED);
}

static void headers_that_are_ignored(void **state)
{
	static const char *const malformed[] = {
		"before=1",	     "after=2 before=1",    "1 2",
		"before=0 after=10", "before=-1 after=10",  "before=1 after=10 more",
		"before= after=10",  "before=1e3 after=10",
	};
	char text[100];

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(malformed); i++) {
		snprintf(text, sizeof(text), "# totals: %s\na 9 10\n", malformed[i]);
		assert_ignored(text, "it needs before=NUMBER after=NUMBER, not '");
	}
	assert_ignored("# totals: before=5 after=10\na 9 10\nb 0 1\n",
		       "the counts of the second column add up to more, 11");
	/* the headers of two profiles differ */
	assert_says(
		"# totals: before=5 after=10\n# totals: before=4 after=10\na 9 10\n",
		"9" ARROW "10 (" TIMES "1.11, noise)");
}

static void assert_short(double number, const char *unit, const char *expected)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_amount_add(&text, fg_str_from(unit), number);
	assert_string_equal(fg_buf_cstr(&text), expected);
	fg_buf_release(&text);
}

/* tests/viewer/texts.test.mjs has the same cases for the viewer. */
static void rounding_goes_to_the_next_unit(void **state)
{
	(void)state;
	assert_short(999, "ns", "999 ns");
	assert_short(999949, "ns", "999.9 \xc2\xb5s");
	assert_short(999950, "ns", "1 ms");
	assert_short(999999, "ns", "1 ms");
	assert_short(999999999, "ns", "1 s");
	assert_short(0.99999, "s", "1 s");
	assert_short(999.97, "s", "1,000 s");
	assert_short(1234567, "ms", "1,235 s");
	assert_short(1023, "bytes", "1,023 bytes");
	assert_short(1047961, "bytes", "1,023 KiB");
	assert_short(1048065, "bytes", "1 MiB");
	assert_short(1048576, "bytes", "1 MiB");
	assert_short(1088, "bytes", "1.062 KiB");
	assert_short(0, "bytes", "0 bytes");
	assert_short(999999.7, "", "1,000,000");
}

static void both_amounts_have_the_unit_of_the_larger(void **state)
{
	static const struct {
		double of[2];
		const char *unit, *expected;
	} cases[] = {
		{ { 334e6, 1077e6 }, "ns", "0.334 s" ARROW "1.077 s" },
		{ { 1077e6, 334e6 }, "ns", "1.077 s" ARROW "0.334 s" },
		{ { 9e6, 1077e6 }, "ns", "9 ms" ARROW "1.077 s" },
		{ { 0, 1077e6 }, "ns", "0 ns" ARROW "1.077 s" },
		{ { 0, 0 }, "s", "0 ns" ARROW "0 ns" },
		{ { 999.99, 500 }, "ms", "1,000 ms" ARROW "500 ms" },
		{ { 1024, 2048 }, "bytes", "1 KiB" ARROW "2 KiB" },
		{ { 1, 1234567 }, "calls", "1" ARROW "1,234,567" },
	};
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(cases); i++) {
		fg_buf_clear(&text);
		fg_amount_add_both(&text, fg_str_from(cases[i].unit), cases[i].of);
		assert_string_equal(fg_buf_cstr(&text), cases[i].expected);
	}
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_totals),
		cmocka_unit_test(noise_depends_on_the_recorded_samples),
		cmocka_unit_test(a_part_of_the_totals),
		cmocka_unit_test(headers_that_are_ignored),
		cmocka_unit_test(rounding_goes_to_the_next_unit),
		cmocka_unit_test(both_amounts_have_the_unit_of_the_larger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
