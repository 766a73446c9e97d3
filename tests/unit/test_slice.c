/* Tests of lib/profile/slice: widths, times, header lines, frames. */
#include "lib/profile/slice.h"

#include <time.h>

#include "tests/unit/support/support.h"

#define SECOND UINT64_C(1000000000)

static void expect_width(const char *text, uint64_t ns)
{
	uint64_t got = 0;

	assert_int_equal(fg_slice_read_width(fg_str_from(text), &got), 0);
	assert_int_equal(got, ns);
}

static void expect_shown(uint64_t ns, const char *text)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_slice_add_width(&b, ns);
	assert_string_equal(fg_buf_cstr(&b), text);
	fg_buf_release(&b);
}

static void widths_have_units(void **state)
{
	static const char *const wrong[] = {
		"",
		"20",
		"ms",
		"0s",
		"0.0ms",
		"-1s",
		"+1s",
		"1 s",
		"0.5ns",
		"1h",
		"1.5.0s",
		"1e3ms",
		"s20",
		".5s",
		"9223372036854775808ns",
		"99999999999999999999s",
	};
	uint64_t ns;

	(void)state;
	expect_width("1ns", 1);
	expect_width("500us", 500000);
	expect_width("20ms", 20000000);
	expect_width("0.5ms", 500000);
	expect_width("1s", SECOND);
	expect_width("1.000000001s", SECOND + 1);
	expect_width("9223372036854775807ns", INT64_MAX);
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(fg_slice_read_width(fg_str_from(wrong[i]), &ns), -1);
}

static void widths_are_shown_in_the_largest_unit(void **state)
{
	(void)state;
	expect_shown(1, "1ns");
	expect_shown(20000000, "20ms");
	expect_shown(1500000, "1500us");
	expect_shown(60 * SECOND, "60s");
}

static void times_may_lack_a_unit(void **state)
{
	uint64_t ns;

	(void)state;
	assert_int_equal(fg_slice_read_time(FG_STR("1.5"), &ns), 0);
	assert_int_equal(ns, 1500000000);
	assert_int_equal(fg_slice_read_time(FG_STR("0"), &ns), 0);
	assert_int_equal(ns, 0);
	assert_int_equal(fg_slice_read_time(FG_STR("1500ms"), &ns), 0);
	assert_int_equal(ns, 1500000000);
	assert_int_equal(fg_slice_read_time(FG_STR("0.1ns"), &ns), 0);
	assert_int_equal(ns, 0);
	assert_int_equal(fg_slice_read_time(FG_STR("-1"), &ns), -1);
	assert_int_equal(fg_slice_read_time(FG_STR("18446744074"), &ns), -1);
}

/* ---- header lines */

static struct fg_slice_header read_both(const char *start)
{
	struct fg_slice_header h = { .width = 0 };

	assert_int_equal(fg_slice_read(&h, FG_STR("# slice: 20ms")), FG_SLICE_WIDTH);
	assert_int_equal(fg_slice_read(&h, fg_str_from(start)), FG_SLICE_START);
	assert_true(h.has_start);
	return h;
}

static void starts_are_dates(void **state)
{
	(void)state;
	assert_int_equal(read_both("# start: 1970-01-01T00:00:00Z").start, 0);
	assert_int_equal(read_both("# start: 2024-02-29T23:59:59.5Z").start,
			 1709251199 * SECOND + SECOND / 2);
	assert_int_equal(read_both("# start:2000-03-01T00:00:00.000000001Z ").start,
			 951868800 * SECOND + 1);
	assert_int_equal(read_both("# start: 2100-02-28T00:00:00Z").start,
			 4107456000 * SECOND);
}

static void each_day_is_read_as_it_is_written(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	for (uint64_t day = 0; day < 213000; day += 7) {
		const uint64_t start = day * 86400 * SECOND + day;
		const struct fg_slice_header h = { 1, true, start };
		struct fg_slice_header got = { .width = 0 };
		struct fg_str lines;

		fg_buf_clear(&b);
		fg_slice_add_header(&b, &h);
		lines = fg_buf_str(&b);
		assert_int_equal(fg_slice_read(&got, fg_str_cut(&lines, '\n')),
				 FG_SLICE_WIDTH);
		assert_int_equal(fg_slice_read(&got, fg_str_cut(&lines, '\n')),
				 FG_SLICE_START);
		assert_int_equal(lines.len, 0);
		assert_int_equal(got.width, 1);
		assert_int_equal(got.start, h.start);
	}
	fg_buf_release(&b);
}

/* A day that a month does not have, such as 30 February, is one of the next month. */
static void days_are_written_as_the_calendar_has_them(void **state)
{
	struct fg_buf b = FG_BUF_INIT;
	char want[40];

	(void)state;
	for (uint64_t day = 0; day < 213000; day++) {
		const struct fg_slice_header h = { 1, true, day * 86400 * SECOND };
		const time_t seconds = (time_t)(day * 86400);
		struct tm date;

		if ((uint64_t)seconds != day * 86400)
			break; /* a time_t of 32 bits ends in 2038 */
		assert_non_null(gmtime_r(&seconds, &date));
		strftime(want, sizeof(want), "# start: %Y-%m-%dT00:00:00.", &date);
		fg_buf_clear(&b);
		fg_slice_add_header(&b, &h);
		assert_has(fg_buf_str(&b), want);
	}
	fg_buf_release(&b);
}

static void malformed_lines_change_nothing(void **state)
{
	static const char *const wrong[] = {
		"# slice:",
		"# slice: 20",
		"# slice: -20ms",
		"# start:",
		"# start: 1795447216",
		"# start: 2026-11-23",
		"# start: 2026-11-23T14:05Z",
		"# start: 2026-11-23T14:05:00",
		"# start: 2026-11-23T14:05:00+01:00",
		"# start: 2026-13-01T00:00:00Z",
		"# start: 2026-00-01T00:00:00Z",
		"# start: 2026-01-00T00:00:00Z",
		"# start: 2026-01-01T24:00:00Z",
		"# start: 2026-01-01T00:00:00.Z",
		"# start: 2026-01-01T00:00:00.0000000001Z",
		"# start: 1969-12-31T23:59:59Z",
		"# start: 9999-12-31T23:59:59Z",
	};
	static const char *const other[] = {
		"", "#", "# unit: ns", "slice: 20ms", "# slice: 20ms;", "a;b 1",
	};
	const struct fg_slice_header before = { 7, true, 8 };
	struct fg_slice_header h = before;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		assert_int_equal(fg_slice_read(&h, fg_str_from(wrong[i])),
				 FG_SLICE_WRONG);
	for (size_t i = 0; i < COUNT_OF(other); i++)
		assert_int_equal(fg_slice_read(&h, fg_str_from(other[i])),
				 FG_SLICE_OTHER);
	assert_true(h.width == before.width && h.has_start == before.has_start &&
		    h.start == before.start);
}

static void another_recording_has_another_start(void **state)
{
	struct fg_slice_header h = read_both("# start: 1970-01-01T00:00:00Z");

	(void)state;
	assert_int_equal(fg_slice_read(&h, FG_STR("# slice: 1s")), FG_SLICE_WIDTH);
	assert_false(h.has_start);
}

/* ---- frames */

static void expect_frame(uint64_t width, uint64_t last, const char *text)
{
	struct fg_buf b = FG_BUF_INIT;
	struct fg_str stack;
	uint64_t ns = 0;

	fg_slice_add_frame(&b, fg_slice_shape(width, last), last);
	assert_string_equal(fg_buf_cstr(&b), text);
	fg_buf_addf(&b, ";a;b");
	stack = fg_buf_str(&b);
	assert_true(fg_slice_cut(&stack, &ns));
	assert_str(stack, "a;b");
	assert_int_equal(ns, last);
	fg_buf_release(&b);
}

static void frames_are_as_wide_as_the_last(void **state)
{
	(void)state;
	expect_frame(20000000, 20000000, "@00000.020");
	expect_frame(SECOND, 86399 * SECOND, "@86399.000");
	expect_frame(SECOND, 100000 * SECOND, "@100000.000");
	expect_frame(1000, 1001000, "@00000.001001");
	expect_frame(1, 1, "@00000.000000001");
	expect_frame(1, UINT64_MAX, "@18446744073.709551615");
}

static void other_frames_are_not_slices(void **state)
{
	static const char *const stacks[] = {
		"",
		"a;b",
		"@",
		"@;a",
		"@1;a",
		"@1.;a",
		"@1.00;a",
		"@1.0000;a",
		"@.000;a",
		"@-1.000;a",
		"@x.000;a",
		"@1.00x;a",
		"@99999999999.000;a",
		" @1.000;a",
	};
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(stacks); i++) {
		struct fg_str stack = fg_str_from(stacks[i]);

		assert_false(fg_slice_cut(&stack, &ns));
		assert_str_is(stack, fg_str_from(stacks[i]));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_have_units),
		cmocka_unit_test(widths_are_shown_in_the_largest_unit),
		cmocka_unit_test(times_may_lack_a_unit),
		cmocka_unit_test(starts_are_dates),
		cmocka_unit_test(each_day_is_read_as_it_is_written),
		cmocka_unit_test(days_are_written_as_the_calendar_has_them),
		cmocka_unit_test(malformed_lines_change_nothing),
		cmocka_unit_test(another_recording_has_another_start),
		cmocka_unit_test(frames_are_as_wide_as_the_last),
		cmocka_unit_test(other_frames_are_not_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
