/*
 * Tests of collapse/formats/perf/text/header.c: a line reads the same with a memo and
 * without. (What headers mean is tested by the goldens collapse-perf/header.)
 */
#include <stdlib.h>

#include "collapse/formats/perf/text/header.h"
#include "tests/unit/support/support.h"

/* So many threads that some of them share a place in the memo. */
#define THREADS (4 * PERF_HEADER_PARTS)

/* Each differs from the one before on one or both sides of the time stamp. */
static const struct fg_str lines[] = {
	FG_STR_INIT("app 7 1.000001: 5 cycles: "),
	FG_STR_INIT("app 7 1.000002: 5 cycles: "),
	FG_STR_INIT("app 7 1.000003: 6 cycles: "),
	FG_STR_INIT("app 7/8 [003] 1.000004: 6 cycles: "),
	FG_STR_INIT("app 7/8 [003] 1.000005: 6 cycles:u:  4005d0 f (/bin/app)"),
	FG_STR_INIT("app 7/8 [003] 1.000006: cycles: "),
	FG_STR_INIT("app 7/8 [003] 1.000007:"),
	FG_STR_INIT("1.000008: 5 cycles: "),
	FG_STR_INIT("7 8.000001: 9 1.000009: 5 cycles: "),
	FG_STR_INIT("app 7 1.000010: 99999999999999999999 cycles: "),
	FG_STR_INIT(
		"a comm that is longer than any that perf prints, and longer than a "
		"part of the memo 7 1.000011: 5 cycles: "),
	FG_STR_INIT("app 7 1.000012: 5 sched:sched_switch: prev_comm=app prev_pid=7 "
		    "prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0"),
	FG_STR_INIT("no time stamp: none"),
};

static void assert_same_str(struct fg_str have, struct fg_str want)
{
	assert_true(fg_str_eq(have, want));
	assert_int_equal(!have.ptr, !want.ptr);
}

static void assert_same_id(struct fg_id have, struct fg_id want)
{
	assert_int_equal(have.known, want.known);
	assert_int_equal(have.number, want.number);
}

static void assert_same(struct fg_str line, struct perf_header_memo *memo)
{
	struct perf_header with, without;
	bool is_header = perf_header_timed(line, NULL, &without);

	assert_int_equal(perf_header_timed(line, memo, &with), is_header);
	if (!is_header)
		return;
	assert_same_str(with.sample.comm, without.sample.comm);
	assert_same_id(with.sample.pid, without.sample.pid);
	assert_same_id(with.sample.tid, without.sample.tid);
	assert_same_id(with.sample.cpu, without.sample.cpu);
	assert_same_str(with.time, without.time);
	assert_same_str(with.sample.event, without.sample.event);
	assert_same_str(with.after_event, without.after_event);
	assert_int_equal(with.sample.weight, without.sample.weight);
	assert_int_equal(with.timed, without.timed);
}

static void any_line_may_follow_any_other(void **state)
{
	struct perf_header_memo *memo = calloc(1, sizeof(*memo));

	(void)state;
	assert_non_null(memo);
	for (size_t i = 0; i < COUNT_OF(lines); i++)
		for (size_t k = 0; k < COUNT_OF(lines); k++) {
			assert_same(lines[i], memo);
			assert_same(lines[k], memo);
		}
	free(memo);
}

static void threads_may_take_turns(void **state)
{
	struct perf_header_memo *memo = calloc(1, sizeof(*memo));
	struct fg_buf line = FG_BUF_INIT;

	(void)state;
	assert_non_null(memo);
	for (unsigned turn = 0; turn < 2; turn++)
		for (unsigned thread = 0; thread < THREADS; thread++) {
			fg_buf_clear(&line);
			fg_buf_addf(&line, "app %u 1.%06u: %u cycles: ", thread, turn,
				    thread % 3);
			assert_same(fg_buf_str(&line), memo);
		}
	fg_buf_release(&line);
	free(memo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_line_may_follow_any_other),
		cmocka_unit_test(threads_may_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
