/* Tests of lib/recognize/foreign: the advice about inputs that are not profiles. */
#include "lib/base/buf.h"
#include "lib/recognize/recognize.h"
#include "tests/unit/support/support.h"

static const struct start {
	struct fg_str bytes;
	const char *part; /* the message has this text; NULL if there is no message */
	bool refused; /* a collapser that reads lines refuses it */
} rows[] = {
	{ FG_STR_INIT("PERFILE2\x68\0"), "use collapse-perf", true },
	{ FG_STR_INIT("\x1f\x8b\x08"), "zcat", true },
	{ FG_STR_INIT("\x28\xb5\x2f\xfd\x04"), "zstdcat", true },
	{ FG_STR_INIT("\xfd"
		      "7zXZ\0"),
	  "xzcat", true },
	{ FG_STR_INIT("\xff\xfem\0"), "UTF-16", true },
	{ FG_STR_INIT("\xfe\xff\0m"), "UTF-16", true },
	{ FG_STR_INIT("<?xml version"), "XML", false },
	{ FG_STR_INIT("<svg xmlns"), "--extract", false },
	{ FG_STR_INIT("<!DOCTYPE svg PUBLIC"), "XML", false },
	{ FG_STR_INIT("<!DOCTYPE svg PUBLIC '' ''>\n<svg>"), "--extract", false },
	{ FG_STR_INIT("<!DOCTYPE html>\n<html><body><svg xmlns"), "HTML", true },
	{ FG_STR_INIT(
		  "<!DOCTYPE html>\n<canvas id='heatmap-canvas'>\n>async-profiler</a>"),
	  "heat map of async-profiler", true },
	{ FG_STR_INIT("\n  <!doctype HTML>"), "HTML", true },
	{ FG_STR_INIT("<html>"), "HTML", true },
	{ FG_STR_INIT("<meta charset=\"utf-8\"><h1"), "HTML", true },
	{ FG_STR_INIT("<meta"), NULL, false },
	{ FG_STR_INIT("{\"a\": 1}"), "JSON", true },
	{ FG_STR_INIT("{\r\n  \"a\""), "JSON", true },
	{ FG_STR_INIT("[\n { \"a\""), "JSON", true },
	{ FG_STR_INIT("{\"meta\":{\"interval\":1},\"profileJSON\":[{"), "Cleopatra",
	  true },
	{ FG_STR_INIT("{\"resourceProfiles\":["), "use collapse-otlp", true },
	{ FG_STR_INIT("{main};f 5\n"), "JSON", false },
	{ FG_STR_INIT("[{closure}];f 5\n"), NULL, false },
	{ FG_STR_INIT("[vdso];f 5\n"), NULL, false },
	{ FG_STR_INIT("BZh91AY&SY"), "bzcat", true },
	{ FG_STR_INIT("#\n# Samples: 12K of event 'cycles'\n"), "perf script", true },
	{ FG_STR_INIT("# ========\n#\n\n# Overhead  Command\n"), "perf script", true },
	{ FG_STR_INIT("# Children      Self"), "perf script", true },
	{ FG_STR_INIT("# Samples: 12\na;b 5\n# Overhead  Command\n"), NULL, false },
	{ FG_STR_INIT("\x7f"
		      "ELF\2\1\1"),
	  "flame -- PROGRAM", true },
	{ FG_STR_INIT("\x7f"
		      "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0"),
	  "core dump", true },
	{ FG_STR_INIT("#!/bin/sh\nsleep 1\n"), "flame -- PROGRAM", true },
	{ FG_STR_INIT("FLR\0\0\2"), "collapse-jfr", true },
	{ FG_STR_INIT("\xdc\xdfJSLB\1\0\1\0"), "samply record -o FILE.json", true },
	/* pprof: a type of values, perhaps with numbers before it */
	{ FG_STR_INIT("\n\4\x08\1\x10\2\n\4\x08\3\x10\4"), "use collapse-pprof", true },
	{ FG_STR_INIT("H\xa3\xd6\1\x50\5\x5a\5\x08\xab\1\x10\2\n"),
	  "use collapse-pprof", true },
	/* OpenTelemetry: a message in a message */
	{ FG_STR_INIT("\n\6\x12\4\x12\2\n\0\x12\2\x12\0"), "use collapse-otlp", true },
	{ FG_STR_INIT("\0\0\0\x0e\n\6\x12\4\x12\2\n\0\x12\2\x12\0"),
	  "use collapse-otlp", true },
	{ FG_STR_INIT("\0\0\0\7\n\6\x12\4\x12\2\n\0\x12\2\x12\0"), NULL, false },
	{ FG_STR_INIT("\0\0\0\0\n\6\x12\4\x12\2\n\0\x12\2\x12\0"), NULL, false },
	{ FG_STR_INIT("\n \n\n0123456789 main;f 1\n"), NULL, false },
	/* with the schema_url of a resource; with a string of the dictionary */
	{ FG_STR_INIT("\n\6\x1a\4\\\\a\1\x12\2\x12\0"), "use collapse-otlp", true },
	{ FG_STR_INIT("\x12\6\x2a\4yyy\1\n\0"), "use collapse-otlp", true },
	{ FG_STR_INIT("\x12\x0c\x12\x0a\x09\xf9\xbd\xfe\xc2\x96\x62\x84\x40\x11"), NULL,
	  false },
	{ FG_STR_INIT("\n\4\x08\1\x10"), NULL, false },
	{ FG_STR_INIT("\n\5\x08\1\x10\2\1\n"), NULL, false },
	{ FG_STR_INIT("H\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"), NULL, false },
	{ FG_STR_INIT("heap profile: 1: 2 [3: 4] @ heap/5\n"),
	  "use collapse-gperftools", true },
	{ FG_STR_INIT("--- contentionz 1 ---\ncycles/second = 3201\n"), "pprof -raw",
	  true },
	{ FG_STR_INIT("\0\0\0\0\3\0\0\0\1\0\0\0"), "pprof -raw", true },
	{ FG_STR_INIT("\0\0\0\0\3\0\0\0\0\0\0\0\xe8\3\0\0\1\0\0\0\5\0\6"), "vmprof",
	  true },
	{ FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		      "\xe8\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\6\7\7"),
	  "vmprof", true },
	{ FG_STR_INIT("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		      "\xe8\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0"),
	  "use collapse-gperftools", true },
	{ FG_STR_INIT("heap_v2/524288\n"), "use collapse-gperftools", true },
	{ FG_STR_INIT("File: app\nType: cpu\n-----------+-------\n"), "pprof -raw",
	  true },
	{ FG_STR_INIT("v 10500 3\nmain;f 1\n"), NULL, false },
	{ FG_STR_INIT("go 1.22 trace\0\0\0"), "go tool trace", true },
	{ FG_STR_INIT("\4\x08{\x0b"), "--stackcollapse", true },
	{ FG_STR_INIT("\xf0\xe2\xc5\xc3\xe3\xc9\xd6\xd5\x40\x40"), "iconv", true },
	{ FG_STR_INIT("{)\3\xfa\1~"), "cProfile", true },
	{ FG_STR_INIT("{\"traceEvents\":[{\"ph\":\"X\""), "Chrome", true },
	{ FG_STR_INIT("[\n{\"pid\":1,\"ph\":\"X\""), "Chrome", true },
	{ FG_STR_INIT("{\"nodes\":[{\"id\":1,\"callFrame\":{"), "V8", true },
	{ FG_STR_INIT("{\"$schema\":\"https://www.speedscope.app/file-f"), "speedscope",
	  true },
	{ FG_STR_INIT("{\"meta\":{\"interval\":1,"), "Firefox", true },
	{ FG_STR_INIT("{\"threads\":[{\"threadName\":\"main\",\"threadState\":\"NEW"),
	  "collapse-jstack", true },
	{ FG_STR_INIT("\x04\x22\x4d\x18\x40\x40\xc0\7\0\0\0\x70main;f 1"), "lz4cat",
	  true },
	{ FG_STR_INIT("\x04\x22\x4d\x18\x40\x40\xc0\x53\xbb\0\0\xf7\7memray\0\x0c"),
	  "memray transform csv", true },
	{ FG_STR_INIT("rbspy02\n{\"sample_rate\":100}\n"), "rbspy report -f collapsed",
	  true },
	{ FG_STR_INIT("rbspy;main 12\n"), NULL, false },
	{ FG_STR_INIT("rbspy02 12\n"), NULL, false },
	/* Perfetto: the clocks, user and writer; a time; a packet cut; no number */
	{ FG_STR_INIT("\n\x0d\x32\6\n\4\x08\6\x10\5\x18\xe8\7\x50\1\n"), "Perfetto",
	  true },
	{ FG_STR_INIT("\n\4\x40\5\x50\1"), "Perfetto", true },
	{ FG_STR_INIT("\n\4\x40\5\x50\1\x12\0"), NULL, false },
	{ FG_STR_INIT("\n\5\x40\5\x50\1"), NULL, false },
	{ FG_STR_INIT("\n\4@aPa\nmain;f 1\n"), NULL, false },
	{ FG_STR_INIT("DTiJ\1\0\0\0\50\0\0\0\76\0\0\0"), "perf inject", true },
	{ FG_STR_INIT("{\"dhatFileVersion\":2"), "DHAT", true },
	{ FG_STR_INIT("{\"version\":1,\"flamebearer\":{\"names\":["), "Pyroscope",
	  true },
	{ FG_STR_INIT("{\"version\":1,\"recording\":{\"displayName\":\"x\","
		      "\"instrumentTypes\":[],\"records\":[{\"events\":"),
	  "Safari", true },
	{ FG_STR_INIT("{\n  \"recording\": {\n    \"events\": ["), "collapse-jfr",
	  true },
	/* perf script -F comm,ip */
	{ FG_STR_INIT("app \n\t           1491c\n\tffffffff81234567 \n\n"), "add sym",
	  true },
	{ FG_STR_INIT("app \n\t           14910\n"), "add sym", true },
	{ FG_STR_INIT("app \n\t           14910 f\n"), NULL, false },
	{ FG_STR_INIT("app \n\t           14910\n\t           14911 f\n"), NULL,
	  false },
	{ FG_STR_INIT(" 0x1 : f\n\t2404\n"), NULL, false },
	/* some lines look like a profile */
	{ FG_STR_INIT("Flat profile:\n\n\t          14910 f (/bin/a)\n"), "gprof",
	  true },
	{ FG_STR_INIT("index % time    self  children    called     name\n"), "gprof",
	  true },
	{ FG_STR_INIT(
		  "    <idle>-0     [003] 58549.289091: kernel_stack: <stack trace>\n"),
	  "ftrace", true },
	{ FG_STR_INIT(
		  "  sh-12  (   11) [000] d..2. 5.000001: sys_enter: NR 1 (1, 2)\n"),
	  "ftrace", true },
	{ FG_STR_INIT("# tracer: function\n"), "ftrace", true },
	/* a line below looks like a frame of perf */
	{ FG_STR_INIT(
		  " contended   total wait     max wait     avg wait         type   "
		  "caller\n\n   2  9.1 us  5 us  4 us  mutex  f+0x2\n"
		  "        0xffffffff9a23f4b5  f+0x45\n"),
	  "contention_begin", true },
	{ FG_STR_INIT("       Name   acquired  contended   avg wait (ns) total wait\n"),
	  "contention_begin", true },
	{ FG_STR_INIT(
		  "5:\tapp\n-----------------  lwp# 1 / thread# 1  -------\n"
		  " fe99a254 f     (51, 4, 18)\n 0001a4cc main     (0, ff) + 160\n"),
	  "collapse-dtrace", true },
	{ FG_STR_INIT("a;b 5\nFlat profile:\n"), NULL, false },
	{ FG_STR_INIT("10:00:01 INFO pool-1-thread-3 [017] c.f.Bar - started\n"), NULL,
	  false },
	{ FG_STR_INIT("Thread-3 [1234] app.module - starting 12.5\n"), NULL, false },
	/* perf of 2010, and a thread without an id */
	{ FG_STR_INIT(" Xorg-2223 [001] 12345.678901: sched_switch: prev_pid=2\n"),
	  NULL, false },
	{ FG_STR_INIT("  :-1    -1 [000] ...  3065.034033: cpu-clock: f\n"), NULL,
	  false },
	{ FG_STR_INIT("pool-12  4242 [003] 5.000001: cycles: \n"), NULL, false },
	{ FG_STR_INIT(
		  "pool-12 [003] 5.000001: cycles: \n\t           14910 f (/bin/a)\n"),
	  NULL, false },
	{ FG_STR_INIT("Incident Identifier: 5F6\nProcess: app [4]\n"), "crash", true },
	{ FG_STR_INIT("  * thread #1, stop reason = breakpoint 1.1\n"), "lldb", true },
	{ { NULL, 0 }, NULL, false },
	{ FG_STR_INIT("\x1f"), NULL, false },
	{ FG_STR_INIT("PERFILE"), NULL, false },
	{ FG_STR_INIT(" <svg"), NULL, false },
	{ FG_STR_INIT("main;f 5\n{\n"), NULL, false },
};

/* Returns true if a collapser that reads lines refuses an input. Appends the reason. */
static bool is_refused(struct fg_str bytes, struct fg_buf *why)
{
	struct fg_recognized r = fg_recognize_unreadable(bytes, false);

	return fg_recognized_explain(&r, FG_ADVISE_USE, why);
}

/* Checks that the reason has `part`, or that the input is accepted if it is NULL. */
static void expect_refused(struct fg_str bytes, const char *part)
{
	struct fg_buf why = FG_BUF_INIT;

	assert_int_equal(is_refused(bytes, &why), part != NULL);
	if (part)
		assert_has(fg_buf_str(&why), part);
	fg_buf_release(&why);
}

static void foreign_input_is_recognised_by_its_first_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf message = FG_BUF_INIT;
		const char *markup = fg_recognize_foreign(rows[i].bytes);
		bool refused = is_refused(rows[i].bytes, &message);

		assert_int_equal(refused, rows[i].refused);
		if (!refused && markup)
			fg_buf_addf(&message, "%s", markup);
		assert_int_equal(!message.len, !rows[i].part);
		if (message.len)
			assert_has(fg_buf_str(&message), rows[i].part);
		fg_buf_release(&message);
	}
	assert_null(fg_recognize_unreadable(FG_STR("{\"type\":"), true).foreign);
	assert_ptr_equal(fg_recognize_unreadable(FG_STR("PERFILE2"), true).kind,
			 &fg_kind_perf);
	expect_refused(FG_STR("F\0u\0l\0l\0 \0"), "UTF-16LE");
	expect_refused(FG_STR("\0F\0u\0l\0l\0 "), "UTF-16BE");
	expect_refused(FG_STR("F\0u\0l\0lx \0"), NULL);
}

/* A name may have a few control characters; binary data and UTF-16 have many. */
static void binary_data_has_many_control_characters(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 256; i++)
		fg_buf_add_char(&bytes, (char)(200 + i * 7));
	expect_refused(fg_buf_str(&bytes), "binary data");
	expect_refused(fg_str_before(fg_buf_str(&bytes), 40), NULL);
	fg_buf_clear(&bytes);
	for (unsigned i = 0; i < 100; i++)
		fg_buf_add_str(&bytes, FG_STR("m\0a\0;\0f\0 \0"
					      "1\0\n\0"));
	expect_refused(fg_buf_str(&bytes), "UTF-16LE");
	fg_buf_clear(&bytes);
	for (unsigned i = 0; i < 100; i++)
		fg_buf_add_str(&bytes, FG_STR("main;odd\0\1;a frame;another 1\n"));
	expect_refused(fg_buf_str(&bytes), NULL);
	fg_buf_release(&bytes);
}

/* The header of an archive has 512 bytes. A profile comes after it. */
static void a_tar_archive_is_recognised_by_its_magic(void **state)
{
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&bytes, FG_STR("app.folded"));
	while (bytes.len < 257)
		fg_buf_add_char(&bytes, '\0');
	expect_refused(fg_buf_str(&bytes), NULL);
	fg_buf_add_str(&bytes, FG_STR("ustar"));
	expect_refused(fg_buf_str(&bytes), "tar archive");
	fg_buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_input_is_recognised_by_its_first_bytes),
		cmocka_unit_test(a_tar_archive_is_recognised_by_its_magic),
		cmocka_unit_test(binary_data_has_many_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
