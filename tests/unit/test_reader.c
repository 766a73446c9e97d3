/* Tests of lib/base/reader: the lines do not depend on the size of the blocks. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/reader.h"
#include "lib/base/encoding.h"
#include "tests/unit/support/support.h"

static const size_t block_sizes[] = {
	1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 64, 1000, 300000
};

#define LONG_LINE "0123456789012345678901234567890123456789"

/* Inputs and their lines, each as "NUMBER<LINE>". */
static const struct {
	struct fg_str bytes, lines;
} inputs[] = {
	{ { NULL, 0 }, { NULL, 0 } },
	{ FG_STR_INIT("\n"), FG_STR_INIT("1<>") },
	{ FG_STR_INIT("a"), FG_STR_INIT("1<a>") },
	{ FG_STR_INIT("a\n"), FG_STR_INIT("1<a>") },
	{ FG_STR_INIT("\n\n\n"), FG_STR_INIT("1<>2<>3<>") },
	{ FG_STR_INIT("\n\na"), FG_STR_INIT("1<>2<>3<a>") },
	{ FG_STR_INIT("ab\ncd\nef"), FG_STR_INIT("1<ab>2<cd>3<ef>") },
	{ FG_STR_INIT("a\r\nb\r\n"), FG_STR_INIT("1<a\r>2<b\r>") },
	{ FG_STR_INIT("a\0b\n\0\n\0"), FG_STR_INIT("1<a\0b>2<\0>3<\0>") },
	{ FG_STR_INIT("\xff\xfd\n\x80"), FG_STR_INIT("1<\xff\xfd>2<\x80>") },
	{ FG_STR_INIT("\xef\xbb\xbfx\n\xef\xbb\xbfy\n"), FG_STR_INIT("1<x>2<y>") },
	{ FG_STR_INIT("\xef\xbb\xbf"), FG_STR_INIT("1<>") },
	{ FG_STR_INIT("x\n" LONG_LINE LONG_LINE "\ny\n"),
	  FG_STR_INIT("1<x>2<" LONG_LINE LONG_LINE ">3<y>") },
	{ FG_STR_INIT(LONG_LINE LONG_LINE), FG_STR_INIT("1<" LONG_LINE LONG_LINE ">") },
};

static void read_lines(struct fg_reader *r, const char *name, struct fg_buf *lines)
{
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(r, &line, &at)) > 0) {
		assert_string_equal(at.input, name);
		fg_buf_add_u64(lines, at.line);
		fg_buf_add_char(lines, '<');
		fg_buf_add_str(lines, line);
		fg_buf_add_char(lines, '>');
	}
	assert_int_equal(status, 0);
	assert_int_equal(fg_reader_line(r, &line, &at), 0);
}

/* Reads lines from memory and from a file, with one size of blocks. */
static void check_lines(struct folder *folder, size_t input, size_t size)
{
	const char *path = folder_write(folder, "in", inputs[input].bytes);
	struct fg_reader *readers[2];
	struct caught c;

	caught_init(&c);
	readers[0] = fg_reader_open_memory(inputs[input].bytes, path, &c.diag);
	readers[1] = fg_reader_open(&path, 1, &c.diag);
	for (size_t i = 0; i < COUNT_OF(readers); i++) {
		struct fg_buf lines = FG_BUF_INIT;

		if (size)
			fg_reader_set_block_size(readers[i], size);
		read_lines(readers[i], path, &lines);
		assert_str_is(fg_buf_str(&lines), inputs[input].lines);
		fg_buf_release(&lines);
		fg_reader_close(readers[i]);
	}
	assert_int_equal(c.text.len, 0);
	caught_release(&c);
}

static void test_lines(void **state)
{
	struct folder folder;

	(void)state;
	folder_init(&folder);
	for (size_t i = 0; i < COUNT_OF(inputs); i++) {
		check_lines(&folder, i, 0);
		for (size_t size = 0; size < COUNT_OF(block_sizes); size++)
			check_lines(&folder, i, block_sizes[size]);
	}
	folder_release(&folder);
}

/*
 * Reads all blocks and puts them together again. Checks that they hold whole lines and
 * have their padding; only its first byte after the block has a promised value.
 */
static void read_blocks(struct fg_reader *r, struct fg_buf *bytes)
{
	struct fg_block block;
	bool open_line = false;
	unsigned readable = 0;
	int status;

	for (bool first = true; (status = fg_reader_block(r, &block)) > 0;
	     first = false) {
		const char *end = block.bytes.ptr + block.bytes.len;

		assert_true(block.bytes.len > 0);
		assert_int_equal(block.first, first);
		assert_false(open_line);
		open_line = end[-1] != '\n';
		if (open_line)
			assert_int_equal(*end, '\n');
		for (size_t i = 1; i <= FG_READER_PADDING; i++)
			readable += (unsigned char)block.bytes.ptr[-(ptrdiff_t)i] +
				    (unsigned char)end[i - 1];
		fg_buf_add_str(bytes, block.bytes);
	}
	assert_int_equal(status, 0);
	assert_true(readable || !bytes->len);
}

/* `read` gets every byte, whatever the bytes are and wherever blocks end. */
static void check_reading(struct random random,
			  void (*read)(struct random *random, struct fg_reader *r,
				       struct fg_buf *bytes))
{
	struct caught c;

	caught_init(&c);
	for (size_t i = 0; i < 2000; i++) {
		struct fg_buf want = FG_BUF_INIT, got = FG_BUF_INIT;
		struct fg_reader *r;

		random_bytes(&random, &want, random_below(&random, 200),
			     FG_STR("ab\n\0cdefghij"));
		if (fg_encoding_utf_16(fg_buf_str(&want)) ||
		    fg_encoding_is_binary(fg_buf_str(&want)))
			fg_buf_clear(&want);
		r = fg_reader_open_memory(fg_buf_str(&want), "memory", &c.diag);
		fg_reader_set_block_size(r, 1 + random_below(&random, 30));
		read(&random, r, &got);
		assert_str_is(fg_buf_str(&got), fg_buf_str(&want));
		fg_reader_close(r);
		fg_buf_release(&want);
		fg_buf_release(&got);
	}
	assert_int_equal(c.text.len, 0);
	caught_release(&c);
}

static void read_all_blocks(struct random *random, struct fg_reader *r,
			    struct fg_buf *bytes)
{
	(void)random;
	read_blocks(r, bytes);
}

static void test_blocks(void **state)
{
	(void)state;
	check_reading((struct random){ 29 }, read_all_blocks);
}

/* A line that is far longer than a block, then a short one. */
static void test_a_line_of_two_megabytes(void **state)
{
	size_t size = (size_t)2 << 20;
	struct fg_reader *r;
	struct fg_place at;
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str line;
	struct caught c;

	(void)state;
	caught_init(&c);
	fg_buf_reserve(&text, size + 10);
	memset(text.ptr, 'x', size);
	text.len = size;
	fg_buf_add_str(&text, FG_STR("\nend"));
	r = fg_reader_open_memory(fg_buf_str(&text), "memory", &c.diag);
	assert_int_equal(fg_reader_line(r, &line, &at), 1);
	assert_str_is(line, fg_str_of(text.ptr, size));
	assert_int_equal(fg_reader_line(r, &line, &at), 1);
	assert_str(line, "end");
	assert_int_equal(at.line, 2);
	assert_int_equal(fg_reader_line(r, &line, &at), 0);
	fg_reader_close(r);
	fg_buf_release(&text);
	caught_release(&c);
}

/* Names of files in a folder, as copies. */
struct names {
	struct fg_buf paths[4];
	const char *cstr[4];
};

static void make_files(struct names *names, struct folder *folder)
{
	static const struct {
		const char *name;
		struct fg_str bytes;
	} files[] = {
		{ "one", FG_STR_INIT("a\nb") },
		{ "empty", { NULL, 0 } },
		{ "two", FG_STR_INIT("\nc") },
		{ "three", FG_STR_INIT("d\n") },
	};

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		fg_buf_init(&names->paths[i]);
		fg_buf_addf(&names->paths[i], "%s",
			    folder_write(folder, files[i].name, files[i].bytes));
		names->cstr[i] = fg_buf_cstr(&names->paths[i]);
	}
}

static void release_names(struct names *names)
{
	for (size_t i = 0; i < COUNT_OF(names->paths); i++)
		fg_buf_release(&names->paths[i]);
}

static void test_inputs_follow_each_other(void **state)
{
	static const struct {
		size_t input;
		uint64_t line;
		const char *text;
	} want[] = {
		{ 0, 1, "a" }, { 0, 2, "b" }, { 2, 1, "" },
		{ 2, 2, "c" }, { 3, 1, "d" },
	};
	struct folder folder;
	struct names names;
	struct caught c;

	(void)state;
	folder_init(&folder);
	make_files(&names, &folder);
	caught_init(&c);
	for (size_t size = 0; size < COUNT_OF(block_sizes); size++) {
		struct fg_reader *r = fg_reader_open(names.cstr, 4, &c.diag);
		struct fg_place at;
		struct fg_str line;

		fg_reader_set_block_size(r, block_sizes[size]);
		for (size_t i = 0; i < COUNT_OF(want); i++) {
			assert_int_equal(fg_reader_line(r, &line, &at), 1);
			assert_str_is(line, fg_str_from(want[i].text));
			assert_string_equal(at.input, names.cstr[want[i].input]);
			assert_int_equal(at.line, want[i].line);
		}
		assert_int_equal(fg_reader_line(r, &line, &at), 0);
		fg_reader_close(r);
	}
	assert_int_equal(c.text.len, 0);
	release_names(&names);
	caught_release(&c);
	folder_release(&folder);
}

/* Inputs that fail, after one that can be read. */
static void test_input_that_cannot_be_read_is_reported(void **state)
{
	static const struct {
		const char *name, *message;
	} rows[] = {
		{ "missing", "/missing: cannot open: No such file or directory\n" },
		{ ".", "/.: cannot read: Is a directory\n" },
		{ "good/x", "/good/x: cannot open: Not a directory\n" },
	};
	struct folder folder;

	(void)state;
	folder_init(&folder);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf good = FG_BUF_INIT;
		const char *names[2];
		struct fg_reader *r;
		struct fg_place at;
		struct fg_str line;
		struct caught c;

		caught_init(&c);
		fg_buf_addf(&good, "%s", folder_write(&folder, "good", FG_STR("a")));
		names[0] = fg_buf_cstr(&good);
		names[1] = folder_path(&folder, rows[i].name);
		r = fg_reader_open(names, 2, &c.diag);
		assert_int_equal(c.text.len, 0);
		assert_int_equal(fg_reader_line(r, &line, &at), 1);
		assert_int_equal(fg_reader_line(r, &line, &at), -1);
		assert_int_equal(c.diag.errors, 1);
		assert_has(fg_buf_str(&c.text), names[1]);
		assert_has(fg_buf_str(&c.text), rows[i].message);
		fg_reader_close(r);
		fg_buf_release(&good);
		caught_release(&c);
	}
	folder_release(&folder);
}

/* Runs with `text` as standard input, which is put back afterwards. */
static void with_standard_input(struct fg_str text, void (*run)(struct fg_diag *))
{
	int before = dup(STDIN_FILENO), ends[2];
	struct caught c;

	assert_true(before >= 0);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text.ptr, text.len), text.len);
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	caught_init(&c);
	run(&c.diag);
	assert_int_equal(c.text.len, 0);
	caught_release(&c);
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	dup2(before, STDIN_FILENO);
	close(before);
}

static void read_without_names(struct fg_diag *diag)
{
	struct fg_reader *r = fg_reader_open(NULL, 0, diag);
	struct fg_buf lines = FG_BUF_INIT;

	read_lines(r, "(standard input)", &lines);
	assert_str(fg_buf_str(&lines), "1<a>2<b>");
	fg_buf_release(&lines);
	fg_reader_close(r);
}

/* For the second "-", standard input has nothing left. */
static void read_dashes(struct fg_diag *diag)
{
	static const char *const names[] = { "-", "-" };
	struct fg_reader *r = fg_reader_open(names, 2, diag);
	struct fg_buf lines = FG_BUF_INIT;

	read_lines(r, "(standard input)", &lines);
	assert_str(fg_buf_str(&lines), "1<a>2<b>");
	fg_buf_release(&lines);
	fg_reader_close(r);
}

static void test_standard_input(void **state)
{
	(void)state;
	with_standard_input(FG_STR("a\nb"), read_without_names);
	with_standard_input(FG_STR("a\nb\n"), read_dashes);
}

static void test_a_file_never_takes_the_place_of_standard_input(void **state)
{
	int before = dup(STDIN_FILENO);
	struct fg_block block;
	struct folder folder;
	struct fg_reader *r;
	struct caught c;
	const char *path;

	(void)state;
	assert_true(before >= 0);
	caught_init(&c);
	folder_init(&folder);
	path = folder_write(&folder, "in", FG_STR("a\n"));
	close(STDIN_FILENO);
	r = fg_reader_open(&path, 1, &c.diag);
	assert_int_equal(fg_reader_block(r, &block), 1);
	assert_str(block.bytes, "a\n");
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
	fg_reader_close(r);
	dup2(before, STDIN_FILENO);
	close(before);
	folder_release(&folder);
	caught_release(&c);
}

static void test_closing_early(void **state)
{
	struct fg_block block;
	struct folder folder;
	const char *path;
	struct fg_reader *r;
	struct caught c;

	(void)state;
	fg_reader_close(NULL);
	caught_init(&c);
	folder_init(&folder);
	path = folder_write(&folder, "in", FG_STR("a\nb\nc\n"));
	r = fg_reader_open(&path, 1, &c.diag);
	fg_reader_close(r);
	r = fg_reader_open(&path, 1, &c.diag);
	fg_reader_set_block_size(r, 2);
	assert_int_equal(fg_reader_block(r, &block), 1);
	assert_str(block.bytes, "a\n");
	fg_reader_close(r);
	folder_release(&folder);
	caught_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_a_line_of_two_megabytes),
		cmocka_unit_test(test_inputs_follow_each_other),
		cmocka_unit_test(test_input_that_cannot_be_read_is_reported),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_a_file_never_takes_the_place_of_standard_input),
		cmocka_unit_test(test_closing_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
