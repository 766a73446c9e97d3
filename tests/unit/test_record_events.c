/* Tests of record/events: names of -e, with a sysfs and a tracefs of our own. */
#include "record/events.h"
#include "tests/unit/support/support.h"

struct given {
	struct folder sys, tracing;
	struct fg_event_places places;
	struct fg_events events;
	struct caught caught;
};

static void start(struct given *g)
{
	folder_init(&g->sys);
	folder_init(&g->tracing);
	folder_write(&g->sys, "cpu_core/type", FG_STR("4\n"));
	folder_write(&g->sys, "cpu_core/cpus", FG_STR("0-3\n"));
	folder_write(&g->sys, "cpu_core/format/event", FG_STR("config:0-7\n"));
	folder_write(&g->sys, "cpu_core/format/umask", FG_STR("config:8-15\n"));
	folder_write(&g->sys, "cpu_core/format/wide", FG_STR("config:0-7,32-35\n"));
	folder_write(&g->sys, "cpu_core/format/ldlat", FG_STR("config1:0-15\n"));
	folder_write(&g->sys, "cpu_core/events/mem-loads",
		     FG_STR("event=0xcd,umask=0x1,ldlat=3\n"));
	folder_write(&g->tracing, "events/sched/sched_switch/id", FG_STR("314\n"));
	g->places.devices = g->sys.path;
	g->places.tracing = g->tracing.path;
	fg_events_init(&g->events);
	caught_init(&g->caught);
}

static void end(struct given *g)
{
	folder_release(&g->sys);
	folder_release(&g->tracing);
	fg_events_release(&g->events);
	caught_release(&g->caught);
}

/* Parses one event, which must be right. */
static const struct fg_event *parse(struct given *g, const char *text)
{
	size_t count = g->events.count;

	if (fg_events_parse(&g->events, text, &g->places, &g->caught.diag))
		fail_msg("%s: %s", text, fg_buf_cstr(&g->caught.text));
	assert_int_equal(g->events.count, count + 1);
	return &g->events.list[count];
}

static void check(struct given *g, const char *text, uint32_t type, uint64_t config)
{
	const struct fg_event *event = parse(g, text);

	if (event->attr.type != type || event->attr.config != config)
		fail_msg("%s is type %u, config 0x%llx", text, event->attr.type,
			 (unsigned long long)event->attr.config);
	assert_str_is(event->name, fg_str_from(text));
}

static void test_names(void **data)
{
	struct given g;

	(void)data;
	start(&g);
	check(&g, "cycles", PERF_TYPE_HARDWARE, 0);
	check(&g, "instructions", PERF_TYPE_HARDWARE, 1);
	check(&g, "ref-cycles", PERF_TYPE_HARDWARE, 9);
	check(&g, "cpu-clock", PERF_TYPE_SOFTWARE, 0);
	check(&g, "page-faults", PERF_TYPE_SOFTWARE, 2);
	check(&g, "faults", PERF_TYPE_SOFTWARE, 2);
	check(&g, "cgroup-switches", PERF_TYPE_SOFTWARE, 11);
	check(&g, "r1a8", PERF_TYPE_RAW, 0x1a8);
	check(&g, "sched:sched_switch", PERF_TYPE_TRACEPOINT, 314);
	check(&g, "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0);
	check(&g, "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000);
	check(&g, "LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102);
	check(&g, "dTLB-loads", PERF_TYPE_HW_CACHE, 3);
	check(&g, "node-prefetches", PERF_TYPE_HW_CACHE, 0x206);
	end(&g);
}

static void test_events_of_a_pmu(void **data)
{
	struct given g;

	(void)data;
	start(&g);
	check(&g, "cpu_core/event=0x3c,umask=0/", 4, 0x3c);
	check(&g, "cpu_core/event=60,umask=0x12/", 4, 0x123c);
	check(&g, "cpu_core/wide=0xabc/", 4, UINT64_C(0xa000000bc));
	check(&g, "cpu_core/config=0x123456/", 4, 0x123456);
	/* a hardware event on the cores of one kind */
	check(&g, "cpu_core/cycles/", PERF_TYPE_HARDWARE, UINT64_C(4) << 32);
	check(&g, "cpu_core/cycles/u", PERF_TYPE_HARDWARE, UINT64_C(4) << 32);
	assert_true(g.events.list[g.events.count - 1].attr.exclude_kernel);
	check(&g, "cpu_core/mem-loads/pp", 4, 0x1cd);
	assert_int_equal(g.events.list[g.events.count - 1].attr.config1, 3);
	assert_int_equal(g.events.list[g.events.count - 1].attr.precise_ip, 2);
	check(&g, "cpu_core/mem-loads,ldlat=0x10/", 4, 0x1cd);
	assert_int_equal(g.events.list[0].cpus.count, 4);
	end(&g);
}

static void test_modifiers(void **data)
{
	const struct fg_event *e;
	struct given g;

	(void)data;
	start(&g);
	e = parse(&g, "cycles");
	assert_true(e->attr.exclude_guest && !e->attr.exclude_kernel);
	assert_true(!e->attr.precise_ip && !e->most_precise);
	e = parse(&g, "cycles:u");
	assert_true(e->attr.exclude_kernel && e->attr.exclude_hv);
	assert_true(!e->attr.exclude_user);
	e = parse(&g, "cycles:k");
	assert_true(e->attr.exclude_user && !e->attr.exclude_kernel);
	e = parse(&g, "cycles:uk");
	assert_true(!e->attr.exclude_user && !e->attr.exclude_kernel);
	e = parse(&g, "cycles:pp");
	assert_int_equal(e->attr.precise_ip, 2);
	e = parse(&g, "cycles:P");
	assert_true(e->attr.precise_ip == 3 && e->most_precise);
	e = parse(&g, "cycles:G");
	assert_true(e->attr.exclude_host && !e->attr.exclude_guest);
	e = parse(&g, "cycles:HG");
	assert_true(!e->attr.exclude_host && !e->attr.exclude_guest);
	end(&g);
}

static void test_rates(void **data)
{
	const struct fg_event *e;
	struct given g;

	(void)data;
	start(&g);
	e = parse(&g, "cpu-clock/freq=99/");
	assert_true(e->has_rate && e->attr.freq && e->attr.sample_freq == 99);
	e = parse(&g, "page-faults/period=7/u");
	assert_true(e->has_rate && !e->attr.freq && e->attr.sample_period == 7);
	assert_true(e->attr.exclude_kernel);
	e = parse(&g, "cpu_core/event=1,period=5/");
	assert_true(e->has_rate && e->attr.sample_period == 5 && e->attr.config == 1);
	e = parse(&g, "cpu_core/cycles,freq=5/");
	assert_true(e->has_rate && e->attr.freq && e->attr.sample_freq == 5);
	end(&g);
}

static void test_lists(void **data)
{
	struct given g;

	(void)data;
	start(&g);
	assert_int_equal(
		fg_events_parse(&g.events,
				"cycles:u,cpu_core/event=1,umask=2/,r1, faults",
				&g.places, &g.caught.diag),
		0);
	assert_int_equal(g.events.count, 4);
	assert_str(g.events.list[1].name, "cpu_core/event=1,umask=2/");
	assert_str(g.events.list[3].name, "faults");
	end(&g);
}

static void check_refused(struct given *g, const char *text, const char *why)
{
	fg_buf_clear(&g->caught.text);
	if (!fg_events_parse(&g->events, text, &g->places, &g->caught.diag))
		fail_msg("%s is accepted", text);
	assert_has(fg_buf_str(&g->caught.text), why);
}

static void test_malformed_events_are_refused(void **data)
{
	struct given g;

	(void)data;
	start(&g);
	check_refused(&g, "", "''");
	check_refused(&g, "cycles,", "''");
	check_refused(&g, "nosuch", "not an event");
	check_refused(&g, "rxyz", "not an event");
	check_refused(&g, "L1-dcache-lies", "not an event");
	check_refused(&g, "L1-dcache-load-misses-more", "not an event");
	check_refused(&g, "cycles:x", "modifier");
	check_refused(&g, "cycles:pppp", "three p");
	check_refused(&g, "cycles:u:k", "second colon");
	check_refused(&g, "cpu_core/event=1", "second slash");
	check_refused(&g, "cpu_core/event=x/", "malformed term");
	check_refused(&g, "cpu_core/nofield=1/", "field");
	check_refused(&g, "cpu_core/event=0x100/", "does not fit");
	check_refused(&g, "cpu_core/../type=1/", "");
	check_refused(&g, "../cpu_core/event=1/", "");
	check_refused(&g, "nopmu/event=1/", "no event or PMU");
	check_refused(&g, "cpu-clock/foo=1/", "term other than");
	check_refused(&g, "sched:nosuch", "not a tracepoint");
	check_refused(&g, "{cycles,faults}:S", "group");
	g.places.tracing = NULL;
	check_refused(&g, "sched:sched_switch", "mount -t tracefs");
	end(&g);
}

static void test_the_name_says_that_the_kernel_is_not_recorded(void **data)
{
	static const char *const names[][2] = {
		{ "cycles", "cycles:u" },
		{ "cycles:pp", "cycles:ppu" },
		{ "cpu_core/cycles/", "cpu_core/cycles/u" },
		{ "cpu_core/cycles/p", "cpu_core/cycles/pu" },
	};
	struct given g;

	(void)data;
	start(&g);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		parse(&g, names[i][0]);
		fg_event_name_user(&g.events, &g.events.list[i]);
		assert_str_is(g.events.list[i].name, fg_str_from(names[i][1]));
	}
	end(&g);
}

static void test_numbers(void **data)
{
	static const char *const wrong[] = { "",	   ",",		"1,,2", "x",
					     "3-1",	   "1-",	"-1",	"1-x",
					     "4294967296", "0-99999999" };
	struct fg_numbers n = { .count = 0 };

	(void)data;
	assert_int_equal(fg_numbers_parse(&n, FG_STR("0-2,5,7-7")), 0);
	assert_int_equal(n.count, 5);
	assert_int_equal(n.list[2], 2);
	assert_int_equal(n.list[3], 5);
	assert_int_equal(n.list[4], 7);
	for (size_t i = 0; i < COUNT_OF(wrong); i++)
		if (!fg_numbers_parse(&n, fg_str_from(wrong[i])))
			fail_msg("'%s' is accepted", wrong[i]);
	fg_numbers_release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_events_of_a_pmu),
		cmocka_unit_test(test_modifiers),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_malformed_events_are_refused),
		cmocka_unit_test(test_the_name_says_that_the_kernel_is_not_recorded),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
