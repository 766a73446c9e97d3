/*
 * Tests of lib/profile/folded_input: profiles with one and two counts, and odd lines.
 */
#include "lib/profile/folded_input.h"
#include "tests/unit/support/support.h"

struct fixture {
	struct caught caught;
	struct fg_folded_input in;
	struct fg_unit unit;
	struct fg_buf added; /* "3:a;b|5" or "3:a;b|4|5", and a line feed */
	uint64_t line;
};

static int add(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct fixture *f = data;

	fg_buf_addf(&f->added, "%u:", (unsigned)at->line);
	fg_buf_add_str(&f->added, folded->stack);
	for (unsigned i = 0; i < folded->columns; i++)
		fg_buf_addf(&f->added, "|%u", (unsigned)folded->count[i].digits);
	fg_buf_add_char(&f->added, '\n');
	return folded->count[0].digits == 666 ? -1 : 0;
}

static void set_up(struct fixture *f)
{
	*f = (struct fixture){ .line = 0 };
	caught_init(&f->caught);
	fg_folded_input_init(&f->in, &f->caught.diag, &f->unit, add, f);
}

static void tear_down(struct fixture *f)
{
	fg_folded_input_release(&f->in);
	fg_unit_release(&f->unit);
	fg_buf_release(&f->added);
	caught_release(&f->caught);
}

static int feed(struct fixture *f, const char *text)
{
	struct fg_str rest = fg_str_from(text);

	while (rest.len) {
		struct fg_place at = { "input", ++f->line };

		if (fg_folded_input_line(&f->in, fg_str_cut(&rest, '\n'), &at))
			return -1;
	}
	return 0;
}

static void first_lines_decide(void **state)
{
	static const struct {
		const char *text, *added, *warnings;
		unsigned columns;
	} cases[] = {
		{ "", "", "", 0 },
		{ "odd\n", "",
		  "prog: input:1: ignored 1 line without a count at its end: 'odd'\n",
		  0 },
		{ "a 1\nb 2\n", "1:a|1\n2:b|2\n", "", 1 },
		{ "a 1 2\n\nb 3 4\n", "1:a|1|2\n3:b|3|4\n", "", 2 },
		{ "a 1 2\n# b 3\nb 3 4\nc 5\n", "1:a 1|2\n3:b 3|4\n4:c|5\n",
		  "prog: input:1: 2 lines have two counts, unlike others: the first is "
		  "taken for a part of the name, as in 'a 1 2'; hint\n",
		  1 },
		{ "c 5\nT 1 2\n", "1:c|5\n2:T 1|2\n",
		  "prog: input:2: 1 line has two counts, unlike others: the first is "
		  "taken for a part of the name, as in 'T 1 2'; hint\n",
		  1 },
		{ "x\ny\na 0.0000000000001\n7 b;c\n", "3:a|0\n4:b;c|7\n",
		  "prog: input:1: ignored 2 lines without a count at their end, the "
		  "first is 'x'\n"
		  "prog: input:4: " FG_FOLDED_COUNTS_FIRST "\n"
		  "prog: input:3: 1 line with "
		  "a count below 0.000000001, "
		  "which is read as 0\n",
		  1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture f;

		set_up(&f);
		assert_int_equal(feed(&f, cases[i].text), 0);
		assert_int_equal(fg_folded_input_end(&f.in), 0);
		assert_int_equal(f.in.columns, cases[i].columns);
		fg_folded_input_warn(&f.in, "; hint");
		assert_str_is(fg_buf_str(&f.added), fg_str_from(cases[i].added));
		assert_str_is(fg_buf_str(&f.caught.text),
			      fg_str_from(cases[i].warnings));
		tear_down(&f);
	}
}

/* Reads `count` lines of `len` bytes with two counts, and then one with one count. */
static unsigned columns_of(size_t count, size_t len)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fixture f;
	unsigned columns;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < len - 5; j++)
			fg_buf_add_char(&text, 'a');
		fg_buf_add_str(&text, FG_STR(" 1 2\n"));
	}
	fg_buf_add_str(&text, FG_STR("late 5\nodd\n"));
	set_up(&f);
	assert_int_equal(feed(&f, fg_buf_cstr(&text)), 0);
	assert_int_equal(fg_folded_input_end(&f.in), 0);
	columns = f.in.columns;
	assert_int_equal(f.in.tally.stacks, columns == 2 ? count : count + 1);
	assert_int_equal(f.in.one_count.count, columns == 2);
	assert_int_equal(f.in.two_counts.count, columns == 2 ? 0 : count);
	fg_folded_input_warn(&f.in, "");
	if (columns == 2)
		assert_has(fg_buf_str(&f.caught.text),
			   "ignored 1 line with one count, although others have two: "
			   "'late 5'\n");
	tear_down(&f);
	fg_buf_release(&text);
	return columns;
}

static void bounds(void **state)
{
	(void)state;
	assert_int_equal(columns_of(FG_FOLDED_INPUT_STACKS - 1, 10), 1);
	assert_int_equal(columns_of(FG_FOLDED_INPUT_STACKS, 10), 2);
	assert_int_equal(columns_of(15, FG_FOLDED_INPUT_BYTES / 16), 1);
	assert_int_equal(columns_of(16, FG_FOLDED_INPUT_BYTES / 16), 2);
}

static void side_by_side(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.in.as_they_are = true;
	assert_int_equal(feed(&f, "a 1 2\nb 3\nc 4 5\n"), 0);
	assert_str(fg_buf_str(&f.added), "1:a|1|2\n2:b|3\n3:c|4|5\n");
	assert_int_equal(fg_folded_input_end(&f.in), 0);
	fg_folded_input_warn(&f.in, "");
	assert_str(fg_buf_str(&f.caught.text), "");
	tear_down(&f);
}

static void another_input(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(feed(&f, "# unit: ns\na 1 2\n"), 0);
	assert_int_equal(f.in.columns, 0);
	assert_int_equal(fg_folded_input_end(&f.in), 0);
	assert_int_equal(f.in.columns, 2);
	assert_str(fg_buf_str(&f.unit.unit), "ns");
	fg_folded_input_restart(&f.in);
	assert_int_equal(feed(&f, "b 3\nodd\n"), 0);
	assert_int_equal(f.in.columns, 1);
	assert_int_equal(f.in.lines, 2);
	assert_int_equal(f.in.tally.stacks, 1);
	assert_str(fg_buf_str(&f.added), "2:a|1|2\n3:b|3\n");
	tear_down(&f);
}

/* Each stack has the slices of its own recording, even if it is held back. */
static int add_slice(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct fixture *f = data;

	(void)at;
	fg_buf_add_str(&f->added, folded->stack);
	if (f->in.in_slice)
		fg_buf_addf(&f->added, "@%u+%u", (unsigned)(f->in.slice / 1000000000),
			    (unsigned)(f->in.slices.start / 1000000000));
	fg_buf_add_char(&f->added, '\n');
	return 0;
}

static void slices_of_files(void **state)
{
	static const char *const files[] = {
		"@00001.000;a 1 5\n"
		"# slice: 1s\n# start: 1970-01-01T00:00:07Z\n"
		"@00001.000;b 2 5\n"
		"# slice: 1s\n# start: 1970-01-01T00:00:09Z\n"
		"@00003.000;c 5\n",
		"@00001.000;d 5\n# slice: 1s\n@00001.000;e 5\n",
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	f.in.add = add_slice;
	for (size_t i = 0; i < COUNT_OF(files); i++) {
		struct fg_str rest = fg_str_from(files[i]);
		struct fg_place at = { files[i], 0 };

		for (at.line = 1; rest.len; at.line++)
			assert_int_equal(fg_folded_input_line(
						 &f.in, fg_str_cut(&rest, '\n'), &at),
					 0);
	}
	assert_int_equal(fg_folded_input_end(&f.in), 0);
	assert_str(fg_buf_str(&f.added),
		   "@00001.000;a 1\nb 2@1+7\nc@3+9\n@00001.000;d\ne@1+0\n");
	tear_down(&f);
}

static void failures(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(feed(&f, "a 1\nb 18446744073709551616\n"), -1);
	assert_str(fg_buf_str(&f.caught.text),
		   "prog: input:2: a count exceeds 2^64-1\n");
	tear_down(&f);
	/* an error in a stack that was held back counts, too */
	set_up(&f);
	assert_int_equal(feed(&f, "a 666 1\nb 1 2\n"), 0);
	assert_int_equal(fg_folded_input_end(&f.in), -1);
	assert_str(fg_buf_str(&f.added), "1:a|666|1\n");
	tear_down(&f);
}

static bool guess_perf(struct fg_str first_bytes, struct fg_buf *message)
{
	bool is_perf = fg_str_starts(first_bytes, FG_STR("app 1"));

	fg_buf_addf(message, "%s", is_perf ? "guessed" : "");
	return is_perf;
}

static void reasons_for_no_counts(void **state)
{
	static const char *const cases[][2] = {
		{ "", "the input is empty" },
		{ "\n# x\n", "the input is empty" },
		{ "x\n", "no line ends in a count" },
		{ "a 0\n", "all counts are 0" },
		{ "app 1 1.000000: 1 cycles:\n", "guessed" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture f;

		set_up(&f);
		f.in.guess = guess_perf;
		assert_int_equal(feed(&f, cases[i][0]), 0);
		assert_string_equal(fg_folded_input_fault(&f.in), cases[i][1]);
		tear_down(&f);
	}
}

static void notes(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	f.caught.diag.verbosity = FG_VERBOSE;
	assert_int_equal(feed(&f, "odd\na 1\nodd\001\n"), 0);
	assert_str(fg_buf_str(&f.caught.text),
		   "prog: input:1: a line without a count at its end: 'odd'\n"
		   "prog: input:3: a line without a count at its end: 'odd\\x01'\n");
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_lines_decide),
		cmocka_unit_test(bounds),
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(another_input),
		cmocka_unit_test(slices_of_files),
		cmocka_unit_test(failures),
		cmocka_unit_test(reasons_for_no_counts),
		cmocka_unit_test(notes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
