/* Tests of collapse-perf on perf.data: switches, and samples with all their fields. */
#include "collapse/symbols/elf.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/recording.h"

#define SWITCH 14
#define SWITCH_OUT 0x2000

/* Adds a switch of thread `tid`, with the fields at the end of such a record. */
static void add_switch(struct recording *r, uint32_t tid, uint64_t time, uint16_t misc)
{
	struct fg_buf body = FG_BUF_INIT;

	put32(&body, tid);
	put32(&body, tid);
	put64(&body, time);
	put64(&body, 0);
	put64(&body, r->id);
	recording_put(r, SWITCH, misc, fg_buf_str(&body));
	fg_buf_release(&body);
	r->time = time;
}

static void expect(struct recording *r, const char *arguments, const char *lines)
{
	struct collapsed got;

	collapse_format(&fg_format_perf, recording_file(r),
			(struct collapse_how){ arguments, 0 }, &got);
	check_str(fg_buf_str(&got.out.buf), fg_str_from(lines), __FILE__, __LINE__);
	collapsed_release(&got);
}

/* The second thread waits for 6000 ns, the first does not wait. */
static void a_thread_waits_while_it_is_switched_out(void **data)
{
	struct recording *r = &((struct recorded *)*data)->r;

	recording_comm(r, 7, "app");
	recording_comm(r, 8, "other");
	r->time = 2000;
	recording_at(r, 7, 0x401000);
	recording_at(r, 8, 0x401000);
	add_switch(r, 8, 4000, SWITCH_OUT);
	add_switch(r, 8, 10000, 0);
	recording_at(r, 8, 0x401000);
	recording_at(r, 7, 0x401000);
	expect(r, "--wall --pid",
	       "app-7;[unknown] 9000\nother-8;[unknown] 2000\n"
	       "other-8;[unknown];[waiting]_[o] 6000\n");
}

/* A thread runs from the record of its name on. */
static void a_period_is_divided_by_the_number_of_running_threads(void **data)
{
	struct recording *r = &((struct recorded *)*data)->r;

	recording_comm(r, 7, "app");
	recording_comm(r, 8, "other");
	r->time = 4000;
	recording_at(r, 7, 0x401000);
	recording_at(r, 8, 0x401000);
	add_switch(r, 8, 10000, SWITCH_OUT);
	recording_at(r, 7, 0x401000);
	add_switch(r, 8, 12000, 0);
	recording_at(r, 8, 0x401000);
	recording_exit(r, 7);
	recording_at(r, 8, 0x401000);
	expect(r, "--weight=latency", "app;[unknown] 150\nother;[unknown] 200\n");
	expect(r, "--root=parallelism",
	       "parallelism-001;[unknown] 200\nparallelism-002;[unknown] 300\n");
}

static void a_recording_with_switches_may_have_none(void **data)
{
	struct recording *r = &((struct recorded *)*data)->r;
	struct collapsed got;

	recording_at(r, 7, 0x401000);
	collapse_format(&fg_format_perf, recording_file(r),
			(struct collapse_how){ "--weight=latency", 0 }, &got);
	assert_int_equal(got.status, -1);
	assert_non_null(strstr(fg_buf_cstr(&got.caught.text),
			       "does not say how many threads run"));
	collapsed_release(&got);
	r->events[0].switches = true;
	expect(r, "--weight=latency", ":7;[unknown] 100\n");
}

/* The kernel cuts "Runtime worker 1" to 15 bytes, with a space at the end. */
static void spaces_around_a_comm_are_removed(void **data)
{
	struct recording *r = &((struct recorded *)*data)->r;

	recording_comm(r, 7, "Runtime worker ");
	recording_comm(r, 8, " Runtime worker");
	r->time = 2000;
	recording_at(r, 7, 0x401000);
	recording_at(r, 8, 0x401000);
	expect(r, "", "Runtime_worker;[unknown] 200\n");
	expect(r, "--comm=Runtime?worker", "Runtime_worker;[unknown] 200\n");
	add_switch(r, 8, 4000, SWITCH_OUT);
	add_switch(r, 8, 10000, 0);
	expect(r, "--wall",
	       "Runtime_worker;[unknown] 9000\n"
	       "Runtime_worker;[waiting]_[o] 6000\n");
}

/* Address, id and stream, which we do not use, are among the other fields. */
static void unused_fields_are_skipped(void **data)
{
	struct recording *r = &((struct recorded *)*data)->r;
	struct fg_buf body = FG_BUF_INIT;

	r->events[0].sample_type = 0x3ef;
	put64(&body, 0x401000);
	put32(&body, 7);
	put32(&body, 8);
	put64(&body, 2000);
	put64(&body, 0x12345678); /* address */
	put64(&body, r->id);
	put64(&body, 0x87654321); /* stream */
	put32(&body, 3);
	put32(&body, 0);
	put64(&body, 250); /* period */
	put64(&body, 2);
	put64(&body, RECORDED_USER);
	put64(&body, 0x401000);
	recording_put(r, 9, 2, fg_buf_str(&body));
	fg_buf_release(&body);
	expect(r, "--tid --cpu=3", ":8-7/8;[unknown] 250\n");
	expect(r, "--tid --cpu=2", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_thread_waits_while_it_is_switched_out,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(
			a_period_is_divided_by_the_number_of_running_threads,
			recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(a_recording_with_switches_may_have_none,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(spaces_around_a_comm_are_removed,
						recorded_set_up, recorded_tear_down),
		cmocka_unit_test_setup_teardown(unused_fields_are_skipped,
						recorded_set_up, recorded_tear_down),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
