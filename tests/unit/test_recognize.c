/*
 * Tests of lib/recognize: collapse-guess and readers of folded stacks recognise the
 * golden inputs of each collapser.
 */
#include "lib/recognize/recognize.h"

#include <stdlib.h>

#include "lib/base/utf8.h"
#include "lib/profile/folded.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/support.h"

/* Counts the inputs of a format that have stacks. */
struct tally {
	const struct fg_kind *kind;
	int named; /* a reader of folded stacks says which collapser to use */
	int others;
};

/*
 * Returns true if most inputs of the format must be named. perf script is not, see
 * recognize.h; binary data is refused earlier; and folded stacks can be read.
 */
static bool is_named(const struct fg_kind *kind)
{
	return kind != &fg_kind_perf && kind != &fg_kind_recursive && !kind->is_binary;
}

/* Checks that `got` tells the user to pipe the input through its collapser. */
static void check_message(const struct golden_run *run, const struct fg_kind *kind,
			  const struct fg_buf *got)
{
	struct fg_buf want = FG_BUF_INIT;

	fg_buf_addf(&want, "this is %s: pipe it through collapse-%s first", kind->input,
		    kind->name);
	if (!is_named(kind) || !fg_str_eq(fg_buf_str(got), fg_buf_str(&want))) {
		print_error("%s: %.*s\n", run->folder, (int)got->len, got->ptr);
		fail();
	}
	fg_buf_release(&want);
}

/* Returns true if a reader of folded stacks refuses the input. Appends the reason. */
static bool is_unfolded(struct fg_str text, struct fg_buf *why)
{
	struct fg_recognized r = fg_recognize_unfolded(text);

	return fg_recognized_explain(&r, FG_ADVISE_PIPE, why);
}

static bool check_named(const struct golden_run *run, void *data)
{
	struct tally *tally = data;
	struct fg_buf input = FG_BUF_INIT, lines = FG_BUF_INIT, got = FG_BUF_INIT;
	struct fg_str text;
	struct fg_recognized unreadable;
	bool named;

	if (!golden_read(run->folder, "input", &input))
		return false;
	golden_read(run->folder, run->expected, &lines);
	text = fg_buf_str(&input);
	unreadable = fg_recognize_unreadable(text, false);
	if (lines.len && !unreadable.kind && !unreadable.foreign) {
		named = is_unfolded(text, &got);
		if (named)
			check_message(run, tally->kind, &got);
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
	for (size_t i = 0; fg_kinds[i]; i++) {
		struct tally tally = { .kind = fg_kinds[i] };

		assert_true(golden_visit(fg_kinds[i]->name, check_named, &tally) > 0);
		if (is_named(fg_kinds[i]) && !fg_kinds[i]->is_folded &&
		    tally.others * 4 > tally.named) {
			print_error("collapse-%s: %d of %d inputs are named\n",
				    fg_kinds[i]->name, tally.named,
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
		const char *got = fg_recognize_other(&fg_kind_pmc, text).foreign;
		struct fg_buf why = FG_BUF_INIT;

		assert_int_equal(!got, !rows[i].part);
		if (got) {
			assert_has(fg_str_from(got), rows[i].part);
			assert_true(is_unfolded(text, &why));
			assert_string_equal(fg_buf_cstr(&why), got);
		}
		fg_buf_release(&why);
	}
}

#define GDB "this is the output of gdb: pipe it through collapse-gdb first"

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
		bool wrong = is_unfolded(fg_str_from(rows[i].text), &why);

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
	fg_recognize_check_folded(reader);
	assert_int_equal(fg_reader_block(reader, &block), -1);
	assert_has(fg_buf_str(&c.text), "in: " GDB);
	fg_reader_close(reader);
	caught_release(&c);
}

#define PERF "this is the output of perf script: pipe it through collapse-perf first"

static void input_without_stacks_is_recognized(void **state)
{
	static const struct {
		struct fg_str bytes;
		const char *want; /* NULL: no guess */
	} rows[] = {
		{ { NULL, 0 }, NULL },
		{ FG_STR_INIT("\n\n\n"), NULL },
		{ FG_STR_INIT("a;b\nc;d\n"), NULL },
		{ FG_STR_INIT("a.123456:\n"), NULL },
		{ FG_STR_INIT("\tindented"), NULL },
		{ FG_STR_INIT("\t"), NULL },
		{ FG_STR_INIT("a.12345:"), NULL },
		{ FG_STR_INIT("a.123456:x"), NULL },
		{ FG_STR_INIT("a.123456: "), NULL },
		{ FG_STR_INIT("5.123456: x"), PERF },
		{ FG_STR_INIT("perf 7 [001] 12.345678:  1 cycles:\n"), PERF },
		{ FG_STR_INIT("x\n\t          4005d0 main (/bin/a)\n"), PERF },
		{ FG_STR_INIT("# ========\n# captured on\n"), PERF },
		{ FG_STR_INIT("ab\0c"), "this is binary data, not folded stacks" },
		{ FG_STR_INIT("PERFILE2\0\0"), "this is perf's binary data: pipe it "
					       "through collapse-perf first" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf got = FG_BUF_INIT;

		assert_int_equal(fg_recognize_guess(rows[i].bytes, &got),
				 rows[i].want != NULL);
		assert_string_equal(fg_buf_cstr(&got),
				    rows[i].want ? rows[i].want : "");
		fg_buf_release(&got);
	}
}

/* ---- for collapse-guess */

/* Reads the run's input. Returns true if its stacks are known and it is not gzip. */
static bool has_stacks(const struct golden_run *run, struct fg_buf *input)
{
	struct fg_buf lines = FG_BUF_INIT;
	bool any = golden_read(run->folder, run->expected, &lines) && lines.len &&
		   golden_read(run->folder, "input", input) &&
		   !fg_str_starts(fg_buf_str(input), FG_STR("\x1f\x8b"));

	fg_buf_release(&lines);
	return any;
}

struct runs {
	const struct fg_kind *kind;
	size_t known; /* inputs that were recognised */
};

/* Checks that the input is not taken for another format. It may be unknown. */
static bool check_run(const struct golden_run *run, void *data)
{
	struct runs *runs = data;
	struct fg_buf input = FG_BUF_INIT;
	bool checked = has_stacks(run, &input);
	struct fg_str first = fg_str_before(fg_buf_str(&input), FG_RECOGNIZE_BYTES);
	struct fg_recognized guess = { .kind = NULL };

	if (checked)
		guess = fg_recognize(fg_utf8_skip_mark(first));
	runs->known += guess.kind == runs->kind;
	if (guess.other || (guess.kind && guess.kind != runs->kind))
		print_error("%s: taken for %s%s%s\n", run->folder, guess.kind->name,
			    guess.other ? " or " : "",
			    guess.other ? guess.other->name : "");
	fg_buf_release(&input);
	assert_null(guess.other);
	assert_true(!guess.kind || guess.kind == runs->kind);
	return checked;
}

/* Folded stacks without ';' cannot be recognized, so a third of theirs is enough. */
static void goldens_are_recognized(void **state)
{
	(void)state;
	for (size_t i = 0; fg_kinds[i]; i++) {
		struct runs runs = { fg_kinds[i], 0 };
		size_t count = golden_visit(fg_kinds[i]->name, check_run, &runs);
		size_t least =
			runs.kind == &fg_kind_recursive ? count / 3 : count * 4 / 5;

		if (runs.known < least)
			print_error("%s: %zu of %zu known\n", runs.kind->name,
				    runs.known, count);
		assert_true(count > 0 && runs.known >= least);
	}
}

static void prose_is_not_taken_for_a_profile(void **state)
{
	static const char *const texts[] = { "",    "\n",	"This is a text.\n",
					     "5\n", "# a: b\n", "a b c 5\n" };
	static const char *const pages[] = {
		"# Tool\n\n```\nmake\n```\n\n5\n",
		"Use\n`make`\nor `make-all`+0x1f.\n5\n",
		"The mask is\n0x7f000000\nand the type\nstd::vector\n",
		"| a |\n# =========   ===\n",
		"# Overhead  Command\n#\n    9.1%  app\n    0x1f\n    2\n",
		"version: 1\nname=value\nevents: many\n",
		"The pets of section 5 below:\n  a cat (/felis/)\n",
		"Rows 4 addresses:\n  401136 bake (as before)\n",
		"  401136 bake (/opt/bakery/oven)\n",
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(texts); i++)
		assert_null(fg_recognize(fg_str_from(texts[i])).kind);
	for (size_t i = 0; i < FG_COUNT_OF(pages); i++)
		assert_null(fg_recognize(fg_str_from(pages[i])).kind);
}

/* A line "events:" further down may be part of another text. */
static void events_of_callgrind_are_in_the_first_4096_bytes(void **state)
{
	static const struct fg_str start = FG_STR_INIT("version: 1\n");
	static const struct fg_str events = FG_STR_INIT("\nevents: Ir\n");
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (size_t len = 4096 - events.len; len <= 4096; len += events.len) {
		fg_buf_clear(&text);
		fg_buf_add_str(&text, start);
		while (text.len < len)
			fg_buf_add_char(&text, 'x');
		fg_buf_add_str(&text, events);
		assert_ptr_equal(fg_recognize(fg_buf_str(&text)).kind,
				 len < 4096 ? &fg_kind_callgrind : NULL);
	}
	fg_buf_release(&text);
}

static void stacks_without_frames_are_recognized(void **state)
{
	static const char text[] = "CPU     ID                    FUNCTION:NAME\n"
				   "  2 206724                        :tick-60s\n\n"
				   "                2\n";

	(void)state;
	assert_ptr_equal(fg_recognize(fg_str_from(text)).kind, &fg_kind_dtrace);
}

static void few_lines_are_enough(void **state)
{
	static const struct {
		const char *text;
		const struct fg_kind *kind;
	} rows[] = {
		{ "#-----------\nsnapshot=0\n#-----------\n", &fg_kind_massif },
		{ "x\n\t          4005d0 main (/bin/a)\n", &fg_kind_perf },
		{ "x\n\t  4005d0 main (/bin/a)\n", &fg_kind_perf },
		{ "x\n\t be it\n", NULL },
		{ "x\n\t\ta file (see below)\n", NULL },
		{ "<pre>\n\t add foo(bar)\n", NULL },
		{ "    #0 0x5576f9c56233 in f b.c:5\nallocated by thread T0 here:\n"
		  "==1==ERROR: AddressSanitizer: heap-buffer-overflow\n",
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++)
		assert_ptr_equal(fg_recognize(fg_str_from(rows[i].text)).kind,
				 rows[i].kind);
}

/* Each input is cut after each of this many bytes, about a header. */
#define CUTS 160

/* Checks that the bytes after a cut do not change the result of a probe. */
static bool check_cuts(const struct golden_run *run, void *data)
{
	const struct fg_kind *kind = data;
	struct fg_buf input = FG_BUF_INIT;
	struct fg_str first;
	bool there = golden_read(run->folder, "input", &input);

	first = fg_str_before(fg_buf_str(&input), CUTS);
	for (size_t n = 0; there && n < first.len; n++) {
		char *other = malloc(n + 1);
		enum fg_probe want = kind->probe(fg_str_before(first, n));

		memcpy(other, first.ptr, n);
		other[n] = first.ptr[n] == ' ' ? '0' : ' ';
		if (kind->probe(fg_str_of(other, n)) != want)
			print_error("%s: the first %zu bytes\n", run->folder, n);
		assert_int_equal(kind->probe(fg_str_of(other, n)), want);
		free(other);
	}
	fg_buf_release(&input);
	return there;
}

static void a_probe_does_not_read_beyond_the_first_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; fg_kinds[i]; i++)
		assert_true(golden_visit(fg_kinds[i]->name, check_cuts,
					 (void *)fg_kinds[i]) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_name_their_collapser),
		cmocka_unit_test(input_that_no_collapser_reads_is_refused),
		cmocka_unit_test(lines_before_the_stacks_decide),
		cmocka_unit_test(the_reader_judges_by_all_of_the_first_lines),
		cmocka_unit_test(input_without_stacks_is_recognized),
		cmocka_unit_test(goldens_are_recognized),
		cmocka_unit_test(prose_is_not_taken_for_a_profile),
		cmocka_unit_test(events_of_callgrind_are_in_the_first_4096_bytes),
		cmocka_unit_test(stacks_without_frames_are_recognized),
		cmocka_unit_test(few_lines_are_enough),
		cmocka_unit_test(a_probe_does_not_read_beyond_the_first_bytes),
	};

	return cmocka_run_group_tests_name("recognize", tests, NULL, NULL);
}
