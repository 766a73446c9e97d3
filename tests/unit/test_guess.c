/* Tests of collapse/guess: every format's goldens are known for what they are. */
#include "collapse/guess/guess.h"

#include <stdlib.h>

#include "lib/base/utf8.h"
#include "tests/unit/support/support.h"
#include "tests/unit/support/golden.h"

/* Reads the run's input. Returns true if it is text from which stacks come. */
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
	const struct fg_format *format;
	size_t known;
};

/* No input is taken for another format; malformed ones may be of no format. */
static bool check_run(const struct golden_run *run, void *data)
{
	struct runs *runs = data;
	struct fg_buf input = FG_BUF_INIT;
	bool checked = has_stacks(run, &input);
	struct fg_str first = fg_str_before(fg_buf_str(&input), FG_GUESS_BYTES);
	struct fg_guess guess = { NULL, NULL };

	if (checked)
		guess = fg_guess(fg_utf8_skip_mark(first));
	runs->known += guess.format == runs->format;
	if (guess.other || (guess.format && guess.format != runs->format))
		print_error("%s: taken for %s%s%s\n", run->folder,
			    guess.format->kind->name, guess.other ? " or " : "",
			    guess.other ? guess.other->kind->name : "");
	fg_buf_release(&input);
	assert_null(guess.other);
	assert_true(!guess.format || guess.format == runs->format);
	return checked;
}

/* Folded stacks without ';' cannot be recognized, so a third of theirs is enough. */
static void goldens_are_recognized(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++) {
		struct runs runs = { fg_formats[i], 0 };
		size_t count =
			golden_visit(fg_formats[i]->kind->name, check_run, &runs);
		size_t least =
			runs.format == &fg_format_recursive ? count / 3 : count * 4 / 5;

		if (runs.known < least)
			print_error("%s: %zu of %zu known\n", runs.format->kind->name,
				    runs.known, count);
		assert_true(count > 0 && runs.known >= least);
	}
}

static void prose_is_no_format(void **state)
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
		assert_null(fg_guess(fg_str_from(texts[i])).format);
	for (size_t i = 0; i < FG_COUNT_OF(pages); i++)
		assert_null(fg_guess(fg_str_from(pages[i])).format);
}

/* The line "events:" is at the head of the file; a later one is of another text. */
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
		assert_ptr_equal(fg_guess(fg_buf_str(&text)).format,
				 len < 4096 ? &fg_format_callgrind : NULL);
	}
	fg_buf_release(&text);
}

static void stacks_without_frames_are_recognized(void **state)
{
	static const char text[] = "CPU     ID                    FUNCTION:NAME\n"
				   "  2 206724                        :tick-60s\n\n"
				   "                2\n";

	(void)state;
	assert_ptr_equal(fg_guess(fg_str_from(text)).format, &fg_format_dtrace);
}

static void few_lines_are_enough(void **state)
{
	static const struct {
		const char *text;
		const struct fg_format *format;
	} rows[] = {
		{ "#-----------\nsnapshot=0\n#-----------\n", &fg_format_massif },
		{ "x\n\t          4005d0 main (/bin/a)\n", &fg_format_perf },
		{ "x\n\t  4005d0 main (/bin/a)\n", &fg_format_perf },
		{ "x\n\t be it\n", NULL },
		{ "x\n\t\ta file (see below)\n", NULL },
		{ "<pre>\n\t add foo(bar)\n", NULL },
		{ "    #0 0x5576f9c56233 in f b.c:5\nallocated by thread T0 here:\n"
		  "==1==ERROR: AddressSanitizer: heap-buffer-overflow\n",
		  NULL },
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++)
		assert_ptr_equal(fg_guess(fg_str_from(rows[i].text)).format,
				 rows[i].format);
}

/* The length of a header; the input is cut at each of its bytes. */
#define CUTS 160

/* Checks that memory after the first bytes does not change the result of a probe. */
static bool check_cuts(const struct golden_run *run, void *data)
{
	const struct fg_format *format = data;
	struct fg_buf input = FG_BUF_INIT;
	struct fg_str first;
	bool there = golden_read(run->folder, "input", &input);

	first = fg_str_before(fg_buf_str(&input), CUTS);
	for (size_t n = 0; there && n < first.len; n++) {
		char *other = malloc(n + 1);
		enum fg_probe want = format->kind->probe(fg_str_before(first, n));

		memcpy(other, first.ptr, n);
		other[n] = first.ptr[n] == ' ' ? '0' : ' ';
		if (format->kind->probe(fg_str_of(other, n)) != want)
			print_error("%s: the first %zu bytes\n", run->folder, n);
		assert_int_equal(format->kind->probe(fg_str_of(other, n)), want);
		free(other);
	}
	fg_buf_release(&input);
	return there;
}

static void a_probe_ends_where_the_first_bytes_do(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++)
		assert_true(golden_visit(fg_formats[i]->kind->name, check_cuts,
					 (void *)fg_formats[i]) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_are_recognized),
		cmocka_unit_test(prose_is_no_format),
		cmocka_unit_test(events_of_callgrind_are_in_the_first_4096_bytes),
		cmocka_unit_test(stacks_without_frames_are_recognized),
		cmocka_unit_test(few_lines_are_enough),
		cmocka_unit_test(a_probe_ends_where_the_first_bytes_do),
	};

	return cmocka_run_group_tests_name("guess", tests, NULL, NULL);
}
