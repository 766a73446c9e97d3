/* Tests of reportfolded/tree: colours, which only terminals get. */
#define _XOPEN_SOURCE 700 /* for posix_openpt */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "reportfolded/report.h"
#include "tests/unit/support/support.h"

#define RED "\033[31m"
#define YELLOW "\033[33m"
#define BLUE "\033[34m"
#define PLAIN "\033[0m"

/* Checks the tree of these lines on a terminal, without the lines above it. */
static void check(const char *lines, const char *term, const char *no_colour,
		  const char *want)
{
	struct fg_report_options options;
	struct fg_reader *reader;
	struct caught caught;
	struct fg_out out;
	struct fg_buf shown = FG_BUF_INIT;
	int other = posix_openpt(O_RDWR | O_NOCTTY), terminal;
	char bytes[4096];
	ssize_t got;

	assert_true(other >= 0 && !grantpt(other) && !unlockpt(other));
	terminal = open(ptsname(other), O_RDWR | O_NOCTTY);
	assert_true(terminal >= 0);
	setenv("TERM", term, 1);
	setenv("NO_COLOR", no_colour, 1);
	caught_init(&caught);
	fg_report_options_init(&options);
	options.given.tree = true;
	assert_int_equal(fg_report_options_check(&options, &caught.diag), 0);
	reader = fg_reader_open_memory(fg_str_from(lines), "input", &caught.diag);
	fg_out_init(&out, terminal, "terminal", &caught.diag);
	assert_int_equal(fg_report_run(&options, reader, &out, &caught.diag),
			 FG_REPORT_WRITTEN);
	assert_int_equal(fg_out_close(&out), 0);
	got = read(other, bytes, sizeof(bytes));
	assert_true(got > 0);
	fg_buf_add(&shown, bytes, (size_t)got);
	assert_has(fg_buf_str(&shown), want);
	fg_report_options_release(&options);
	fg_reader_close(reader);
	caught_release(&caught);
	fg_buf_release(&shown);
	close(terminal);
	close(other);
}

static void large_frames_are_red_or_yellow(void **state)
{
	(void)state;
	check("a;b 500\na;c 200\na;d 50\na;e 49\na;f 201\n", "xterm", "",
	      "name\r\n" RED " 100.00    0.00" PLAIN "  a\r\n" RED
	      "  50.00   50.00" PLAIN "    b\r\n" RED "  20.10   20.10" PLAIN
	      "    f\r\n" RED "  20.00   20.00" PLAIN "    c\r\n" YELLOW
	      "   5.00    5.00" PLAIN "    d\r\n   4.90    4.90    e\r\n");
}

static void changes_are_red_or_blue(void **state)
{
	(void)state;
	check("a;b 2500 2550\na;c 2500 2549\na;d 2500 2450\na;e 2500 2451\n", "xterm",
	      "",
	      "name\r\n 100.00   +0.00    0.00   +0.00  a\r\n" RED
	      "  25.50   +0.50   25.50   +0.50" PLAIN
	      "    b\r\n  25.49   +0.49   25.49   +0.49    c\r\n"
	      "  24.51   -0.49   24.51   -0.49    e\r\n" BLUE
	      "  24.50   -0.50   24.50   -0.50" PLAIN "    d\r\n");
}

static void no_color_and_dumb_terminals_have_no_colours(void **state)
{
	(void)state;
	check("a 500\n", "dumb", "", "name\r\n 100.00  100.00  a\r\n");
	check("a 500\n", "xterm", "1", "name\r\n 100.00  100.00  a\r\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_frames_are_red_or_yellow),
		cmocka_unit_test(changes_are_red_or_blue),
		cmocka_unit_test(no_color_and_dumb_terminals_have_no_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
