/*
 * Tests of collapse/formats/perf/text/span.c: first and last times anywhere in a file.
 */
#include <stdio.h>
#include <sys/resource.h>

#include "collapse/formats/perf/text/span.h"
#include "tests/unit/support/support.h"

#define HEADER(time) "app 7 [000] " time ": 250000 cycles:u: \n"
#define FRAME "\t    55d0c0ffee00 main+0x2b (/usr/bin/app)\n"
#define SECOND UINT64_C(1000000000)

/* More bytes than span.c reads at a time. */
#define FAR ((size_t)200 * 1024)

/* Adds `size` bytes of frames, or a little more. */
static void add_frames(struct fg_buf *b, size_t size)
{
	for (size_t end = b->len + size; b->len < end;)
		fg_buf_add_str(b, FG_STR(FRAME));
}

static void add_long_line(struct fg_buf *b, size_t size)
{
	for (size_t i = 0; i < size; i++)
		fg_buf_add_char(b, 'x');
	fg_buf_add_char(b, '\n');
}

/*
 * Finds the times in a file with `text`, which it releases. Returns false if it has no
 * times.
 */
static bool find(struct fg_buf *text, uint64_t *first, uint64_t *last)
{
	struct fg_opt_list files = { .count = 1 };
	struct folder folder;
	struct caught caught;
	const char *path;
	int status;

	folder_init(&folder);
	caught_init(&caught);
	path = folder_write(&folder, "in", fg_buf_str(text));
	files.items = &path;
	status = perf_find_span(&files, first, last, &caught.diag);
	assert_int_equal(caught.diag.errors, 0);
	caught_release(&caught);
	folder_release(&folder);
	fg_buf_release(text);
	return !status;
}

static void finds_times_in_a_small_file(void **state)
{
	uint64_t first, last;
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	fg_buf_add_str(&text, FG_STR(HEADER("4.500000") FRAME "\n" HEADER("6.000001")));
	assert_true(find(&text, &first, &last));
	assert_int_equal(first, 4 * SECOND + SECOND / 2);
	assert_int_equal(last, 6 * SECOND + 1000);
}

static void finds_times_far_from_the_ends(void **state)
{
	uint64_t first, last;

	(void)state;
	for (size_t shift = 0; shift < sizeof(FRAME) + sizeof(HEADER("1.000000"));
	     shift++) {
		struct fg_buf text = FG_BUF_INIT;

		add_long_line(&text, shift);
		add_frames(&text, FAR);
		fg_buf_add_str(&text, FG_STR(HEADER("4.500000")));
		add_frames(&text, FAR);
		fg_buf_add_str(&text, FG_STR(HEADER("6.500000")));
		add_frames(&text, FAR);
		add_long_line(&text, shift);
		assert_true(find(&text, &first, &last));
		assert_int_equal(first, 4 * SECOND + SECOND / 2);
		assert_int_equal(last, 6 * SECOND + SECOND / 2);
	}
}

static void finds_times_beyond_long_lines(void **state)
{
	uint64_t first, last;
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_long_line(&text, FAR);
	fg_buf_add_str(&text, FG_STR(HEADER("4.500000")));
	add_long_line(&text, FAR);
	add_long_line(&text, FAR);
	assert_true(find(&text, &first, &last));
	assert_int_equal(first, 4 * SECOND + SECOND / 2);
	assert_int_equal(last, first);
}

static void reads_a_last_line_without_line_feed(void **state)
{
	uint64_t first, last;
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	add_frames(&text, FAR);
	fg_buf_add_str(&text, FG_STR(HEADER("4.500000")));
	text.len--;
	assert_true(find(&text, &first, &last));
	assert_int_equal(first, 4 * SECOND + SECOND / 2);
	assert_int_equal(last, first);
	add_long_line(&text, FAR);
	text.len--;
	assert_false(find(&text, &first, &last));
	assert_false(find(&text, &first, &last));
}

static long peak_kib(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
#ifdef __APPLE__
	return used.ru_maxrss / 1024;
#else
	return used.ru_maxrss;
#endif
}

/* The whole file is searched if it has no times, but not held in memory. */
static void holds_no_large_file_in_memory(void **state)
{
	static const size_t size = (size_t)32 << 20;
	struct fg_opt_list files = { .count = 1 };
	uint64_t first, last;
	struct folder folder;
	struct fg_buf text = FG_BUF_INIT;
	struct caught caught;
	const char *path;
	long before;

	(void)state;
	add_frames(&text, (size_t)1 << 20);
	folder_init(&folder);
	path = folder_path(&folder, "in");
	for (size_t written = 0; written < size; written += text.len) {
		FILE *file = fopen(path, "a");

		assert_non_null(file);
		assert_int_equal(fwrite(text.ptr, 1, text.len, file), text.len);
		assert_int_equal(fclose(file), 0);
	}
	files.items = &path;
	before = peak_kib();
	caught_init(&caught);
	assert_int_equal(perf_find_span(&files, &first, &last, &caught.diag),
			 FG_SPAN_UNKNOWN);
	assert_int_equal(caught.diag.errors, 0);
	caught_release(&caught);
	assert_in_range(peak_kib() - before, 0, (size >> 10) / 4);
	folder_release(&folder);
	fg_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_times_in_a_small_file),
		cmocka_unit_test(finds_times_far_from_the_ends),
		cmocka_unit_test(finds_times_beyond_long_lines),
		cmocka_unit_test(reads_a_last_line_without_line_feed),
		cmocka_unit_test(holds_no_large_file_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
