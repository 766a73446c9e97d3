/* Tests of collapse/formats/perf/data: the names of events recorded without one. */
#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/events.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define BIT(n) (UINT64_C(1) << (n))
#define NO_USER BIT(4)
#define NO_KERNEL BIT(5)
#define NO_HYPERVISOR BIT(6)
#define PRECISE(n) ((uint64_t)(n) << 15)
#define NO_HOST BIT(19)
#define NO_GUEST BIT(20)

static void check_name(const struct fg_pd_event *event, const char *want)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_pd_event_describe(event, &text);
	check_str(fg_buf_str(&text), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_release(&text);
}

/* The names that perf 6.1 prints for events with these attributes. */
static void test_modifiers_are_those_of_perf(void **data)
{
	static const struct {
		uint64_t flags;
		const char *want;
	} rows[] = {
		{ NO_GUEST, "cycles" },
		{ 0, "cycles:HG" },
		{ NO_GUEST | PRECISE(2), "cycles:ppH" },
		{ PRECISE(1), "cycles:p" },
		{ PRECISE(3) | NO_HOST, "cycles:pppG" },
		{ NO_KERNEL | NO_HYPERVISOR, "cycles:u" },
		{ NO_KERNEL | NO_HYPERVISOR | NO_GUEST, "cycles:uH" },
		{ NO_USER | NO_HYPERVISOR | NO_GUEST | PRECISE(1), "cycles:kpH" },
		{ NO_USER, "cycles:kh" },
		{ NO_HYPERVISOR, "cycles:ku" },
		{ NO_HOST, "cycles:G" },
		{ NO_HOST | NO_GUEST, "cycles" },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_name(&(struct fg_pd_event){ .flags = rows[i].flags },
			   rows[i].want);
}

static void test_events_are_named_by_type_and_config(void **data)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *want;
	} rows[] = {
		{ 0, 9, "ref-cycles" },
		{ 0, 10, "raw 0xa" },
		{ 0, UINT64_C(0x400000001), "instructions" },
		{ 1, 0, "cpu-clock" },
		{ 1, 11, "cgroup-switches" },
		{ 1, 12, "raw 0xc" },
		{ 2, 47, "tracepoint 47" },
		{ 3, 0x00000, "L1-dcache-loads" },
		{ 3, 0x10103, "dTLB-store-misses" },
		{ 3, 0x00206, "node-prefetches" },
		{ 3, 0x00007, "raw 0x7" },
		{ 3, 0x20000, "raw 0x20000" },
		{ 3, 0x00301, "raw 0x301" },
		{ 4, 0x1b1, "raw 0x1b1" },
	};
	const struct fg_pd_event breakpoint = { .type = 5,
						.flags = NO_GUEST,
						.breakpoint_type = 3,
						.breakpoint_address = 0x601040 };

	(void)data;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_name(&(struct fg_pd_event){ .type = rows[i].type,
						  .config = rows[i].config,
						  .flags = NO_GUEST },
			   rows[i].want);
	check_name(&breakpoint, "mem:0x601040:rw");
}

static void add_string(struct fg_buf *b, const char *text)
{
	fg_buf_add(b, text, strlen(text) + 1);
}

static void add_sized(struct fg_buf *b, const char *text)
{
	put64(b, strlen(text));
	fg_buf_add(b, text, strlen(text));
}

/* Returns tracing data with one tracepoint, probe_x:main of id 1329. */
static struct fg_buf make_tracing_data(void)
{
	struct fg_buf b = FG_BUF_INIT;

	fg_buf_add(&b, "\027\010Dtracing", 10);
	add_string(&b, "0.6");
	fg_buf_add(&b, "\0\010\0\020\0\0", 6);
	add_string(&b, "header_page");
	add_sized(&b, "");
	add_string(&b, "header_event");
	add_sized(&b, "");
	put32(&b, 0);
	put32(&b, 1);
	add_string(&b, "probe_x");
	put32(&b, 1);
	add_sized(&b, "name: main\nID: 1329\nformat:\n");
	while (b.len % 8)
		fg_buf_add_char(&b, 0);
	return b;
}

/* Reads `r`, whose event has no name, and checks the event of its two samples. */
static void check_samples(struct recording *r, const char *want)
{
	static const uint64_t chain[] = { UINT64_C(0xfffffffffffffe00), 0x10 };
	struct fg_buf text = FG_BUF_INIT, line = FG_BUF_INIT;

	r->events[0].name = NULL;
	r->events[0].type = 2;
	r->events[0].config = 1329;
	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
	assert_int_equal(recording_read(recording_stream(r), NULL, &text, NULL), 0);
	for (int i = 1; i <= 2; i++)
		fg_buf_addf(&line, ":5 5/5 %d000 %s 100 [unknown]+0([unknown])\n", i,
			    want);
	check_str(fg_buf_str(&text), fg_buf_str(&line), __FILE__, __LINE__);
	fg_buf_release(&text);
	fg_buf_release(&line);
}

/* perf has the description after its record, simpleperf in one of two types. */
static void test_tracepoints_are_named_by_their_description(void **data)
{
	static const struct {
		uint32_t type;
		bool inside;
	} rows[] = { { 66, false }, { 66, true }, { 32777, true } };
	struct fg_buf bytes = make_tracing_data();

	(void)data;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf body = FG_BUF_INIT;
		struct recording r;

		recording_init(&r);
		put32(&body, (uint32_t)bytes.len);
		if (rows[i].inside)
			fg_buf_add_str(&body, fg_buf_str(&bytes));
		recording_put(&r, rows[i].type, 0, fg_buf_str(&body));
		if (!rows[i].inside)
			fg_buf_add_str(&r.records, fg_buf_str(&bytes));
		check_samples(&r, "probe_x:main");
		recording_release(&r);
		fg_buf_release(&body);
	}
	fg_buf_release(&bytes);
}

/* simpleperf has a list of its events among keys and values. */
static void test_tracepoints_are_named_by_the_list_of_simpleperf(void **data)
{
	static const char list[] = "product\0x\0event_type_info\0"
				   "cpu-cycles,0,1329\nprobe_x:main,2,1329\nodd,2\0"
				   "event_type_info\0late,2,1329";
	struct fg_buf body = FG_BUF_INIT;
	struct recording r;

	(void)data;
	recording_init(&r);
	put64(&body, 129);
	fg_buf_add(&body, list, sizeof(list));
	recording_put(&r, 80, 0, fg_buf_str(&body));
	check_samples(&r, "probe_x:main");
	recording_release(&r);
	fg_buf_release(&body);
}

static void test_a_tracepoint_without_a_description_has_its_number(void **data)
{
	struct recording r;

	(void)data;
	recording_init(&r);
	recording_put(&r, 66, 0, FG_STR(""));
	check_samples(&r, "tracepoint 1329");
	recording_release(&r);
}

/* In a file a name may have any length, and each sample is compared with it. */
static void test_a_name_that_is_too_long_is_ignored(void **data)
{
	static char name[FG_PD_EVENT_NAME_MAX + 1];
	struct fg_pd_event event = { .unnamed = true };
	struct fg_pd_events events;

	(void)data;
	memset(name, 'e', sizeof(name));
	fg_pd_events_init(&events);
	fg_pd_events_name(&events, &event, fg_str_of(name, sizeof(name)));
	assert_true(event.unnamed);
	fg_pd_events_name(&events, &event, fg_str_of(name, sizeof(name) - 1));
	assert_false(event.unnamed);
	assert_int_equal(event.name.len, FG_PD_EVENT_NAME_MAX);
	fg_pd_events_release(&events);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modifiers_are_those_of_perf),
		cmocka_unit_test(test_events_are_named_by_type_and_config),
		cmocka_unit_test(test_a_name_that_is_too_long_is_ignored),
		cmocka_unit_test(test_tracepoints_are_named_by_their_description),
		cmocka_unit_test(test_tracepoints_are_named_by_the_list_of_simpleperf),
		cmocka_unit_test(
			test_a_tracepoint_without_a_description_has_its_number),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
