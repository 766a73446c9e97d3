/* Tests of collapse/formats/perf/data: samples that hold the values of counters. */
#include "collapse/formats/perf/data/counters.h"

#include "collapse/symbols/elf.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define SECOND UINT64_C(1000000000)

/* ---- a counter */

static void check_read(struct fg_pd_counters *c, struct fg_pd_count now,
		       struct fg_pd_growth want)
{
	struct fg_pd_growth got = fg_pd_counters_read(c, &now);

	assert_int_equal(got.by, want.by);
	assert_int_equal(got.from, want.from);
	assert_int_equal(got.elapsed, want.elapsed);
	assert_int_equal(got.fell, want.fell);
}

#define COUNT(...) ((struct fg_pd_count){ __VA_ARGS__ })
#define GROWTH(...) ((struct fg_pd_growth){ __VA_ARGS__ })
#define NEVER UINT64_MAX

static void a_counter_grows_from_0(void **data)
{
	struct fg_pd_counters c = { .count = 0 };

	(void)data;
	check_read(&c, COUNT(7, 0, 0, 50, 100), GROWTH(50, 0, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 80, 130), GROWTH(30, 50, 30, false));
	check_read(&c, COUNT(8, 0, 0, 90, 140), GROWTH(90, 0, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 80, 150), GROWTH(0, 80, 20, false));
	fg_pd_counters_release(&c);
}

static void a_counter_belongs_to_a_thread(void **data)
{
	struct fg_pd_counters c = { .count = 0 };

	(void)data;
	check_read(&c, COUNT(7, 1, 1, 50, 100), GROWTH(50, 0, NEVER, false));
	check_read(&c, COUNT(7, 2, 2, 30, 130), GROWTH(30, 0, NEVER, false));
	check_read(&c, COUNT(7, 1, 1, 60, 140), GROWTH(10, 50, 40, false));
	/* another thread with the same id */
	check_read(&c, COUNT(7, 1, 3, 70, 150), GROWTH(70, 0, NEVER, false));
	fg_pd_counters_release(&c);
}

static void times_may_be_missing(void **data)
{
	struct fg_pd_counters c = { .count = 0 };

	(void)data;
	check_read(&c, COUNT(7, 0, 0, 50, 0), GROWTH(50, 0, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 80, 0), GROWTH(30, 50, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 90, 5), GROWTH(10, 80, NEVER, false));
	fg_pd_counters_release(&c);
}

/* A growth must not count twice, in whatever order the values come. */
static void a_late_value_adds_nothing(void **data)
{
	struct fg_pd_counters c = { .count = 0 };

	(void)data;
	check_read(&c, COUNT(7, 0, 0, 80, 130), GROWTH(80, 0, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 50, 100), GROWTH(0, 80, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 90, 140), GROWTH(10, 80, 10, false));
	check_read(&c, COUNT(7, 0, 0, 95, 120), GROWTH(5, 90, 0, false));
	check_read(&c, COUNT(7, 0, 0, 99, 150), GROWTH(4, 95, 10, false));
	fg_pd_counters_release(&c);
}

static void a_counter_that_falls_begins_anew(void **data)
{
	struct fg_pd_counters c = { .count = 0 };

	(void)data;
	check_read(&c, COUNT(7, 0, 0, 80, 130), GROWTH(80, 0, NEVER, false));
	check_read(&c, COUNT(7, 0, 0, 50, 140), GROWTH(50, 80, 10, true));
	check_read(&c, COUNT(7, 0, 0, 60, 150), GROWTH(10, 50, 10, false));
	fg_pd_counters_release(&c);
}

/* ---- recordings */

/* identifier, ip, tid, time, cpu, values */
#define FIELDS UINT64_C(0x10097)
#define READ_ID 4
#define READ_GROUP 8

/*
 * Makes samples hold the value of "cpu-clock", alone or in a group with "page-faults",
 * id 8.
 */
static void read_counters(struct recording *r, bool inherited, bool alone)
{
	struct recorded_event *event = &r->events[0];

	event->sample_type = FIELDS;
	event->read_format = READ_ID | (alone ? 0 : READ_GROUP);
	event->inherited = inherited;
	if (!alone)
		recording_add_event(
			r, &(struct recorded_event){ .type = 1,
						     .config = 2,
						     .sample_type = FIELDS,
						     .read_format = event->read_format,
						     .id = 8,
						     .inherited = inherited,
						     .name = "page-faults" });
}

/* Adds a sample of thread 5/`tid`. Without a group it has only the first value. */
static void put_values(struct recording *r, uint32_t tid, uint64_t clock,
		       uint64_t faults)
{
	bool alone = r->event_count == 1;
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, r->id);
	put64(&body, 0x10);
	put32(&body, 5);
	put32(&body, tid);
	put64(&body, r->time);
	put64(&body, 3);
	if (!alone)
		put64(&body, 2);
	put64(&body, clock);
	put64(&body, 7);
	if (!alone) {
		put64(&body, faults);
		put64(&body, 8);
	}
	recording_put(r, 9, 2, fg_buf_str(&body));
	fg_buf_release(&body);
	r->time += 1000;
}

/* Checks the periods, a line "TID EVENT PERIOD" for each, and the warnings. */
static void check(struct recorded *s, const char *want, const char *warning)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_perfdata_tally tally;
	struct fg_str rest;

	fg_buf_clear(&s->text);
	recording_read(recording_file(&s->r), NULL, &s->text, &tally);
	rest = fg_buf_str(&s->text);
	while (fg_str_starts(rest, FG_STR(":"))) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		fg_str_cut(&line, '/');
		fg_buf_add_str(&text, fg_str_cut(&line, ' '));
		fg_str_cut(&line, ' ');
		fg_buf_add_char(&text, ' ');
		fg_buf_add_str(&text, fg_str_cut(&line, ' '));
		fg_buf_add_char(&text, ' ');
		fg_buf_add_str(&text, fg_str_cut(&line, ' '));
		fg_buf_add_char(&text, '\n');
	}
	check_str(fg_buf_str(&text), fg_str_from(want), __FILE__, __LINE__);
	check_str(rest, fg_str_from(warning), __FILE__, __LINE__);
	assert_int_equal(tally.impossible > 0, *warning != 0);
	fg_buf_release(&text);
}

static void inherited_counters_belong_to_threads(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, true, false);
	recording_fork(&s->r, 5, 5, 6);
	put_values(&s->r, 5, 900, 3);
	put_values(&s->r, 6, 400, 1);
	put_values(&s->r, 5, 950, 4);
	put_values(&s->r, 6, 460, 1);
	check(s,
	      "5 cpu-clock 900\n5 page-faults 3\n"
	      "6 cpu-clock 400\n6 page-faults 1\n"
	      "5 cpu-clock 50\n5 page-faults 1\n"
	      "6 cpu-clock 60\n",
	      "");
}

static void a_thread_that_reuses_an_id_begins_at_0(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, true, false);
	for (unsigned i = 0; i < 2; i++) {
		recording_fork(&s->r, 5, 5, 6);
		put_values(&s->r, 6, 400 + 100 * i, 1);
	}
	check(s,
	      "6 cpu-clock 400\n6 page-faults 1\n"
	      "6 cpu-clock 500\n6 page-faults 1\n",
	      "");
}

/* The counters of a processor are not inherited: all threads add to them. */
static void threads_share_counters_that_are_not_inherited(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, false, false);
	put_values(&s->r, 5, 900, 3);
	put_values(&s->r, 6, 950, 4);
	check(s,
	      "5 cpu-clock 900\n5 page-faults 3\n"
	      "6 cpu-clock 50\n6 page-faults 1\n",
	      "");
}

/* perf record -e cpu-clock:S */
static void a_counter_may_be_read_alone(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, true, true);
	put_values(&s->r, 5, 900, 0);
	put_values(&s->r, 6, 400, 0);
	put_values(&s->r, 5, 950, 0);
	check(s, "5 cpu-clock 900\n6 cpu-clock 400\n5 cpu-clock 50\n", "");
}

#define WARN(count, first)                                                      \
	"prog: perf.data: " count ", so counts may be wrong (the first: " first \
	"): record without \":S\"\n"

static void a_counter_that_falls_is_reported(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, false, false);
	put_values(&s->r, 5, 900, 3);
	put_values(&s->r, 6, 950, 2);
	put_values(&s->r, 6, 400, 3);
	check(s,
	      "5 cpu-clock 900\n5 page-faults 3\n"
	      "6 cpu-clock 50\n6 page-faults 2\n"
	      "6 cpu-clock 400\n6 page-faults 1\n",
	      WARN("2 impossible periods",
		   "\"page-faults\" of thread 6 fell from 3 to 2"));
}

/*
 * A counter belongs to one thread or processor, so it cannot count more time than has
 * elapsed. Other events have no such limit.
 */
static void a_counter_of_time_cannot_outrun_time(void **data)
{
	struct recorded *s = *data;

	read_counters(&s->r, false, false);
	s->r.time = 5 * SECOND;
	put_values(&s->r, 5, 5 * SECOND, 3); /* the start is not known */
	s->r.time = 6 * SECOND;
	put_values(&s->r, 5, 6 * SECOND + SECOND / 4, 9 * SECOND);
	s->r.time = 7 * SECOND;
	put_values(&s->r, 5, 8 * SECOND, 9 * SECOND);
	check(s,
	      "5 cpu-clock 5000000000\n5 page-faults 3\n"
	      "5 cpu-clock 1250000000\n5 page-faults 8999999997\n"
	      "5 cpu-clock 1750000000\n",
	      WARN("1 impossible period",
		   "\"cpu-clock\" of thread 5 counted 1750000000 ns within 1000000000 "
		   "ns"));
}

int main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_grows_from_0),
		cmocka_unit_test(a_counter_belongs_to_a_thread),
		cmocka_unit_test(times_may_be_missing),
		cmocka_unit_test(a_late_value_adds_nothing),
		cmocka_unit_test(a_counter_that_falls_begins_anew),
		TEST(inherited_counters_belong_to_threads),
		TEST(a_thread_that_reuses_an_id_begins_at_0),
		TEST(threads_share_counters_that_are_not_inherited),
		TEST(a_counter_may_be_read_alone),
		TEST(a_counter_that_falls_is_reported),
		TEST(a_counter_of_time_cannot_outrun_time),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
