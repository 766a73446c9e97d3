/* Tests of collapse/formats/perf/text/threads.c, and of chains (stack.h). */
#include "collapse/formats/perf/text/threads.h"

#include <stdlib.h>

#include "tests/unit/support/support.h"

static void time_is_accounted_for_once(void **state)
{
	struct perf_threads t;
	struct perf_thread *th;

	(void)state;
	perf_threads_init(&t);
	perf_threads_at(&t, 100);
	perf_threads_at(&t, 90);
	perf_threads_at(&t, 250);
	assert_int_equal(t.start, 100);
	assert_int_equal(t.end, 250);
	th = perf_threads_of(&t, 7);
	assert_int_equal(perf_threads_pass(&t, th, 150), 0); /* it is new */
	assert_int_equal(perf_threads_pass(&t, th, 170), 20);
	assert_int_equal(perf_threads_pass(&t, th, 160), 0); /* back in time */
	assert_int_equal(perf_threads_pass(&t, th, 180), 10);
	th = perf_threads_of(&t, 8);
	th->was_there = true;
	assert_int_equal(perf_threads_pass(&t, th, 150), 50);
	assert_ptr_equal(perf_threads_of(&t, 8), th);
	perf_threads_release(&t);
}

static void pids_of_tracepoints_become_tids(void **state)
{
	struct perf_threads t;

	(void)state;
	perf_threads_init(&t);
	assert_int_equal(perf_threads_tid(&t, 300), 300);
	perf_threads_note_pid(&t, 300, 10);
	perf_threads_note_pid(&t, 5, 5);
	assert_int_equal(perf_threads_tid(&t, 300), 10);
	assert_int_equal(perf_threads_tid(&t, 301), 301);
	assert_int_equal(perf_threads_tid(&t, 5), 5);
	perf_threads_release(&t);
}

static void a_thread_keeps_its_names(void **state)
{
	struct fg_sample sample = { .comm = FG_STR("app"), .pid = { 12, true } };
	struct fg_sample nameless = { .has_time = false };
	struct perf_threads t;
	struct perf_thread *th;

	(void)state;
	perf_threads_init(&t);
	th = perf_threads_of(&t, 13);
	assert_null(perf_threads_sample(&t, th).comm.ptr);
	assert_false(th->named);
	perf_threads_name(&t, th, &sample);
	perf_threads_name(&t, th, &nameless); /* changes nothing */
	sample = perf_threads_sample(&t, th);
	assert_true(fg_str_eq(sample.comm, FG_STR("app")));
	assert_true(sample.pid.known && sample.pid.number == 12);
	assert_true(sample.tid.known && sample.tid.number == 13);
	assert_false(sample.cpu.known);
	perf_threads_release(&t);
}

static void chains_share_frames_at_the_root(void **state)
{
	struct perf_chain a = { NULL, 0, 0 }, b = { NULL, 0, 0 };

	(void)state;
	assert_int_equal(perf_chain_common(&a, &b), 0);
	perf_chain_set(&a, (const uint32_t[]){ 1, 2, 3 }, 3);
	assert_int_equal(perf_chain_common(&a, &b), 0);
	perf_chain_set(&b, (const uint32_t[]){ 1, 2, 4, 3 }, 4);
	assert_int_equal(perf_chain_common(&a, &b), 2);
	perf_chain_set(&b, (const uint32_t[]){ 1, 2 }, 2);
	assert_int_equal(perf_chain_common(&a, &b), 2);
	assert_int_equal(perf_chain_common(&a, &a), 3);
	free(a.ids);
	free(b.ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_accounted_for_once),
		cmocka_unit_test(pids_of_tracepoints_become_tids),
		cmocka_unit_test(a_thread_keeps_its_names),
		cmocka_unit_test(chains_share_frames_at_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
