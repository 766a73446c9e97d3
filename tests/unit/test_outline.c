/* Tests of collapse/outline: rows become stacks. */
#include <stdlib.h>

#include "collapse/outline.h"
#include "collapse/sink_internal.h"
#include "tests/unit/support/support.h"

/* An outline, and the sink of a format without options. */
struct fixture {
	struct caught caught;
	struct fg_common_options common;
	struct fg_samples_options samples;
	struct fg_sink *sink;
	struct fg_outline outline;
};

static void fixture_init(struct fixture *f, bool totals)
{
	memset(f, 0, sizeof(*f));
	caught_init(&f->caught);
	f->sink = fg_sink_new(&fg_format_sample, &f->common, &f->samples,
			      &f->caught.diag);
	assert_non_null(f->sink);
	fg_outline_init(&f->outline, f->sink, totals);
}

static void fixture_release(struct fixture *f)
{
	fg_outline_release(&f->outline);
	fg_sink_free(f->sink);
	caught_release(&f->caught);
}

static void add(struct fixture *f, size_t depth, const char *name, uint64_t digits,
		unsigned decimals)
{
	struct fg_outline_row row = {
		.depth = depth,
		.name = fg_sink_name(f->sink, fg_str_from(name)),
		.idle = name[0] == '!',
		.sum = { digits, 0 },
		.decimals = decimals,
	};

	fg_outline_add(&f->outline, &row);
}

static void check_written(struct fixture *f, const char *want)
{
	struct fg_out out;

	fg_outline_end(&f->outline);
	fg_out_init_memory(&out);
	fg_sink_write(f->sink, &out);
	assert_str_is(fg_buf_str(&out.buf), fg_str_from(want));
	fg_out_close(&out);
}

static void sums_without_totals(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, false);
	add(&f, 3, "a", 0, 0);
	add(&f, 7, "b", 15, 1);
	add(&f, 5, "c", 2, 0);
	add(&f, 9, "b", 1, 0);
	add(&f, 3, "d", 7, 0);
	add(&f, 0, "a", 1, 0);
	add(&f, 1, "b", 1, 0);
	check_written(&f, "a 1\na;b 3\na;c 2\na;c;b 1\nd 7\n");
	fixture_release(&f);
}

static void sums_with_totals(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, true);
	add(&f, 0, "a", 10, 0);
	add(&f, 1, "b", 25, 1);
	add(&f, 2, "!c", 5, 1);
	add(&f, 1, "d", 325, 2);
	add(&f, 2, "e", 4, 0);
	check_written(&f, "a 4\na;b 2\na;d;e 4\n");
	assert_int_equal(fg_sink_tally(f.sink)->idle, 1);
	fixture_release(&f);
}

static void rows_below_may_come_to_more_than_a_row(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, true);
	add(&f, 0, "a", UINT64_MAX, 0);
	add(&f, 1, "b", UINT64_MAX, 0);
	add(&f, 1, "c", 1, 0);
	add(&f, 1, "d", UINT64_MAX, 9);
	check_written(&f, "a;b 18446744073709551615\na;c 1\na;d 18446744074\n");
	fixture_release(&f);
}

static void deep_outlines(void **state)
{
	struct fixture f;
	size_t depth = 100000;

	(void)state;
	fixture_init(&f, true);
	for (size_t i = 0; i < depth; i++)
		add(&f, i, "f", 1, 0);
	fg_outline_end(&f.outline);
	assert_int_equal(fg_sink_tally(f.sink)->samples, depth);
	assert_int_equal(f.sink->counts[0].count, 1);
	assert_int_equal(f.sink->counts[0].entries[0].depth, depth);
	fixture_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_without_totals),
		cmocka_unit_test(sums_with_totals),
		cmocka_unit_test(rows_below_may_come_to_more_than_a_row),
		cmocka_unit_test(deep_outlines),
	};

	return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
