/* Tests of lib/svg/slicedata: round trips, and hostile bytes. */
#include <stdlib.h>

#include "lib/svg/slicedata.h"

#include "lib/svg/varint.h"
#include "tests/unit/support/support.h"

/* Slices 3, 4 and 900, with two, one and three of four stacks. */
static uint32_t stacks[] = { 7, 2, 1, 12 };
static uint64_t slices[] = { 3, 4, 900 };
static size_t ends[] = { 2, 3, 6 };
static uint32_t items[] = { 0, 3, 2, 0, 1, 3 };
static uint64_t counts[] = { 3000, 1000, 5000, 1000, 400000, 2000 };

static const struct fg_slicedata sample = {
	.header = { 20000000, true, 1795528800250000000 },
	.stacks = stacks,
	.stack_count = 4,
	.slices = slices,
	.ends = ends,
	.slice_count = 3,
	.items = items,
	.counts = counts,
	.item_count = 6,
};

/*
 * Like fg_slicedata_read(). Checks that a failure is reported once and contains `why`.
 */
static int read_data(struct fg_str bytes, size_t frames, const char *why)
{
	const struct fg_place at = { "a.svg", 0 };
	struct caught caught;
	struct fg_slicedata d;
	struct fg_buf again = FG_BUF_INIT;
	int status;

	caught_init(&caught);
	status = fg_slicedata_read(bytes, frames, &d, &at, &caught.diag);
	assert_int_equal(caught.diag.errors, status ? 1 : 0);
	if (status)
		assert_has(fg_buf_str(&caught.text), why);
	else
		fg_slicedata_write(&d, &again);
	if (!status)
		assert_true(fg_str_eq(fg_buf_str(&again), bytes));
	fg_buf_release(&again);
	fg_slicedata_release(&d);
	caught_release(&caught);
	return status;
}

static void test_there_and_back(void **state)
{
	const struct fg_slicedata none = { .header = { .width = 1 } };
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	fg_slicedata_write(&sample, &bytes);
	assert_int_equal(read_data(fg_buf_str(&bytes), 13, ""), 0);
	assert_int_equal(read_data(fg_buf_str(&bytes), 12, "missing frame"), -1);
	fg_buf_clear(&bytes);
	fg_slicedata_write(&none, &bytes);
	assert_int_equal(read_data(fg_buf_str(&bytes), 0, ""), 0);
	fg_buf_release(&bytes);
}

static void test_values(void **state)
{
	const struct fg_place at = { "a.svg", 0 };
	struct fg_buf bytes = FG_BUF_INIT;
	struct caught caught;
	struct fg_slicedata d;

	(void)state;
	caught_init(&caught);
	fg_slicedata_write(&sample, &bytes);
	assert_int_equal(
		fg_slicedata_read(fg_buf_str(&bytes), 13, &d, &at, &caught.diag), 0);
	assert_int_equal(d.header.start, sample.header.start);
	assert_int_equal(d.slice_count, 3);
	assert_memory_equal(d.slices, slices, sizeof(slices));
	assert_memory_equal(d.items, items, sizeof(items));
	assert_memory_equal(d.counts, counts, sizeof(counts));
	assert_memory_equal(d.stacks, stacks, sizeof(stacks));
	fg_slicedata_release(&d);
	fg_buf_release(&bytes);
	caught_release(&caught);
}

/* Data cut anywhere, or with any byte changed, give no more than a message. */
static void test_damaged_bytes(void **state)
{
	const struct fg_place at = { "a.svg", 0 };
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	fg_slicedata_write(&sample, &bytes);
	for (size_t len = 0; len < bytes.len; len++)
		assert_int_equal(read_data(fg_str_before(fg_buf_str(&bytes), len), 13,
					   "damaged"),
				 -1);
	for (size_t i = 0; i < bytes.len * 256; i++) {
		struct caught caught;
		struct fg_slicedata d;
		char was = bytes.ptr[i / 256];

		caught_init(&caught);
		bytes.ptr[i / 256] = (char)i;
		fg_slicedata_read(fg_buf_str(&bytes), 13, &d, &at, &caught.diag);
		bytes.ptr[i / 256] = was;
		fg_slicedata_release(&d);
		caught_release(&caught);
	}
	fg_buf_release(&bytes);
}

/* 1 if there is a start; the width, the start, the unit; slices; their totals. */
static void test_totals(void **state)
{
	const struct fg_slicedata none = { .header = { .width = 1 } };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_str rest;
	uint64_t n[11];

	(void)state;
	fg_slicedata_write_totals(&sample, &bytes);
	rest = fg_buf_str(&bytes);
	for (size_t i = 0; i < FG_COUNT_OF(n); i++)
		assert_int_equal(fg_varint_cut(&rest, &n[i]), 0);
	assert_int_equal(rest.len, 0);
	assert_int_equal(n[0], 1);
	assert_int_equal(n[1], sample.header.width);
	assert_int_equal(n[2], sample.header.start);
	assert_int_equal(n[4], 3);
	for (size_t slice = 0, i = 0; slice < 3; slice++) {
		uint64_t sum = 0;

		for (; i < ends[slice]; i++)
			sum += counts[i];
		assert_int_equal(n[8 + slice] * n[3], sum);
	}
	fg_buf_clear(&bytes);
	fg_slicedata_write_totals(&none, &bytes);
	assert_true(fg_str_eq(fg_buf_str(&bytes), FG_STR("\0\1\1\0")));
	fg_buf_release(&bytes);
}

static void test_hostile_bytes(void **state)
{
	(void)state;
	read_data(FG_STR(""), 1, "first bytes");
	read_data(FG_STR("fgs2\0\1\1\0\0"), 1, "first bytes");
	read_data(FG_STR("fgs1\2\1\1\0\0"), 1, "newer");
	read_data(FG_STR("fgs1\0\0\1\0\0"), 1, "width");
	read_data(FG_STR("fgs1\0\1\0\0\0"), 1, "unit");
	read_data(FG_STR("fgs1\0\1\1\0\0x"), 1, "more bytes");
	read_data(FG_STR("fgs1\0\1\1\1\0\1\0\0\1\1\1"), 1, "more bytes");
	read_data(FG_STR("fgs1\0\1\1\1\0\1\0\0\2\0\1"), 1, "missing stack");
	read_data(FG_STR("fgs1\0\1\1\1\0\1\0\0\0\0\1"), 1, "distance to a stack");
	read_data(FG_STR("fgs1\0\1\1\1\0\1\0\0\50\0\1"), 1, "distance to a stack");
	read_data(FG_STR("fgs1\0\1\1\1\0\1\0\177\1\1\1"), 1, "early");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_values),
		cmocka_unit_test(test_damaged_bytes),  cmocka_unit_test(test_totals),
		cmocka_unit_test(test_hostile_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
