/*
 * Tests of flame's plans as text for the shell, and of the choices that lead to them.
 */
#include <math.h>

#include "flame/callers.h"
#include "flame/checks.h"
#include "flame/compare.h"
#include "flame/plan.h"
#include "flame/recording.h"
#include "flame/run.h"
#include "tests/unit/support/support.h"

#define TMP "/tmp/flame.x y"

static void check_text(const struct fg_plan *plan, const char *want)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_plan_add_text(&text, plan, TMP);
	assert_str_is(fg_buf_str(&text), fg_str_from(want));
	fg_buf_release(&text);
}

static void test_ways_of_a_recording(void **state)
{
	struct fg_plan plan = { .way = FG_WAY_PIPE };

	(void)state;
	fg_args_split(&plan.record, "record-perf -a");
	fg_args_split(&fg_plan_add(&plan)->args, "collapse-perf");
	fg_args_split(&plan.draw, "flamegraph -o");
	fg_args_add(&plan.draw, "it's.svg");
	check_text(&plan, "record-perf -a | collapse-perf | "
			  "flamegraph -o 'it'\\''s.svg'\n");

	plan.way = FG_WAY_DESCRIPTOR;
	check_text(&plan, "{ record-perf -a 3>&1 >&4 4>&- | collapse-perf | "
			  "flamegraph -o 'it'\\''s.svg'; } 4>&1\n");

	plan.way = FG_WAY_FILE;
	fg_args_split(&plan.record, "-o");
	fg_args_add(&plan.record, TMP "/perf.data");
	check_text(&plan, "record-perf -a -o \"$tmp/perf.data\"\ncollapse-perf | "
			  "flamegraph -o 'it'\\''s.svg'\n");
	fg_plan_release(&plan);
}

static void test_stages(void **state)
{
	struct fg_plan plan = { .way = FG_WAY_FILE };

	(void)state;
	fg_args_split(&plan.before, "collapse-perf old.data");
	plan.before_to = TMP "/old.folded";
	fg_args_split(&fg_plan_add(&plan)->args, "collapse-perf x");
	fg_plan_add(&plan)->script = "grep a";
	fg_plan_add(&plan)->script = "grep a; true # all";
	fg_args_split(&plan.draw, "flamegraph");
	check_text(&plan, "collapse-perf old.data > \"$tmp/old.folded\"\n"
			  "collapse-perf x | grep a | { grep a; true # all\n} | "
			  "flamegraph\n");
	fg_args_release(&plan.before);
	plan.append_to = TMP "/first";
	check_text(&plan, "collapse-perf x | grep a | { grep a; true # all\n} >> "
			  "\"$tmp/first\"\n");
	fg_plan_release(&plan);
}

static void test_scripts(void **state)
{
	struct fg_buf text = FG_BUF_INIT, script = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&text, FG_STR("a | b\n"));
	fg_plan_add_script(&script, &text);
	assert_str(fg_buf_str(&script), "a | b\n");
	fg_buf_clear(&script);
	fg_buf_add_str(&text, FG_STR("c \"$tmp/d\"\n"));
	fg_plan_add_script(&script, &text);
	assert_str(fg_buf_str(&script), "tmp=$(mktemp -d)\na | b\nc \"$tmp/d\"\n"
					"rm -r \"$tmp\"\n");
	fg_buf_release(&text);
	fg_buf_release(&script);
}

static void test_tracepoints(void **state)
{
	static const struct {
		const char *event;
		bool is_tracepoint;
	} table[] = {
		{ "cycles", false },
		{ "cycles:u", false },
		{ "cycles:RXbI", false },
		{ "cpu-clock/freq=9/u", false },
		{ "syscalls:*", true },
		{ "sched:sched_switch", true },
		{ "sched:sched_switch:k", true },
	};
	static const struct {
		struct fg_tracepoint_facts facts;
		const char *want; /* NULL: it may be used */
	} refused[] = {
		{ { true, true, false }, NULL },
		{ { true, true, true }, NULL },
		{ { false, true, false }, "for root only (flame --root)" },
		{ { false, false, false }, "for root only (flame --root)" },
		{ { false, true, true }, "this kernel has no tracepoint" },
		{ { false, false, true }, "not mounted: mount -t tracefs " },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++)
		assert_int_equal(fg_is_tracepoint(table[i].event),
				 table[i].is_tracepoint);
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		const char *why = fg_tracepoint_refused(&refused[i].facts);

		assert_int_equal(!why, !refused[i].want);
		if (why)
			assert_has(fg_str_from(why), refused[i].want);
	}
}

static void test_copies(void **state)
{
	static const struct {
		struct fg_copies_for what;
		unsigned size, rate;
	} table[] = {
		{ { .seconds = 59.9 }, 16384, 997 },
		{ { .seconds = 60 }, 16384, 199 },
		{ { .to_file = true }, 16384, 499 },
		{ { .is_python = true }, 65528, 199 },
		{ { .is_python = true, .to_file = true }, 65528, 199 },
		{ { .all_cpus = true, .seconds = 100 }, 8192, 99 },
		{ { .off_cpu = true }, 8192, 997 },
		{ { .wall = true }, 8192, 997 },
		{ { .wall = true, .seconds = 100 }, 8192, 199 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_copies copies = fg_copies_choose(&table[i].what);

		assert_int_equal(copies.size, table[i].size);
		assert_int_equal(copies.rate, table[i].rate);
	}
}

static void test_messages_of_the_collapser(void **state)
{
	static const struct fg_str lacking =
		FG_STR_INIT("collapse-perf: 7 samples kept, 0 ignored, 0 dropped\n"
			    "collapse-perf: (standard input): 40 % of the samples are "
			    "in functions without frame pointers, most of them\n");
	static const struct fg_str folded =
		FG_STR_INIT("collapse-guess: x: this is folded stacks\n"
			    "collapse-guess: 2 samples kept\n");
	uint64_t samples = 0;

	(void)state;
	assert_int_equal(fg_callers_lacking(lacking), 40);
	assert_int_equal(fg_callers_lacking(folded), 0);
	assert_true(fg_run_samples(lacking, &samples));
	assert_int_equal(samples, 7);
	assert_false(fg_run_samples(folded, &samples));
	assert_false(fg_run_samples(FG_STR("collapse-perf: no luck\n"), &samples));
	assert_true(
		fg_run_samples(FG_STR("collapse-perf: 1 sample kept, 0"), &samples));
	assert_int_equal(samples, 1);
}

static void test_interpreters(void **state)
{
	static const struct {
		struct fg_str line;
		const char *want;
	} table[] = {
		{ FG_STR_INIT("#!/bin/sh"), "/bin/sh" },
		{ FG_STR_INIT("#! /bin/sh -e"), "/bin/sh" },
		{ FG_STR_INIT("#!/bin/sh\r"), "/bin/sh\r" },
		{ FG_STR_INIT("#!/usr/bin/env python3 -u"), "python3" },
		{ FG_STR_INIT("#!/usr/bin/env -S A=1 /opt/python3 -u"),
		  "/opt/python3" },
		{ FG_STR_INIT("#!/usr/bin/env"), "/usr/bin/env" },
		{ FG_STR_INIT("#!"), "" },
		{ FG_STR_INIT("echo hello"), "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct fg_buf found = FG_BUF_INIT;

		fg_add_interpreter(table[i].line, &found);
		assert_str_is(fg_buf_str(&found), fg_str_from(table[i].want));
		fg_buf_release(&found);
	}
}

static void test_runtimes(void **state)
{
	static const struct {
		struct fg_str program, words;
		const char *option; /* NULL: it is no runtime */
		bool told;
	} table[] = {
		{ FG_STR_INIT("java"), FG_STR_INIT("java X"), "-XX:+Preserve", false },
		{ FG_STR_INIT("java"), FG_STR_INIT("java -XX:+DumpPerfMapAtExit X"),
		  "-XX:+Preserve", true },
		{ FG_STR_INIT("node"), FG_STR_INIT("node --perf-basic-prof x.js"),
		  "--perf-basic-prof", true },
		{ FG_STR_INIT("python3"), FG_STR_INIT("python3 -Xperf x"), "-X perf",
		  true },
		{ FG_STR_INIT("python3.12"), FG_STR_INIT("python3.12 x"), "-X perf",
		  false },
		{ FG_STR_INIT("python3-config"), FG_STR_INIT("x"), NULL, false },
		{ FG_STR_INIT("ls"), FG_STR_INIT("ls"), NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		bool told;
		const char *option =
			fg_runtime_option(table[i].program, table[i].words, &told);

		assert_int_equal(!option, !table[i].option);
		if (option)
			assert_has(fg_str_from(option), table[i].option);
		assert_int_equal(told, table[i].told);
	}
}

static void test_spread_of_runs(void **state)
{
	struct fg_runs runs = { 0, 0 };

	(void)state;
	assert_true(fabs(fg_runs_spread(&runs)) < 1e-9);
	fg_runs_add(&runs, 100, true);
	fg_runs_add(&runs, 110, false);
	fg_runs_add(&runs, 105, false);
	assert_true(fabs(fg_runs_spread(&runs) - 10) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways_of_a_recording),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_tracepoints),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_messages_of_the_collapser),
		cmocka_unit_test(test_interpreters),
		cmocka_unit_test(test_runtimes),
		cmocka_unit_test(test_spread_of_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
