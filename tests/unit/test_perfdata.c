/* Tests of collapse/formats/perf/data: we make recordings and read their samples. */
#include "collapse/formats/perf/data/perfdata.h"

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elf.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define KERNEL UINT64_C(0xffffffffffffff80)

static void map_at(struct recording *r, uint32_t pid, uint64_t start, const char *name)
{
	recording_map(r, &(struct recorded_map){ .pid = pid,
						 .start = start,
						 .len = 0x1000,
						 .name = name,
						 .misc = 2,
						 .prot = 5 });
}

/* Checks the text of the recording, read as a file and as a stream. */
static void check_both(struct recorded *s, const char *want)
{
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_stream(&s->r), NULL, &s->text, NULL),
			 0);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
}

static void test_a_sample_has_its_fields(void **data)
{
	struct recorded *s = *data;

	recording_comm(&s->r, 5, "worker one");
	map_at(&s->r, 5, 0x400000, "[heap]");
	recording_at(&s->r, 5, 0x400123);
	recording_at(&s->r, 6, 0x400123);
	check_both(s,
		   "worker one 5/5 3000 cpu-clock 100 [unknown]+0(/tmp/perf-5.map)\n"
		   ":6 6/6 4000 cpu-clock 100 [unknown]+0([unknown])\n"
		   "prog: perf.data: /tmp/perf-5.map is missing or belongs to another "
		   "user, so code that was compiled at run time has no names: have the "
		   "runtime write it (1 samples)\n");
}

/* node --perf-prof maps a dump, which has the names. */
static void test_a_warning_names_the_dump_of_a_runtime(void **data)
{
	struct recorded *s = *data;

	map_at(&s->r, 5, 0x400000, "[heap]");
	map_at(&s->r, 5, 0x500000, "/nonexistent/jit-5.dump");
	recording_at(&s->r, 5, 0x400123);
	check_both(s,
		   ":5 5/5 3000 cpu-clock 100 [unknown]+0(/tmp/perf-5.map)\n"
		   "prog: perf.data: /tmp/perf-5.map is missing or belongs to another "
		   "user, so code that was compiled at run time has no names: have the "
		   "runtime write it (1 samples)\n"
		   "prog: perf.data: /nonexistent/jit-5.dump has the names of that "
		   "code, but it is missing or belongs to another user\n");
}

static void test_records_are_delivered_in_the_order_of_time(void **data)
{
	struct recorded *s = *data;

	s->r.time = 9000;
	recording_at(&s->r, 5, 0x10);
	s->r.time = 7000;
	recording_comm(&s->r, 5, "early");
	recording_round(&s->r);
	s->r.time = 8000;
	recording_at(&s->r, 5, 0x10);
	recording_round(&s->r);
	s->r.time = 9500;
	recording_comm(&s->r, 5, "late");
	s->r.time = 9200;
	recording_at(&s->r, 5, 0x10);
	check_both(s, "early 5/5 8000 cpu-clock 100 [unknown]+0([unknown])\n"
		      "early 5/5 9000 cpu-clock 100 [unknown]+0([unknown])\n"
		      "early 5/5 9200 cpu-clock 100 [unknown]+0([unknown])\n");
}

static void test_a_record_without_a_time_comes_first(void **data)
{
	struct recorded *s = *data;

	recording_at(&s->r, 5, 0x10);
	s->r.time = 0;
	recording_comm(&s->r, 5, "timeless");
	check_both(s, "timeless 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n");
}

static void test_a_child_has_the_name_and_mappings_of_its_parent(void **data)
{
	struct recorded *s = *data;

	recording_comm(&s->r, 5, "parent");
	map_at(&s->r, 5, 0x1000, "/nonexistent/a");
	recording_fork(&s->r, 5, 6, 6);
	map_at(&s->r, 6, 0x1000, "/nonexistent/b");
	recording_comm(&s->r, 6, "child");
	recording_at(&s->r, 5, 0x1010);
	recording_at(&s->r, 6, 0x1010);
	recording_fork(&s->r, 5, 6, 6);
	recording_at(&s->r, 6, 0x1010);
	recording_fork(&s->r, 5, 5, 7);
	{
		const uint64_t chain[] = { RECORDED_USER, 0x1010 };

		recording_sample(&s->r, 5, 7, chain, COUNT_OF(chain));
	}
	check_both(s, "parent 5/5 6000 cpu-clock 100 [unknown]+0(/nonexistent/a)\n"
		      "child 6/6 7000 cpu-clock 100 [unknown]+0(/nonexistent/b)\n"
		      "parent 6/6 9000 cpu-clock 100 [unknown]+0(/nonexistent/a)\n"
		      "parent 5/7 11000 cpu-clock 100 [unknown]+0(/nonexistent/a)\n"
		      "prog: perf.data: /nonexistent/a was not found, so its functions "
		      "have no names (3 samples; 1 more likewise)\n");
}

static void test_a_new_mapping_cuts_the_old_one(void **data)
{
	struct recorded *s = *data;

	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = 0x1000,
						     .len = 0x3000,
						     .name = "old",
						     .misc = 2,
						     .prot = 5 });
	recording_at(&s->r, 5, 0x2800);
	map_at(&s->r, 5, 0x2000, "new");
	recording_at(&s->r, 5, 0x1fff);
	recording_at(&s->r, 5, 0x2800);
	recording_at(&s->r, 5, 0x3000);
	recording_at(&s->r, 5, 0x4000);
	check_both(s, ":5 5/5 2000 cpu-clock 100 [unknown]+0(old)\n"
		      ":5 5/5 4000 cpu-clock 100 [unknown]+0(old)\n"
		      ":5 5/5 5000 cpu-clock 100 [unknown]+0(new)\n"
		      ":5 5/5 6000 cpu-clock 100 [unknown]+0(old)\n"
		      ":5 5/5 7000 cpu-clock 100 [unknown]+0([unknown])\n");
}

/* We must not remember that nothing was mapped at an address. */
static void test_an_address_is_mapped_after_its_first_sample(void **data)
{
	struct recorded *s = *data;

	map_at(&s->r, 5, 0x1000, "a");
	for (size_t i = 0; i < 2; i++) {
		recording_at(&s->r, 5, 0x1800);
		recording_at(&s->r, 5, 0x5800);
		if (!i)
			map_at(&s->r, 5, 0x5000, "b");
	}
	check_both(s, ":5 5/5 2000 cpu-clock 100 [unknown]+0(a)\n"
		      ":5 5/5 3000 cpu-clock 100 [unknown]+0([unknown])\n"
		      ":5 5/5 5000 cpu-clock 100 [unknown]+0(a)\n"
		      ":5 5/5 6000 cpu-clock 100 [unknown]+0(b)\n");
}

/*
 * A child that changes its mappings gets its own copy of those that it shared with its
 * parent. Once a process has ended, others may have as many mappings more.
 */
static void test_mappings_beyond_the_limit_are_counted(void **data)
{
	enum { SIDE = 1500 };
	struct recorded *s = *data;

	for (uint32_t i = 0; i < SIDE; i++)
		map_at(&s->r, 5, 0x400000 + i * 0x1000, "[heap]");
	for (uint32_t i = 0; i < SIDE; i++) {
		recording_fork(&s->r, 5, 100 + i, 100 + i);
		map_at(&s->r, 100 + i, 0x10000, "[heap]");
	}
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	/* 1500 for the parent, and 1501 for each child up to the limit */
	assert_str(
		fg_buf_str(&s->text),
		"prog: perf.data: there are more than 2097152 mappings at a time: 103 "
		"were left out, so functions in them have no names\n");
	fg_buf_clear(&s->text);
	recording_exit(&s->r, 100);
	map_at(&s->r, 5, 0x10000, "[heap]");
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	assert_has(fg_buf_str(&s->text), ": 103 were left out");
}

/* Sets the place and size of an event's ids in a file. */
static void set_ids(struct fg_str file, size_t event, uint64_t at, uint64_t size)
{
	char *entry = (char *)file.ptr + fg_load64(file.ptr + 24) +
		      event * fg_load64(file.ptr + 16);
	char *section = entry + fg_load64(file.ptr + 16) - 16;

	memcpy(section, &at, sizeof(at));
	memcpy(section + 8, &size, sizeof(size));
}

/*
 * The ids of a section that two events share belong to the first event. All sections
 * together can have no more bytes than the file.
 */
static void test_two_events_share_their_ids(void **data)
{
	static const struct recorded_event second = {
		.type = 1, .sample_type = RECORDED_FIELDS, .id = 9, .name = "second"
	};
	struct recorded *s = *data;
	struct fg_str file;

	recording_add_event(&s->r, &second);
	s->r.id = 9;
	recording_at(&s->r, 5, 0x10);
	file = recording_file(&s->r);
	set_ids(file, 0, 104, 16);
	set_ids(file, 1, 104, 16);
	assert_int_equal(recording_read(file, NULL, &s->text, NULL), 0);
	assert_str(fg_buf_str(&s->text),
		   ":5 5/5 1000 second 100 [unknown]+0([unknown])\n");
	fg_buf_clear(&s->text);
	set_ids(file, 0, 0, file.len);
	assert_int_equal(recording_read(file, NULL, &s->text, NULL), 0);
	assert_has(fg_buf_str(&s->text), ":5 5/5 1000 second 100 [unknown]");
	assert_has(fg_buf_str(&s->text), "perf.data: cut short");
}

static void test_a_chain_with_an_unknown_marker_is_broken(void **data)
{
	static const uint64_t chain[] = { RECORDED_USER, 0x1010, (uint64_t)-3000,
					  0x1020 };
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;

	map_at(&s->r, 5, 0x1000, "a");
	recording_sample(&s->r, 5, 5, chain, COUNT_OF(chain));
	recording_sample(&s->r, 5, 5, chain, 2);
	recording_read(recording_file(&s->r), NULL, &s->text, &tally);
	assert_str(fg_buf_str(&s->text), ":5 5/5 2000 cpu-clock 100\n"
					 ":5 5/5 3000 cpu-clock 100 [unknown]+0(a)\n");
	assert_int_equal(tally.samples, 2);
	assert_int_equal(tally.broken_chains, 1);
}

/* Like with perf script, which prints no period of a tracepoint. */
static void test_a_tracepoint_counts_1_unless_periods_are_wanted(void **data)
{
	static const struct {
		uint32_t type;
		const char *arguments, *want;
	} cases[] = {
		{ 1, "", ":5;[a] 100\n" },
		{ 2, "", ":5;[a] 1\n" },
		{ 2, "--weight=period", ":5;[a] 100\n" },
		{ 2, "--weight=samples", ":5;[a] 1\n" },
	};
	struct recorded *s = *data;

	map_at(&s->r, 5, 0x1000, "a");
	recording_at(&s->r, 5, 0x1010);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct collapse_how how = { .arguments = cases[i].arguments };
		struct collapsed c;

		s->r.events[0].type = cases[i].type;
		collapse_format(&fg_format_perf, recording_file(&s->r), how, &c);
		assert_int_equal(c.status, 0);
		assert_str_is(fg_buf_str(&c.out.buf), fg_str_from(cases[i].want));
		collapsed_release(&c);
	}
}

static void test_each_event_has_its_own_fields(void **data)
{
	struct recorded *s = *data;
	struct fg_buf body = FG_BUF_INIT;

	/* identifier, ip, tid, time, and the id again, which is skipped */
	recording_add_event(&s->r,
			    &(struct recorded_event){ .type = 2,
						      .sample_period = 3,
						      .sample_type = 0x10047,
						      .id = 9,
						      .name = "sched:sched_switch" });
	recording_at(&s->r, 5, 0x10);
	put64(&body, 9);
	put64(&body, 0x10);
	put32(&body, 5);
	put32(&body, 5);
	put64(&body, 2000);
	put64(&body, 9);
	recording_put(&s->r, 9, 2, fg_buf_str(&body));
	fg_buf_release(&body);
	check_both(s, ":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n"
		      ":5 5/5 2000 sched:sched_switch 3\n");
}

/* perf record --off-cpu from perf 6.16 on: a wait that ended in the idle task. */
static void test_a_wait_is_in_the_payload(void **data)
{
	struct recorded *s = *data;
	struct fg_buf body = FG_BUF_INIT;

	/* identifier, ip, tid, time, period, payload */
	recording_add_event(&s->r, &(struct recorded_event){ .type = 1,
							     .config = 10,
							     .sample_period = 1,
							     .sample_type = 0x10507,
							     .id = 9,
							     .name = "offcpu-time" });
	map_at(&s->r, 7, 0x1000, "/nonexistent/a");
	map_at(&s->r, 7, 0x2000, "/nonexistent/b");
	recording_at(&s->r, 5, 0x10);
	for (unsigned cut = 0; cut < 2; cut++) {
		fg_buf_clear(&body);
		put64(&body, 9);
		put64(&body, UINT64_C(0xffffffff81000000));
		put32(&body, 0);
		put32(&body, 0);
		put64(&body, 900000000);
		put64(&body, 1);
		put32(&body, 60);
		put32(&body, 8);
		put32(&body, 7);
		put64(&body, 700000000);
		put64(&body, cut ? 300 : 3);
		put64(&body, RECORDED_USER);
		put64(&body, 0x1010);
		put64(&body, 0x2020);
		put64(&body, 77); /* cgroup */
		put32(&body, 0);
		recording_put(&s->r, 9, 1, fg_buf_str(&body));
	}
	fg_buf_release(&body);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	assert_has(fg_buf_str(&s->text),
		   ":8 7/8 900000000 offcpu-time 700000000 "
		   "[unknown]+0(/nonexistent/a) [unknown]+0(/nonexistent/b)\n");
	assert_has(fg_buf_str(&s->text), "damaged: 1 records are too short");
}

/* perf inject -B gives mappings the mode of guests if the kernel runs for them. */
static void test_mappings_marked_as_guests_belong_to_the_host(void **data)
{
	static const uint64_t chain[] = { KERNEL, UINT64_C(0xffffffffc0001010),
					  RECORDED_USER, 0x1010 };
	struct recorded_map map = { .pid = 5,
				    .start = 0x1000,
				    .len = 0x1000,
				    .name = "/nonexistent/a",
				    .misc = 5,
				    .prot = 5 };
	struct recorded *s = *data;

	recording_map(&s->r, &map);
	map.start = UINT64_C(0xffffffffc0001000);
	map.name = "/nonexistent/mill.ko";
	recording_map(&s->r, &map);
	recording_sample(&s->r, 5, 5, chain, COUNT_OF(chain));
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	assert_has(fg_buf_str(&s->text), ":5 5/5 3000 cpu-clock 100 "
					 "[unknown]+0([mill]) "
					 "[unknown]+0(/nonexistent/a)\n");
}

/* ---- streams that end between two records */

static bool is_cut(struct recorded *s, size_t left_out)
{
	struct fg_str stream = recording_stream(&s->r);
	struct fg_perfdata_tally tally;

	stream.len -= left_out;
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(stream, NULL, &s->text, &tally), 0);
	assert_int_equal(tally.cut,
			 fg_str_has(fg_buf_str(&s->text), FG_STR("cut short")));
	return tally.cut;
}

static void test_a_stream_ends_with_a_round(void **data)
{
	struct recorded *s = *data;

	recording_at(&s->r, 5, 0x10);
	recording_round(&s->r);
	recording_at(&s->r, 5, 0x10);
	assert_false(is_cut(s, 0));
	assert_true(is_cut(s, ROUND_SIZE));
}

/* perf inject -j leaves out all rounds, and puts records in order. */
static void test_a_stream_without_rounds_is_whole_if_it_is_in_order(void **data)
{
	struct recorded *s = *data;

	recording_at(&s->r, 5, 0x10);
	recording_at(&s->r, 5, 0x10);
	assert_false(is_cut(s, ROUND_SIZE));
	s->r.time = 500; /* from another processor, whose buffer is written next */
	recording_at(&s->r, 5, 0x10);
	assert_true(is_cut(s, ROUND_SIZE));
	assert_false(is_cut(s, 0));
}

/* perf inject -b, -B and -s write the ends of rounds before their records. */
static void test_an_end_of_a_round_before_all_samples_is_ignored(void **data)
{
	struct recorded *s = *data;

	s->r.time = 0;
	recording_comm(&s->r, 5, "there before");
	recording_round(&s->r);
	s->r.time = 1000;
	recording_at(&s->r, 5, 0x10);
	assert_false(is_cut(s, ROUND_SIZE));
	recording_round(&s->r);
	recording_at(&s->r, 5, 0x10);
	assert_false(is_cut(s, ROUND_SIZE));
}

static void test_events_without_a_name_are_named_by_their_type(void **data)
{
	struct recorded *s = *data;

	s->r.events[0].name = NULL;
	s->r.events[0].config = 2;
	recording_at(&s->r, 5, 0x10);
	check_both(s, ":5 5/5 1000 page-faults:HG 100 [unknown]+0([unknown])\n");
}

/* The period of each member is how much its counter has grown. */
static void test_a_leader_samples_for_its_group(void **data)
{
	static const uint64_t values[][2] = { { 10, 5 }, { 30, 5 }, { 30, 9 } };
	struct recorded *s = *data;

	s->r.events[0].sample_type = 0x10003 | 1 << 4;
	s->r.events[0].read_format = 1 << 3 | 1 << 2 | 1 << 1;
	recording_add_event(&s->r, &(struct recorded_event){
					   .type = 1,
					   .sample_type = s->r.events[0].sample_type,
					   .id = 8,
					   .name = "page-faults" });
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		struct fg_buf body = FG_BUF_INIT;

		put64(&body, 7);
		put64(&body, 0x10);
		put64(&body, 0);
		put64(&body, 2);
		put64(&body, 12345);
		put64(&body, values[i][0]);
		put64(&body, 7);
		put64(&body, values[i][1]);
		put64(&body, 8);
		recording_put(&s->r, 9, 2, fg_buf_str(&body));
		fg_buf_release(&body);
	}
	check_both(s, "swapper 0/0 cpu-clock 10 [unknown]+0([unknown])\n"
		      "swapper 0/0 page-faults 5 [unknown]+0([unknown])\n"
		      "swapper 0/0 cpu-clock 20 [unknown]+0([unknown])\n"
		      "swapper 0/0 page-faults 4 [unknown]+0([unknown])\n");
}

static void test_lost_events_are_counted(void **data)
{
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, 7);
	put64(&body, 12);
	put64(&body, 0);
	put64(&body, 0);
	put64(&body, 0);
	put64(&body, 0);
	recording_put(&s->r, 2, 0, fg_buf_str(&body));
	recording_put(&s->r, 13, 0, fg_buf_str(&body));
	recording_put(&s->r, 13, 1U << 15, fg_buf_str(&body)); /* filtered by BPF */
	recording_read(recording_file(&s->r), NULL, &s->text, &tally);
	assert_int_equal(tally.lost, 12);
	assert_int_equal(tally.lost_samples, 7);
	/* the largest number; adding it to 12 overflows */
	memset(body.ptr + 8, 0xff, 8);
	recording_put(&s->r, 2, 0, fg_buf_str(&body));
	fg_buf_release(&body);
	recording_read(recording_file(&s->r), NULL, &s->text, &tally);
	assert_true(tally.lost == UINT64_MAX);
}

/* The data of tracepoints comes after its record, whose size does not include it. */
static void test_tracing_data_after_its_record_is_skipped(void **data)
{
	struct recorded *s = *data;

	recording_put(&s->r, 66, 0, fg_str_of("\x05\0\0\0\0\0\0\0", 8));
	fg_buf_add(&s->r.records, "12345\0\0\0", 8);
	recording_at(&s->r, 5, 0x10);
	if (*(const unsigned char *)&(uint16_t){ 1 })
		check_both(s, ":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n");
}

static void test_bpf_programs_have_their_names(void **data)
{
	static const uint64_t chain[] = { KERNEL, UINT64_C(0xffffffffc0001010) };
	struct recorded *s = *data;
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, UINT64_C(0xffffffffc0001000));
	put32(&body, 0x100);
	put16(&body, 1);
	put16(&body, 0);
	fg_buf_add(&body, "bpf_prog_1_x\0\0\0\0", 16);
	for (size_t i = 0; i < 4; i++)
		put64(&body, 0);
	recording_put(&s->r, 17, 0, fg_buf_str(&body));
	fg_buf_release(&body);
	recording_sample(&s->r, 5, 5, chain, COUNT_OF(chain));
	check_both(s, ":5 5/5 1000 cpu-clock 100 bpf_prog_1_x+10(bpf_prog_1_x)\n");
}

/* Identifier, ip, tid, time, registers and a copy of the stack. */
#define STACK_WITHOUT_CHAIN UINT64_C(0x13007)

/*
 * A copy of the stack is the user's half of a chain. perf record always records the
 * other half, too. If that is missing, we ignore the copy.
 */
static void test_a_stack_without_a_chain_is_not_unwound(void **data)
{
	static const uint64_t words[] = { 7,	0x10, (uint64_t)5 << 32 | 5,
					  1000, 2,    0x20,
					  8,	0x30, 8 };
	struct recorded *s = *data;
	struct fg_buf body = FG_BUF_INIT;

	s->r.events[0].sample_type = STACK_WITHOUT_CHAIN;
	s->r.events[0].registers = 1;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		put64(&body, words[i]);
	recording_put(&s->r, 9, 2, fg_buf_str(&body));
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	assert_str(fg_buf_str(&s->text),
		   ":5 5/5 1000 cpu-clock 250000 [unknown]+0([unknown])\n");
	fg_buf_release(&body);
}

int main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_a_sample_has_its_fields),
		TEST(test_a_warning_names_the_dump_of_a_runtime),
		TEST(test_records_are_delivered_in_the_order_of_time),
		TEST(test_a_record_without_a_time_comes_first),
		TEST(test_a_child_has_the_name_and_mappings_of_its_parent),
		TEST(test_a_new_mapping_cuts_the_old_one),
		TEST(test_an_address_is_mapped_after_its_first_sample),
		TEST(test_mappings_beyond_the_limit_are_counted),
		TEST(test_two_events_share_their_ids),
		TEST(test_a_chain_with_an_unknown_marker_is_broken),
		TEST(test_a_tracepoint_counts_1_unless_periods_are_wanted),
		TEST(test_each_event_has_its_own_fields),
		TEST(test_a_wait_is_in_the_payload),
		TEST(test_mappings_marked_as_guests_belong_to_the_host),
		TEST(test_a_stream_ends_with_a_round),
		TEST(test_a_stream_without_rounds_is_whole_if_it_is_in_order),
		TEST(test_an_end_of_a_round_before_all_samples_is_ignored),
		TEST(test_events_without_a_name_are_named_by_their_type),
		TEST(test_a_leader_samples_for_its_group),
		TEST(test_lost_events_are_counted),
		TEST(test_tracing_data_after_its_record_is_skipped),
		TEST(test_bpf_programs_have_their_names),
		TEST(test_a_stack_without_a_chain_is_not_unwound),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
