/* Tests of collapse/wrong: a collapser's goldens name that collapser, or none. */
#include "collapse/wrong.h"

#include "collapse/format.h"
#include "lib/base/reader.h"
#include "lib/base/sniff.h"
#include "lib/profile/folded.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/support.h"

/* Counts a format's inputs that have stacks: those that are named, and the others. */
struct tally {
	const struct fg_format *format;
	int named, others;
};

/*
 * Returns true if the module names the format. lib/profile/folded names perf script,
 * lib/base/sniff names binary data, and folded stacks are right here.
 */
static bool is_named(const struct fg_format *format)
{
	return format != &fg_format_perf && format != &fg_format_recursive &&
	       !format->kind->is_binary;
}

/* Checks the message about a run's input, which only its collapser can read. */
static void check_message(const struct golden_run *run, const struct fg_format *format,
			  const struct fg_buf *got)
{
	struct fg_buf want = FG_BUF_INIT;

	fg_buf_addf(&want, "this is %s: pipe it through collapse-%s first",
		    format->kind->input, format->kind->name);
	if (!is_named(format) || !fg_str_eq(fg_buf_str(got), fg_buf_str(&want))) {
		print_error("%s: %.*s\n", run->folder, (int)got->len, got->ptr);
		fail();
	}
	fg_buf_release(&want);
}

static bool check_run(const struct golden_run *run, void *data)
{
	struct tally *tally = data;
	struct fg_buf input = FG_BUF_INIT, lines = FG_BUF_INIT, got = FG_BUF_INIT;
	struct fg_str text;
	bool named;

	if (!golden_read(run->folder, "input", &input))
		return false;
	golden_read(run->folder, run->expected, &lines);
	text = fg_buf_str(&input);
	/* lib/base/sniff runs first, and names JSON */
	if (lines.len && !fg_sniff_refused(text, false)) {
		named = fg_wrong_folded(text, &got);
		if (named)
			check_message(run, tally->format, &got);
		/* input that also reads as folded stacks is drawn unchanged */
		if (named || !fg_folded_is_text(text))
			*(named ? &tally->named : &tally->others) += 1;
	}
	fg_buf_release(&got);
	fg_buf_release(&lines);
	fg_buf_release(&input);
	return true;
}

static void goldens_name_their_collapser(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++) {
		struct tally tally = { .format = fg_formats[i] };

		assert_true(golden_visit(fg_formats[i]->kind->name, check_run, &tally) >
			    0);
		if (is_named(fg_formats[i]) && !fg_formats[i]->kind->is_folded &&
		    tally.others * 4 > tally.named) {
			print_error("collapse-%s: %d of %d inputs are named\n",
				    fg_formats[i]->kind->name, tally.named,
				    tally.named + tally.others);
			fail();
		}
	}
}

/*
 * Input that no collapser reads is refused by all programs; other rows are refused
 * only as folded stacks.
 */
static void input_that_no_collapser_reads_is_refused(void **state)
{
	static const struct {
		const char *text, *part;
	} rows[] = {
		{ "jdk.ExecutionSample {\n  startTime = 1\n", "collapse-jfr" },
		{ "Flat profile:\n", "gprof" },
		{ " Performance counter stats for './app':\n", "perf stat" },
		{ " Percent |\tSource code & Disassembly of app for cycles\n",
		  "perf annotate" },
		{ "Percent | of all\n", NULL },
		{ "\n0x1a8@perf.data [0x28]: event: 3\n.\n", "perf report -D" },
		{ "  Total time   Self time       Calls  Function\n  ==========\n",
		  "uftrace dump" },
		{ "Cmdline: simpleperf record -g\nArch: arm64\n"
		  "Event: cpu-cycles (type 0, config 0)\n",
		  "simpleperf" },
		{ "sample:\n  event_type: cpu-cycles\n", NULL },
		{ "Event: a wedding\n", NULL },
		{ "Function,CPU Time,Module\n", "collapse-vtune(1)" },
		{ "Tracing 1 functions for \"f\"... Hit Ctrl-C to end.\n", NULL },
		{ "- a list (1)\n- of words (2)\n", NULL },
		{ "--- Execution profile ---\n", "-o collapsed" },
		{ "--- 1230 ns (50.00%), 60 samples\n", "-o collapsed" },
		{ "[0] 87.04% 7,460 self: 0.00% 0 java/lang/Thread.run\n",
		  "-o collapsed" },
		{ "Report Version: 40\n\nData Source:  Microstackshots\n", "spindump" },
		{ "SIGQUIT: quit\n\ngoroutine 1 [select, 9 minutes]:\n",
		  "/debug/pprof/goroutine" },
		{ "main;jdk.ExecutionSample 5\njdk.X {\n", NULL },
		{ "Thread 1 (LWP 5)\n", NULL },
		{ "=====\n==41==ERROR: AddressSanitizer: heap-use-after-free on\n"
		  "READ of size 4 at 0x60 thread T0\n    #0 0x5576f in use b.c:5\n",
		  "sanitizer" },
		{ "    12 function calls (10 primitive calls) in 0.319 seconds\n",
		  "cProfile" },
		{ "execve(\"./b\", [\"./b\"], 0x7f /* 35 vars */) = 0\nbrk(0) = 0x5\n",
		  "system calls" },
		{ "     3.919 ( 0.020 ms): a/19981 brk() = 0x55cd57e11000\n",
		  "system calls" },
		{ "(lldb) bt all\n* thread #1, stop reason = breakpoint 1.1\n",
		  "lldb" },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++) {
		struct fg_str text = fg_str_from(rows[i].text);
		const char *got = fg_wrong_for_all(text);
		struct fg_buf why = FG_BUF_INIT;

		assert_int_equal(!got, !rows[i].part);
		if (got) {
			assert_has(fg_str_from(got), rows[i].part);
			assert_true(fg_wrong_folded(text, &why));
			assert_string_equal(fg_buf_cstr(&why), got);
		}
		fg_buf_release(&why);
	}
}

#define GDB "this is the backtraces of gdb: pipe it through collapse-gdb first"

#define THREAD "Thread 1 (LWP 5)\n#0  f () at a.c:1\n"

static void lines_before_the_stacks_decide(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", NULL },
		{ "\n", NULL },
		{ "This is a text.\n", NULL },
		{ THREAD, GDB },
		{ "\xef\xbb\xbf" THREAD, GDB },
		{ "Thread 1 (LWP 5)\r\n#0  f () at a.c:1\r\n", GDB },
		{ "f 5\n" THREAD, GDB },
		{ "f;g 5\n" THREAD, NULL },
		{ THREAD "f;g 5\n", GDB },
		/* a first line that only gdb writes */
		{ "#0  f () at a.c:1\n", GDB },
		{ "#0  f () at a.c:1\nf;g 5\n", GDB },
		/* a thread without a frame is not gdb's */
		{ "Thread 1 (LWP 5)\nf;g 5\n", NULL },
		/* a frame that has a count */
		{ "Thread 1 (LWP 5) 7\n", NULL },
		{ "app`main+0x40 7\n", NULL },
		/* also after a line without a count */
		{ "a warning\n9.1% [7] f 7\n", NULL },
		{ "a warning\njava.lang.Thread.State: RUNNABLE 7\n", NULL },
		{ "a warning\njava.lang.Thread.State: RUNNABLE\n",
		  "this is the output of jstack: pipe it through "
		  "collapse-jstack first" },
		{ "v 10400 3\nI 1000 1\n", NULL },
		{ "v 10400 3\nX ./app\nI 1000 1\n",
		  "this is a recording of heaptrack: pipe it through "
		  "collapse-heaptrack first" },
		{ "Samples: all\n", NULL },
		{ "Thread x (LWP 5)\n", NULL },
		{ "#0\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++) {
		struct fg_buf why = FG_BUF_INIT;
		bool wrong = fg_wrong_folded(fg_str_from(rows[i].text), &why);

		assert_int_equal(wrong, rows[i].want != NULL);
		assert_string_equal(fg_buf_cstr(&why), wrong ? rows[i].want : "");
		fg_buf_release(&why);
	}
}

/* The first lines may come in small pieces, like from a pipe. */
static void the_reader_judges_by_all_of_the_first_lines(void **state)
{
	struct caught c;
	struct fg_reader *reader;
	struct fg_block block;

	(void)state;
	caught_init(&c);
	reader = fg_reader_open_memory(FG_STR("a line\n" THREAD), "in", &c.diag);
	fg_reader_set_block_size(reader, 1);
	fg_reader_refuse(reader, fg_wrong_folded);
	assert_int_equal(fg_reader_block(reader, &block), -1);
	assert_has(fg_buf_str(&c.text), "in: " GDB);
	fg_reader_close(reader);
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_name_their_collapser),
		cmocka_unit_test(input_that_no_collapser_reads_is_refused),
		cmocka_unit_test(lines_before_the_stacks_decide),
		cmocka_unit_test(the_reader_judges_by_all_of_the_first_lines),
	};

	return cmocka_run_group_tests_name("wrong", tests, NULL, NULL);
}
