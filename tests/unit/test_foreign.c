/* Tests of lib/foreign: a collapser's goldens name that collapser, or none. */
#include "lib/foreign.h"

#include "collapse/format.h"
#include "lib/reader.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/support.h"

/* How many of a format's inputs, of those that have stacks, are named. */
struct tally {
	const struct fg_format *format;
	int named, others;
};

/* perf script is known by lib/folded; folded stacks are at home here. */
static bool is_named(const struct fg_format *format)
{
	return format != &fg_format_perf && format != &fg_format_recursive;
}

static bool check_run(const struct golden_run *run, void *data)
{
	struct tally *tally = data;
	struct fg_buf input = FG_BUF_INIT, lines = FG_BUF_INIT, want = FG_BUF_INIT;
	const char *got;

	if (!golden_read(run->folder, "input", &input))
		return false;
	got = fg_foreign(fg_buf_str(&input));
	fg_buf_addf(&want, ": pipe it through collapse-%s first", tally->format->name);
	if (got && (!is_named(tally->format) ||
		    !fg_str_ends(fg_str_from(got), fg_buf_str(&want)))) {
		print_error("%s: %s\n", run->folder, got);
		fail();
	}
	if (golden_read(run->folder, run->expected, &lines) && lines.len)
		*(got ? &tally->named : &tally->others) += 1;
	fg_buf_release(&want);
	fg_buf_release(&lines);
	fg_buf_release(&input);
	return true;
}

static void goldens_name_their_collapser(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++) {
		struct tally tally = { .format = fg_formats[i] };

		assert_true(golden_visit(fg_formats[i]->name, check_run, &tally) > 0);
		if (is_named(fg_formats[i]) && tally.others * 4 > tally.named) {
			print_error("collapse-%s: %d of %d inputs are named\n",
				    fg_formats[i]->name, tally.named,
				    tally.named + tally.others);
			fail();
		}
	}
}

#define GDB "this is the output of gdb: pipe it through collapse-gdb first"

static void lines_before_stacks_decide(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", NULL },
		{ "\n", NULL },
		{ "This is a text.\n", NULL },
		{ "Thread 1 (LWP 5)\n#0  f () at a.c:1\n", GDB },
		{ "\xef\xbb\xbf"
		  "Thread 1 (LWP 5)\r\n",
		  GDB },
		{ "f 5\nThread 1 (LWP 5)\n", GDB },
		{ "f;g 5\nThread 1 (LWP 5)\n", NULL },
		{ "Thread 1 (LWP 5)\nf;g 5\n", GDB },
		/* a frame, which has a count */
		{ "Thread 1 (LWP 5) 7\n", NULL },
		{ "app`main+0x40 7\n", NULL },
		{ "Samples: all\n", NULL },
		{ "Thread x (LWP 5)\n", NULL },
		{ "#0\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++) {
		const char *got = fg_foreign(fg_str_from(rows[i].text));

		assert_int_equal(!got, !rows[i].want);
		if (got)
			assert_string_equal(got, rows[i].want);
	}
}

/* The first bytes of a stack of many frames can be those of a line of another kind. */
static void a_line_that_is_cut_does_not_decide(void **state)
{
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&text, FG_STR("Thread 1 (LWP 5)"));
	assert_non_null(fg_foreign(fg_buf_str(&text)));
	for (int i = 0; i < 1000; i++)
		fg_buf_add_str(&text, FG_STR(";frame"));
	fg_buf_add_str(&text, FG_STR(" 1\n"));
	assert_null(fg_foreign(fg_buf_str(&text)));
	fg_buf_release(&text);
}

/* However little of it a pipe gives at a time. */
static void the_reader_judges_by_all_first_lines(void **state)
{
	struct caught c;
	struct fg_reader *reader;
	struct fg_block block;

	(void)state;
	caught_init(&c);
	reader = fg_reader_open_memory(FG_STR("a line\nThread 1 (LWP 5)\n"), "in",
				       &c.diag);
	fg_reader_set_block_size(reader, 1);
	fg_reader_refuse(reader, fg_foreign);
	assert_int_equal(fg_reader_block(reader, &block), -1);
	assert_has(fg_buf_str(&c.text), "in: " GDB);
	fg_reader_close(reader);
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_name_their_collapser),
		cmocka_unit_test(lines_before_stacks_decide),
		cmocka_unit_test(a_line_that_is_cut_does_not_decide),
		cmocka_unit_test(the_reader_judges_by_all_first_lines),
	};

	return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
