/* Tests of lib/profile/line: source lines in the names of frames. */
#include "lib/base/reader.h"
#include "lib/profile/line.h"
#include "tests/unit/support/support.h"

static void assert_text(struct fg_str found, const char *expected)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, found);
	assert_string_equal(fg_buf_cstr(&text), expected);
	fg_buf_release(&text);
}

/* Checks a line of the table: FRAME, or FRAME, FUNCTION, FILE and NUMBER. */
static void check_row(struct fg_str row)
{
	struct fg_str frame = fg_str_cut(&row, '\t');
	struct fg_str name = fg_str_cut(&row, '\t'), file = fg_str_cut(&row, '\t');
	struct fg_line line = { .number = 77 };
	struct fg_buf b = FG_BUF_INIT;
	uint64_t number = 77;

	if (fg_line_split(frame, &line) != (name.len > 0))
		fail_msg("%.*s", (int)frame.len, frame.ptr);
	if (name.len) {
		assert_int_equal(fg_str_u64(row, &number), 0);
		assert_str_is(line.name, name);
		assert_str_is(line.file, file);
		assert_str_is(fg_line_plain_name(frame), name);
	} else {
		assert_str_is(fg_line_function(frame, &b), frame);
	}
	assert_int_equal(line.number, number);
	fg_buf_release(&b);
}

static void frames_are_split_like_in_the_viewer(void **state)
{
	const char *file = "tests/data/lines.tsv";
	struct caught caught;
	struct fg_reader *reader;
	struct fg_str line;
	struct fg_place at;
	size_t count = 0;

	(void)state;
	caught_init(&caught);
	reader = fg_reader_open(&file, 1, &caught.diag);
	for (; fg_reader_line(reader, &line, &at) > 0; count++)
		if (line.ptr[0] != '#')
			check_row(line);
	fg_reader_close(reader);
	caught_release(&caught);
	assert_true(count > 50);
}

static void functions_keep_their_annotation(void **state)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)state;
	assert_text(fg_line_function(FG_STR("main:app.c:12"), &b), "main");
	assert_text(fg_line_function(FG_STR("read:fs/x.c:12_[k]"), &b), "read_[k]");
	assert_text(fg_line_function(FG_STR("write_[k]"), &b), "write_[k]");
	fg_buf_release(&b);
}

/* A row is a file, a number, and the frame of "f" at that place. */
static void written_lines_can_be_split(void **state)
{
	static const struct {
		const char *file;
		uint64_t number;
		const char *frame;
	} rows[] = {
		{ "app.c", 12, "f:app.c:12" },
		{ "/src/app.c", 12, "f:/src/app.c:12" },
		{ "Makefile", 1, "f:./Makefile:1" },
		{ "<string>", 1, "f:./<string>:1" },
		{ "C:\\src\\app.c", 3, "f:C:\\src\\app.c:3" },
		{ "a;b.c", 3, "f:a_b.c:3" },
		{ "C:/src/a:b.c", 3, "f:C:/src/a/b.c:3" },
		{ "https://example.org:8080/src/app.js?v=1", 5, "f:/src/app.js:5" },
		{ "file:///src/app.js", 5, "f:/src/app.js:5" },
		{ "node:internal/timers", 5, "f:node/internal/timers:5" },
		{ "app.c", UINT32_MAX, "f:app.c:4294967295" },
		{ "app.c", 0, "f" },
		{ "app.c", UINT32_MAX + UINT64_C(1), "f" },
		{ "", 12, "f" },
		{ "https://example.org", 12, "f" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf b = FG_BUF_INIT;
		struct fg_line line;

		fg_buf_add_char(&b, 'f');
		fg_line_add(&b, fg_str_from(rows[i].file), rows[i].number);
		assert_string_equal(fg_buf_cstr(&b), rows[i].frame);
		assert_int_equal(fg_line_split(fg_buf_str(&b), &line), b.len > 1);
		fg_buf_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_split_like_in_the_viewer),
		cmocka_unit_test(functions_keep_their_annotation),
		cmocka_unit_test(written_lines_can_be_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
