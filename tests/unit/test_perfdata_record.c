/*
 * Tests of collapse/formats/perf/data: where each field of a record is, for every choice
 * of what was recorded.
 */
#include "collapse/formats/perf/data/record.h"

#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define ID_ALL (UINT64_C(1) << FG_PD_ATTR_SAMPLE_ID_ALL)

enum { PID = 21, TID = 22, CPU = 5, FIRST_ID = 7, SECOND_ID = 9, PERIOD = 250 };
#define ADDRESS UINT64_C(0x401000)
#define TIME UINT64_C(0x123456789a)

/* What `choice`, a number below CHOICES, has recorded. */
static uint64_t chosen(unsigned choice)
{
	static const uint64_t fields[] = {
		FG_PD_SAMPLE_IP,	 FG_PD_SAMPLE_TID,    FG_PD_SAMPLE_TIME,
		FG_PD_SAMPLE_ADDR,	 FG_PD_SAMPLE_ID,     FG_PD_SAMPLE_STREAM_ID,
		FG_PD_SAMPLE_CPU,	 FG_PD_SAMPLE_PERIOD,
		FG_PD_SAMPLE_IDENTIFIER,
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

/* The identifier, where there is one, is asked before the id, which is then another. */
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

/* What ends every other record. */
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

/* Which of two events of this type it is, counted from 0. */
static size_t which(uint64_t type, uint64_t flags, struct fg_str body, bool is_sample)
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
				fg_pd_sample_read(&event, fg_str_before(all, all.len - 1),
						  &s),
				-1);
	}
	fg_buf_release(&body);
}

/* It is found also where the record ends with it, and nowhere if a byte is missing. */
static void a_sample_has_its_time_where_the_fields_before_it_end(void **data)
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

static void other_records_have_their_time_before_the_fields_at_their_end(void **data)
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

static void other_records_say_at_their_end_where_they_were_made(void **data)
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

/* Of the second event if its id is there, and of the first where nothing says so. */
static void a_record_is_of_the_event_whose_id_it_has(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		size_t want = type & (FG_PD_SAMPLE_ID | FG_PD_SAMPLE_IDENTIFIER) ? 1 : 0;
		uint64_t until = type & FG_PD_SAMPLE_IDENTIFIER ?
					 FG_PD_SAMPLE_IDENTIFIER :
					 FG_PD_SAMPLE_IP | FG_PD_SAMPLE_TID |
						 FG_PD_SAMPLE_TIME | FG_PD_SAMPLE_ADDR |
						 FG_PD_SAMPLE_ID;

		put_sample(&body, type);
		assert_int_equal(which(type, 0, fg_buf_str(&body), true), want);
		put_sample(&body, type & until);
		assert_int_equal(which(type, 0, fg_buf_str(&body), true), want);
		if (body.len--)
			assert_int_equal(which(type, 0, fg_buf_str(&body), true), 0);
	}
	fg_buf_release(&body);
}

static void the_id_of_other_records_is_at_their_end(void **data)
{
	struct fg_buf body = FG_BUF_INIT;

	(void)data;
	for (unsigned choice = 0; choice < CHOICES; choice++) {
		uint64_t type = chosen(choice);
		size_t want = type & (FG_PD_SAMPLE_ID | FG_PD_SAMPLE_IDENTIFIER) ? 1 : 0;
		struct fg_str all;

		fg_buf_clear(&body);
		put_end(&body, type);
		all = fg_buf_str(&body);
		assert_int_equal(which(type, ID_ALL, all, false), want);
		assert_int_equal(which(type, 0, all, false), 0);
		fg_buf_clear(&body);
		put_end(&body, type & ~(FG_PD_SAMPLE_TID | FG_PD_SAMPLE_TIME));
		all = fg_buf_str(&body);
		assert_int_equal(which(type, ID_ALL, all, false), want);
		if (!(type & FG_PD_SAMPLE_IDENTIFIER) && all.len)
			assert_int_equal(
				which(type, ID_ALL, fg_str_from_pos(all, 1), false), 0);
	}
	fg_buf_release(&body);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_has_the_fields_that_were_recorded),
		cmocka_unit_test(a_sample_has_its_time_where_the_fields_before_it_end),
		cmocka_unit_test(
			other_records_have_their_time_before_the_fields_at_their_end),
		cmocka_unit_test(other_records_say_at_their_end_where_they_were_made),
		cmocka_unit_test(a_record_is_of_the_event_whose_id_it_has),
		cmocka_unit_test(the_id_of_other_records_is_at_their_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
