/*
 * Tests of collapse/formats/perf/data: the place of each field of a record, for every
 * combination of recorded fields.
 */
#include "collapse/formats/perf/data/record.h"

#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define ID_ALL (UINT64_C(1) << FG_PD_ATTR_SAMPLE_ID_ALL)

enum { PID = 21, TID = 22, CPU = 5, FIRST_ID = 7, SECOND_ID = 9, PERIOD = 250 };
#define ADDRESS UINT64_C(0x401000)
#define TIME UINT64_C(0x123456789a)

/* Returns the fields of `choice`, a number below CHOICES: one bit for each field. */
static uint64_t chosen(unsigned choice)
{
	static const uint64_t fields[] = {
		FG_PD_SAMPLE_IP,   FG_PD_SAMPLE_TID,	FG_PD_SAMPLE_TIME,
		FG_PD_SAMPLE_ADDR, FG_PD_SAMPLE_ID,	FG_PD_SAMPLE_STREAM_ID,
		FG_PD_SAMPLE_CPU,  FG_PD_SAMPLE_PERIOD, FG_PD_SAMPLE_IDENTIFIER,
	};
	uint64_t type = 0;

	for (size_t i = 0; i < COUNT_OF(fields); i++)
		type |= choice >> i & 1 ? fields[i] : 0;
	return type;
}

#define CHOICES (1U << 9)

static void put_if(struct fg_buf *b, uint64_t wanted, uint64_t value)
{
	if (wanted)
		put64(b, value);
}

static void put_pair(struct fg_buf *b, uint64_t wanted, uint32_t first, uint32_t second)
{
	if (wanted) {
		put32(b, first);
		put32(b, second);
	}
}

/* If there is an identifier, it counts, so the id is a wrong one to show that. */
static uint64_t id_of(uint64_t type)
{
	return type & FG_PD_SAMPLE_IDENTIFIER ? FIRST_ID : SECOND_ID;
}

static void put_sample(struct fg_buf *b, uint64_t type)
{
	fg_buf_clear(b);
	put_if(b, type & FG_PD_SAMPLE_IDENTIFIER, SECOND_ID);
	put_if(b, type & FG_PD_SAMPLE_IP, ADDRESS);
	put_pair(b, type & FG_PD_SAMPLE_TID, PID, TID);
	put_if(b, type & FG_PD_SAMPLE_TIME, TIME);
	put_if(b, type & FG_PD_SAMPLE_ADDR, 1);
	put_if(b, type & FG_PD_SAMPLE_ID, id_of(type));
	put_if(b, type & FG_PD_SAMPLE_STREAM_ID, 2);
	put_pair(b, type & FG_PD_SAMPLE_CPU, CPU, 3);
	put_if(b, type & FG_PD_SAMPLE_PERIOD, PERIOD);
}

/* Adds the fields at the end of records that are not samples. */
static void put_end(struct fg_buf *b, uint64_t type)
{
	put_pair(b, type & FG_PD_SAMPLE_TID, PID, TID);
	put_if(b, type & FG_PD_SAMPLE_TIME, TIME);
	put_if(b, type & FG_PD_SAMPLE_ID, id_of(type));
	put_if(b, type & FG_PD_SAMPLE_STREAM_ID, 2);
	put_pair(b, type & FG_PD_SAMPLE_CPU, CPU, 3);
	put_if(b, type & FG_PD_SAMPLE_IDENTIFIER, SECOND_ID);
}

static struct fg_pd_event event_of(uint64_t type)
{
	return (struct fg_pd_event){ .sample_type = type,
				     .sample_period = 1000,
				     .flags = ID_ALL };
}

/* Returns the index of the record's event, one of two of this type. */
static size_t event_index_of(uint64_t type, uint64_t flags, struct fg_str body,
			     bool is_sample)
{
	struct fg_buf ids = FG_BUF_INIT;
	struct fg_pd_events e;
	size_t found;

	fg_pd_events_init(&e);
	for (size_t i = 0; i < 2; i++) {
		size_t event = fg_pd_events_add(&e, FG_STR(""));

		e.list[event].sample_type = type;
		e.list[event].flags = flags;
		fg_buf_clear(&ids);
		put64(&ids, i ? SECOND_ID : FIRST_ID);
		fg_pd_events_add_ids(&e, event, fg_buf_str(&ids));
	}
	found = (size_t)(fg_pd_events_of(&e, body, is_sample) - e.list);
	fg_buf_release(&ids);
	fg_pd_events_release(&e);
	return found;
}

static void a_sample_has_the_fields_that_were_recorded(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		struct fg_pd_event event = event_of(type);
		struct fg_pd_sample s;
		struct fg_str all;

		put_sample(&body, type);
		all = fg_buf_str(&body);
		assert_int_equal(fg_pd_sample_read(&event, all, &s), 0);
		assert_int_equal(s.ip, type & FG_PD_SAMPLE_IP ? ADDRESS : 0);
		assert_int_equal(s.pid, type & FG_PD_SAMPLE_TID ? PID : 0);
		assert_int_equal(s.tid, type & FG_PD_SAMPLE_TID ? TID : 0);
		assert_int_equal(s.time, type & FG_PD_SAMPLE_TIME ? TIME : 0);
		assert_int_equal(s.cpu, type & FG_PD_SAMPLE_CPU ? CPU : 0);
		assert_int_equal(s.period, type & FG_PD_SAMPLE_PERIOD ? PERIOD : 1000);
		if (all.len)
			assert_int_equal(
				fg_pd_sample_read(&event,
						  fg_str_before(all, all.len - 1), &s),
				-1);
	}
	fg_buf_release(&body);
}

/* A record may end with the time. If a byte of it is missing, it has no time. */
static void the_time_of_a_sample_is_after_its_first_fields(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		struct fg_pd_event event = event_of(type);
		uint64_t want = type & FG_PD_SAMPLE_TIME ? TIME : FG_PD_NO_TIME;
		struct fg_str cut;

		put_sample(&body, type);
		assert_int_equal(fg_pd_time_of(&event, fg_buf_str(&body), true), want);
		put_sample(&body, type & (FG_PD_SAMPLE_IDENTIFIER | FG_PD_SAMPLE_IP |
					  FG_PD_SAMPLE_TID | FG_PD_SAMPLE_TIME));
		assert_int_equal(fg_pd_time_of(&event, fg_buf_str(&body), true), want);
		cut = fg_str_before(fg_buf_str(&body), body.len ? body.len - 1 : 0);
		assert_int_equal(fg_pd_time_of(&event, cut, true), FG_PD_NO_TIME);
	}
	fg_buf_release(&body);
}

static void the_time_of_other_records_is_before_their_last_fields(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		struct fg_pd_event event = event_of(type);
		uint64_t want = type & FG_PD_SAMPLE_TIME ? TIME : FG_PD_NO_TIME;
		struct fg_str cut;

		fg_buf_clear(&body);
		fg_buf_add_str(&body, FG_STR("12345678"));
		put_end(&body, type);
		assert_int_equal(fg_pd_time_of(&event, fg_buf_str(&body), false), want);
		fg_buf_clear(&body);
		put_end(&body, type & ~FG_PD_SAMPLE_TID);
		assert_int_equal(fg_pd_time_of(&event, fg_buf_str(&body), false), want);
		cut = fg_str_from_pos(fg_buf_str(&body), body.len ? 1 : 0);
		assert_int_equal(fg_pd_time_of(&event, cut, false), FG_PD_NO_TIME);
		event.flags = 0;
		assert_int_equal(fg_pd_time_of(&event, fg_buf_str(&body), false),
				 FG_PD_NO_TIME);
	}
	fg_buf_release(&body);
}

static void other_records_have_their_thread_and_cpu_at_their_end(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		struct fg_pd_event event = event_of(type);
		struct fg_pd_origin origin;
		struct fg_str all;

		fg_buf_clear(&body);
		put_end(&body, type);
		all = fg_buf_str(&body);
		if (!(type & FG_PD_SAMPLE_TID)) {
			assert_int_equal(fg_pd_origin_of(&event, all, &origin), -1);
			continue;
		}
		assert_int_equal(fg_pd_origin_of(&event, all, &origin), 0);
		assert_int_equal(origin.pid, PID);
		assert_int_equal(origin.tid, TID);
		assert_int_equal(origin.has_cpu, !!(type & FG_PD_SAMPLE_CPU));
		assert_int_equal(origin.cpu, type & FG_PD_SAMPLE_CPU ? CPU : 0);
		assert_int_equal(
			fg_pd_origin_of(&event, fg_str_from_pos(all, 1), &origin), -1);
		event.flags = 0;
		assert_int_equal(fg_pd_origin_of(&event, all, &origin), -1);
	}
	fg_buf_release(&body);
}

/* The record has the id of the second event. Without an id it is the first event's. */
static void a_record_belongs_to_the_event_with_its_id(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		size_t want =
			type & (FG_PD_SAMPLE_ID | FG_PD_SAMPLE_IDENTIFIER) ? 1 : 0;
		uint64_t until = type & FG_PD_SAMPLE_IDENTIFIER ?
					 FG_PD_SAMPLE_IDENTIFIER :
					 FG_PD_SAMPLE_IP | FG_PD_SAMPLE_TID |
						 FG_PD_SAMPLE_TIME | FG_PD_SAMPLE_ADDR |
						 FG_PD_SAMPLE_ID;

		put_sample(&body, type);
		assert_int_equal(event_index_of(type, 0, fg_buf_str(&body), true),
				 want);
		put_sample(&body, type & until);
		assert_int_equal(event_index_of(type, 0, fg_buf_str(&body), true),
				 want);
		if (body.len--)
			assert_int_equal(
				event_index_of(type, 0, fg_buf_str(&body), true), 0);
	}
	fg_buf_release(&body);
}

static void the_id_of_other_records_is_at_their_end(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		size_t want =
			type & (FG_PD_SAMPLE_ID | FG_PD_SAMPLE_IDENTIFIER) ? 1 : 0;
		struct fg_str all;

		fg_buf_clear(&body);
		put_end(&body, type);
		all = fg_buf_str(&body);
		assert_int_equal(event_index_of(type, ID_ALL, all, false), want);
		assert_int_equal(event_index_of(type, 0, all, false), 0);
		fg_buf_clear(&body);
		put_end(&body, type & ~(FG_PD_SAMPLE_TID | FG_PD_SAMPLE_TIME));
		all = fg_buf_str(&body);
		assert_int_equal(event_index_of(type, ID_ALL, all, false), want);
		if (!(type & FG_PD_SAMPLE_IDENTIFIER) && all.len)
			assert_int_equal(event_index_of(type, ID_ALL,
							fg_str_from_pos(all, 1), false),
					 0);
	}
	fg_buf_release(&body);
}

/* ---- fields of various lengths */

/* Adds the value of a counter, or those of a group, with the parts of the format. */
static void put_counters(struct fg_buf *b, uint64_t format)
{
	uint64_t members = format & FG_PD_READ_GROUP ? 3 : 1;
	unsigned times = (format & 1) + (format >> 1 & 1);

	if (format & FG_PD_READ_GROUP) {
		put64(b, members);
		for (unsigned i = 0; i < times; i++)
			put64(b, 99);
		times = 0;
	}
	for (uint64_t i = 0; i < members; i++) {
		put64(b, 1000 + i);
		for (unsigned j = 0; j < times; j++)
			put64(b, 99);
		put_if(b, format & 4, i);
		put_if(b, format & 16, 98);
	}
}

static void check_counters(const struct fg_pd_sample *s, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		const char *at = s->values.ptr + i * s->value_size;

		assert_int_equal(fg_load64(at), 1000 + i);
		assert_int_equal(fg_load64(at + s->id_at), i);
	}
}

static void the_format_of_counters_gives_their_length(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (uint64_t format = 0; format < 32; format++) {
		struct fg_pd_event event =
			event_of(FG_PD_SAMPLE_READ | FG_PD_SAMPLE_CALLCHAIN);
		bool group = format & FG_PD_READ_GROUP, ids = format & 4;
		size_t each = 8 + (ids ? 8 : 0) + (format & 16 ? 8 : 0);
		size_t times = (format & 1 ? 8 : 0) + (format & 2 ? 8 : 0);
		struct fg_pd_sample s;

		event.read_format = format;
		fg_buf_clear(&body);
		put_counters(&body, format);
		put64(&body, 1);
		put64(&body, 77);
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), 0);
		assert_int_equal(s.chain.len, 8);
		assert_int_equal(fg_load64(s.chain.ptr), 77);
		if (!group)
			each += times;
		assert_int_equal(s.values.len, ids ? (group ? 3 : 1) * each : 0);
		assert_int_equal(s.value_size, each);
		if (ids)
			check_counters(&s, group ? 3 : 1);
		body.len--;
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), -1);
	}
	fg_buf_release(&body);
}

static void a_group_with_too_large_a_count_is_too_short(void **data)
{
	struct fg_pd_event event = event_of(FG_PD_SAMPLE_READ);
	struct fg_buf body = FG_BUF_INIT;
	struct fg_pd_sample s;

	(void)data;
	event.read_format = FG_PD_READ_GROUP | 4;
	put64(&body, UINT64_MAX / 16 + 2); /* times 16 it overflows to 16 */
	put64(&body, 1);
	put64(&body, 1);
	assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), -1);
	fg_buf_release(&body);
}

/*
 * Adds a payload and, if the event has them, branches and registers, then a copy of the
 * stack.
 */
static void put_stack(struct fg_buf *b, const struct fg_pd_event *event, uint64_t abi,
		      uint64_t used)
{
	uint64_t branches = event->branch_sample_type;

	put32(b, 3);
	fg_buf_add(b, "raw", 3);
	if (event->sample_type & FG_PD_SAMPLE_BRANCH_STACK) {
		put64(b, 2);
		put_if(b, branches & FG_PD_BRANCH_HW_INDEX, 55);
		for (unsigned i = 0; i < 2 * 3; i++)
			put64(b, 56);
		for (unsigned i = 0; i < 2; i++)
			put_if(b, branches & FG_PD_BRANCH_COUNTERS, 57);
	}
	if (event->sample_type & FG_PD_SAMPLE_REGS_USER) {
		put64(b, abi);
		for (uint64_t i = 0; abi && i < 3; i++)
			put64(b, 60 + i);
	}
	put64(b, 16);
	put64(b, 70);
	put64(b, 71);
	put64(b, used);
}

static void a_stack_is_after_branches_and_registers(void **data)
{
	static const uint64_t with[] = { 0, FG_PD_SAMPLE_BRANCH_STACK,
					 FG_PD_SAMPLE_REGS_USER,
					 FG_PD_SAMPLE_BRANCH_STACK |
						 FG_PD_SAMPLE_REGS_USER };
	static const uint64_t branches[] = { 0, FG_PD_BRANCH_HW_INDEX,
					     FG_PD_BRANCH_COUNTERS,
					     FG_PD_BRANCH_HW_INDEX |
						     FG_PD_BRANCH_COUNTERS };
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned i = 0; i < 4 * 4 * 3; i++) {
		struct fg_pd_event event = event_of(
			FG_PD_SAMPLE_RAW | FG_PD_SAMPLE_STACK_USER | with[i % 4]);
		uint64_t abi = i / 16, used = i % 2 ? 8 : 17;
		bool has = abi && event.sample_type & FG_PD_SAMPLE_REGS_USER;
		struct fg_pd_sample s;

		event.branch_sample_type = branches[i / 4 % 4];
		event.sample_regs_user = UINT64_C(0x8000000000000401);
		fg_buf_clear(&body);
		put_stack(&body, &event, abi, used);
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), 0);
		assert_str(s.raw, "raw");
		assert_int_equal(s.registers.len, has ? 24 : 0);
		if (has)
			assert_int_equal(fg_load64(s.registers.ptr + 16), 62);
		assert_int_equal(s.is_narrow, has && abi == 1);
		assert_int_equal(s.stack.len, used == 8 ? 8 : 16);
		assert_int_equal(fg_load64(s.stack.ptr), 70);
		body.len--;
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), -1);
	}
	fg_buf_release(&body);
}

/* An empty copy has no number of used bytes after it. */
static void a_stack_may_be_empty(void **data)
{
	struct fg_pd_event event = event_of(FG_PD_SAMPLE_STACK_USER);
	struct fg_buf body = FG_BUF_INIT;
	struct fg_pd_sample s;

	(void)data;
	put64(&body, 0);
	assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), 0);
	assert_int_equal(s.stack.len, 0);
	fg_buf_release(&body);
}

/*
 * The payload of an offcpu-time sample has the thread, time and chain of the wait. tid
 * comes before pid, unless perf has added up waits: then ip, pid and tid of the sample
 * are 0. A wait that ends in the idle task, whose pid and tid are 0, has an ip.
 */
static void a_wait_has_its_thread_in_the_payload(void **data)
{
	static const struct {
		uint64_t ip, thread;
		bool pid_first;
	} cases[] = { { 0, 0, true },
		      { UINT64_C(0xffffffff81000000), 0, false },
		      { UINT64_C(0xffffffff81000000), (uint64_t)9 << 32 | 9, false },
		      { 0, (uint64_t)9 << 32, false } };
	struct fg_pd_event event =
		event_of(FG_PD_SAMPLE_IP | FG_PD_SAMPLE_TID | FG_PD_SAMPLE_RAW);
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	event.type = FG_PD_TYPE_SOFTWARE;
	event.config = FG_PD_SOFTWARE_BPF_OUTPUT;
	event.name = FG_STR("offcpu-time");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_pd_sample s;

		fg_buf_clear(&body);
		put64(&body, cases[i].ip);
		put64(&body, cases[i].thread);
		put32(&body, 24);
		put32(&body, cases[i].pid_first ? PID : TID);
		put32(&body, cases[i].pid_first ? TID : PID);
		put64(&body, 5000);
		put64(&body, 0);
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), 0);
		assert_int_equal(s.pid, PID);
		assert_int_equal(s.tid, TID);
	}
	fg_buf_release(&body);
}

static void a_wait_has_a_time_and_a_chain(void **data)
{
	struct fg_pd_event event = event_of(FG_PD_SAMPLE_RAW);
	struct fg_buf raw = FG_BUF_INIT, body = FG_BUF_INIT;

	(void)data;
	event.type = FG_PD_TYPE_SOFTWARE;
	event.config = FG_PD_SOFTWARE_BPF_OUTPUT;
	event.name = FG_STR("offcpu-time");
	for (uint64_t count = 0; count < 3; count++) {
		struct fg_pd_sample s;

		fg_buf_clear(&raw);
		fg_buf_clear(&body);
		put32(&raw, PID);
		put32(&raw, TID);
		put64(&raw, 5000);
		put64(&raw, count);
		for (uint64_t i = 0; i < count; i++)
			put64(&raw, ADDRESS + i);
		put32(&body, (uint32_t)raw.len);
		fg_buf_add_str(&body, fg_buf_str(&raw));
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), 0);
		assert_int_equal(s.period, 5000);
		assert_int_equal(s.chain.len, 8 * count);
		assert_int_equal(s.ip, count == 2 ? ADDRESS + 1 : 0);
		fg_buf_clear(&body);
		put32(&body, (uint32_t)raw.len - 1);
		fg_buf_add_str(&body, fg_buf_str(&raw));
		assert_int_equal(fg_pd_sample_read(&event, fg_buf_str(&body), &s), -1);
	}
	fg_buf_release(&raw);
	fg_buf_release(&body);
}

/* A sample is a wait only if all of this holds. */
static void only_samples_of_offcpu_time_with_a_payload_are_waits(void **data)
{
	const struct fg_pd_event wait = { .type = FG_PD_TYPE_SOFTWARE,
					  .config = FG_PD_SOFTWARE_BPF_OUTPUT,
					  .sample_type = FG_PD_SAMPLE_RAW,
					  .name = FG_STR("offcpu-time:u") };
	struct fg_pd_event others[] = { wait, wait, wait, wait, wait };

	(void)data;
	assert_true(fg_pd_event_has_waits(&wait));
	assert_true(fg_pd_event_has_chain(&wait));
	others[0].type = FG_PD_TYPE_HARDWARE;
	others[1].config = 9;
	others[2].sample_type = 0;
	others[3].sample_type |= FG_PD_SAMPLE_CALLCHAIN;
	others[4].name = FG_STR("offcpu");
	for (size_t i = 0; i < COUNT_OF(others); i++)
		assert_false(fg_pd_event_has_waits(&others[i]));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_the_fields_that_were_recorded),
		cmocka_unit_test(the_time_of_a_sample_is_after_its_first_fields),
		cmocka_unit_test(the_time_of_other_records_is_before_their_last_fields),
		cmocka_unit_test(other_records_have_their_thread_and_cpu_at_their_end),
		cmocka_unit_test(a_record_belongs_to_the_event_with_its_id),
		cmocka_unit_test(the_id_of_other_records_is_at_their_end),
		cmocka_unit_test(the_format_of_counters_gives_their_length),
		cmocka_unit_test(a_group_with_too_large_a_count_is_too_short),
		cmocka_unit_test(a_stack_is_after_branches_and_registers),
		cmocka_unit_test(a_stack_may_be_empty),
		cmocka_unit_test(a_wait_has_its_thread_in_the_payload),
		cmocka_unit_test(a_wait_has_a_time_and_a_chain),
		cmocka_unit_test(only_samples_of_offcpu_time_with_a_payload_are_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
