/* Tests of fg_reader_check(): the result does not depend on the size of blocks. */
#include "lib/base/encoding.h"
#include "lib/base/reader.h"
#include "lib/recognize/recognize.h"
#include "tests/unit/support/support.h"

static const size_t block_sizes[] = {
	1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 64, 1000, 300000
};

/*
 * Returns true if the reader refuses the input. Appends the bytes that it was judged by
 * to `start`. A `block_size` of 0 and NULL for `checks` are the defaults.
 */
static bool is_refused_by(const struct fg_buf *input, size_t block_size,
			  const struct fg_reader_checks *checks, struct fg_buf *start)
{
	struct fg_reader *r;
	struct fg_block block;
	struct caught c;
	int status;

	caught_init(&c);
	r = fg_reader_open_memory(fg_buf_str(input), "input", &c.diag);
	if (block_size)
		fg_reader_set_block_size(r, block_size);
	if (checks)
		fg_reader_check(r, checks);
	else
		fg_recognize_check(r, &fg_kind_pmc);
	status = fg_reader_block(r, &block);
	if (status > 0)
		fg_buf_add_str(start, block.start);
	fg_reader_close(r);
	caught_release(&c);
	return status < 0;
}

static bool is_refused(const struct fg_buf *input, size_t block_size,
		       const struct fg_reader_checks *checks)
{
	struct fg_buf start = FG_BUF_INIT;
	bool refused = is_refused_by(input, block_size, checks, &start);

	fg_buf_release(&start);
	return refused;
}

/* An input is judged by the whole lines of its first 8 KiB. */
static void the_first_lines_are_judged_whatever_the_block_size(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 7, 100, 4099, 8191, 8192, 8193 };
	struct fg_buf json = FG_BUF_INIT, report = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&json, "{\n  \"name\": 1\n}\n");
	fg_buf_addf(&report, "# Overhead  Symbol\n#");
	while (report.len < 8188)
		fg_buf_addf(&report, report.len < 8180 ? "          " : "\n");
	fg_buf_addf(&report, "1 main;work\n");
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		assert_true(is_refused(&json, sizes[i], NULL));
		assert_true(is_refused(&report, sizes[i], NULL));
	}
	fg_buf_release(&json);
	fg_buf_release(&report);
}

static bool is_stack(const void *data, struct fg_str first_bytes)
{
	(void)data;
	return fg_str_starts(first_bytes, FG_STR("stack\n")) &&
	       !fg_encoding_is_binary(first_bytes);
}

static bool is_binary(const void *data, struct fg_str first_bytes, struct fg_buf *why)
{
	(void)data;
	(void)why;
	return fg_encoding_is_binary(first_bytes);
}

/*
 * A slow pipe may bring only the first stack at first, a file brings all. So the binary
 * data after the first stack must not matter, but data in it must.
 */
static void an_expected_input_is_judged_by_its_first_stack(void **state)
{
	static const struct fg_reader_checks checks = { NULL, is_stack, is_binary,
							false };
	struct fg_buf known = FG_BUF_INIT, data = FG_BUF_INIT;

	(void)state;
	fg_buf_addf(&known, "stack\nframe\n\n");
	fg_buf_addf(&data, "stack\nfra");
	for (unsigned i = 0; i < 100; i++) {
		fg_buf_add(&known, "\0\1\2\3", 4);
		fg_buf_add(&data, "\0\1\2\3", 4);
	}
	fg_buf_addf(&known, "\nframe\n");
	fg_buf_addf(&data, "me\n\nframe\n\n");
	while (data.len < 2000)
		fg_buf_addf(&data, "stack\nframe\n\n");
	for (size_t i = 0; i < COUNT_OF(block_sizes); i++) {
		struct fg_buf start = FG_BUF_INIT;

		assert_false(is_refused_by(&known, block_sizes[i], &checks, &start));
		assert_str(fg_buf_str(&start), "stack\nframe\n");
		fg_buf_release(&start);
		assert_true(is_refused(&data, block_sizes[i], &checks));
	}
	fg_buf_release(&known);
	fg_buf_release(&data);
}

/* The first block may have a single byte, or end inside a line. */
static void input_that_is_not_text_is_refused(void **state)
{
	static const struct fg_str xz = FG_STR_INIT("\xfd"
						    "7zXZ\0a;b 5\nmain 1\n");

	(void)state;
	for (size_t i = 0; i < COUNT_OF(block_sizes); i++) {
		struct fg_reader *r;
		struct fg_place at;
		struct fg_str line;
		struct caught c;

		caught_init(&c);
		r = fg_reader_open_memory(xz, "in.xz", &c.diag);
		fg_recognize_check(r, &fg_kind_pmc);
		fg_reader_set_block_size(r, block_sizes[i]);
		assert_int_equal(fg_reader_line(r, &line, &at), -1);
		assert_int_equal(c.diag.errors, 1);
		assert_has(fg_buf_str(&c.text), "in.xz: this is xz data");
		fg_reader_close(r);
		caught_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_lines_are_judged_whatever_the_block_size),
		cmocka_unit_test(an_expected_input_is_judged_by_its_first_stack),
		cmocka_unit_test(input_that_is_not_text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
