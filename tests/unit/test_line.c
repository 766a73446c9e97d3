/* Tests of lib/profile/line: source lines in the names of frames. */
#include "lib/profile/line.h"
#include "tests/unit/support/support.h"

static void assert_text(struct fg_str found, const char *expected)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_str(&text, found);
	assert_string_equal(fg_buf_cstr(&text), expected);
	fg_buf_release(&text);
}

static void frames_with_lines_are_split(void **state)
{
	static const struct {
		const char *frame, *name, *file;
		uint32_t number;
		const char *annotation;
	} rows[] = {
		{ "main:app.c:12", "main", "app.c", 12, "" },
		{ "f:/src/app.c:1", "f", "/src/app.c", 1, "" },
		{ "a::b:x.cc:9", "a::b", "x.cc", 9, "" },
		/* a class C, not the drive C: */
		{ "a::C:/src/x.cc:9", "a::C", "/src/x.cc", 9, "" },
		{ "read:fs/read_write.c:474_[k]", "read", "fs/read_write.c", 474,
		  "_[k]" },
		{ "main@app:src/app.c:3_[i]", "main@app", "src/app.c", 3, "_[i]" },
		{ "main:C:\\src\\app.c:12", "main", "C:\\src\\app.c", 12, "" },
		{ "main:C:/src/app.c:12", "main", "C:/src/app.c", 12, "" },
		{ "a::b:C:/src/app.c:12", "a::b", "C:/src/app.c", 12, "" },
		{ "main:./Makefile:7", "main", "./Makefile", 7, "" },
		{ "main:/home/me/my work/app.c:7", "main", "/home/me/my work/app.c", 7,
		  "" },
		{ "pkg.(*T).f:pkg/t.go:4294967295", "pkg.(*T).f", "pkg/t.go",
		  4294967295, "" },
		{ "example.com/x/y.F:y.go:5", "example.com/x/y.F", "y.go", 5, "" },
		{ "<module>:app.py:5", "<module>", "app.py", 5, "" },
		{ "<T as core::ops::Fn<(A, B)>>::call:main.rs:7",
		  "<T as core::ops::Fn<(A, B)>>::call", "main.rs", 7, "" },
		{ "0x401136:a.s:5", "0x401136", "a.s", 5, "" },
		{ "[unknown]:a.c:5", "[unknown]", "a.c", 5, "" },
		{ "f: g:x.c:1", "f: g", "x.c", 1, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_line line;

		assert_true(fg_line_split(fg_str_from(rows[i].frame), &line));
		assert_text(line.name, rows[i].name);
		assert_text(line.file, rows[i].file);
		assert_text(line.annotation, rows[i].annotation);
		assert_int_equal(line.number, rows[i].number);
	}
}

static void frames_without_lines_are_left_alone(void **state)
{
	static const char *const rows[] = {
		"",
		":",
		"::",
		":1",
		"::1",
		":a.c:1",
		"main",
		"main:",
		"main:12",
		"a::b:12",
		"a::b.c:12",
		"Main.run:42",
		"main:app.c",
		"main:app.c:",
		"main:app.c:0",
		"main:app.c:012",
		"main:app.c:4294967296",
		"main:app.c:99999999999999999999",
		"main:app.c:12x",
		"main:app.c:-1",
		"main:app.c:12_[x]",
		"main:app.c:12_[k]_[k]",
		"main::12",
		/* a line and a column */
		"alloc:alloc.rs:95:9",
		"LazyCompile:*RegExp:(x) /a.js:1:2",
		"LazyCompile:~run /srv/app.js:12",
		/* names of threads */
		"pool:1:2",
		"kworker/0:1",
		"12:30:45",
		/* FILE:FUNCTION:LINE of austin, FILE:LINE:FUNCTION of faulthandler */
		"/srv/app.py:main:5",
		"/srv/app.py:App.run:5",
		"app.py:main:5",
		"C:\\srv\\app.py:App.run:5",
		"/srv/app.py:5:main",
		/* a place without a function */
		"C:\\app.c:12",
		"/src/app.c:12",
		"app.c:12",
		"name (file.js:12)",
		"name (a:file.js:12)",
		"-[NSArray a:b.c:12]",
		"[::1]:80",
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_line line = { .number = 77 };
		struct fg_buf b = FG_BUF_INIT;

		assert_false(fg_line_split(fg_str_from(rows[i]), &line));
		assert_int_equal(line.number, 77);
		assert_text(fg_line_function(fg_str_from(rows[i]), &b), rows[i]);
		fg_buf_release(&b);
	}
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
		cmocka_unit_test(frames_with_lines_are_split),
		cmocka_unit_test(frames_without_lines_are_left_alone),
		cmocka_unit_test(functions_keep_their_annotation),
		cmocka_unit_test(written_lines_can_be_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
