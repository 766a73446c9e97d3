/* Tests of collapse/formats/perf/text/comms.c: commands of threads that have ended. */
#include "collapse/formats/perf/text/comms.h"

#include "tests/unit/support/support.h"

static struct fg_sample sample_of(const char *comm, int64_t tid)
{
	return (struct fg_sample){ .comm = fg_str_from(comm), .tid = { tid, true } };
}

/* Returns the command that a sample without one gets, or "none". */
static struct fg_str command_of(struct perf_comms *c, int64_t tid)
{
	struct fg_buf comm = FG_BUF_INIT;
	struct fg_sample sample;
	struct fg_str given;

	fg_buf_addf(&comm, ":%lld", (long long)tid);
	sample = sample_of(fg_buf_cstr(&comm), tid);
	assert_int_equal(perf_comms_settle(c, &sample), PERF_COMM_CHANGED);
	given = sample.comm;
	if (given.ptr == comm.ptr)
		given = FG_STR("none");
	fg_buf_release(&comm);
	return given;
}

#define assert_command(c, tid, want) \
	assert_true(fg_str_eq(command_of(c, tid), fg_str_from(want)))

static void a_thread_keeps_its_last_command(void **state)
{
	struct fg_sample sh = sample_of("sh", 7), make = sample_of("make", 7);
	struct perf_comms c;

	(void)state;
	perf_comms_init(&c);
	assert_command(&c, 7, "none");
	assert_int_equal(perf_comms_settle(&c, &sh), PERF_COMM_KNOWN);
	assert_int_equal(perf_comms_settle(&c, &sh), PERF_COMM_KNOWN);
	assert_int_equal(perf_comms_settle(&c, &make), PERF_COMM_CHANGED);
	assert_command(&c, 7, "make");
	assert_int_equal(perf_comms_name(&c, 7, FG_STR("cc1")), PERF_COMM_CHANGED);
	assert_command(&c, 7, "cc1");
	assert_command(&c, 8, "none");
	perf_comms_clear(&c);
	assert_command(&c, 7, "none");
	perf_comms_release(&c);
}

/* A stream of days has any number of threads. */
static void the_oldest_threads_are_forgotten(void **state)
{
	const int64_t count = 5 * PERF_COMMS_MAX / 2;
	unsigned rounds = 0;
	struct perf_comms c;

	(void)state;
	perf_comms_init(&c);
	for (int64_t tid = 1; tid <= count; tid++) {
		struct fg_sample sample = sample_of("app", tid);

		rounds += perf_comms_settle(&c, &sample) == PERF_COMM_ALL_CHANGED;
	}
	assert_int_equal(rounds, 2);
	assert_true(c.now.count + c.before.count <= 2 * PERF_COMMS_MAX);
	assert_command(&c, count, "app");
	assert_command(&c, count - PERF_COMMS_MAX, "app");
	assert_command(&c, 1, "none");
	perf_comms_release(&c);
}

/* One thread may change its name again and again. */
static void the_oldest_commands_are_forgotten(void **state)
{
	struct fg_buf comm = FG_BUF_INIT;
	struct perf_comms c;

	(void)state;
	perf_comms_init(&c);
	for (unsigned i = 0; i < 3 * PERF_COMMS_MAX; i++) {
		struct fg_sample sample;

		fg_buf_clear(&comm);
		fg_buf_addf(&comm, "worker %u", i);
		sample = sample_of(fg_buf_cstr(&comm), 7);
		perf_comms_settle(&c, &sample);
	}
	assert_true(c.now.comms.count + c.before.comms.count <= 2 * PERF_COMMS_MAX);
	assert_true(fg_str_eq(command_of(&c, 7), fg_buf_str(&comm)));
	fg_buf_release(&comm);
	perf_comms_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_keeps_its_last_command),
		cmocka_unit_test(the_oldest_threads_are_forgotten),
		cmocka_unit_test(the_oldest_commands_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
