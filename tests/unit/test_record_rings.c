/* Tests of record/rings: parts of a ring, records in them, sizes. */
#include <linux/perf_event.h>

#include "lib/base/buf.h"
#include "record/records.h"
#include "record/rings.h"
#include "tests/unit/support/support.h"

#define SIZE 64

/* Returns the bytes from `tail` to `head`, in order. */
static struct fg_str joined(const struct fg_ring *r, uint64_t tail, uint64_t head,
			    struct fg_buf *b)
{
	struct fg_str parts[2];

	fg_ring_parts(r, tail, head, parts);
	fg_buf_clear(b);
	fg_buf_add_str(b, parts[0]);
	fg_buf_add_str(b, parts[1]);
	return fg_buf_str(b);
}

static void test_parts_are_the_bytes_in_order(void **data)
{
	char bytes[SIZE];
	struct fg_ring ring = { .data = bytes, .size = SIZE };
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	for (int i = 0; i < SIZE; i++)
		bytes[i] = (char)i;
	/* positions far above the size, and beyond 32 bits */
	for (uint64_t base = 0; base < UINT64_C(1) << 40; base = base * 3 + SIZE * 7)
		for (uint64_t tail = base; tail < base + SIZE; tail++)
			for (uint64_t len = 0; len <= SIZE; len++) {
				struct fg_str got = joined(&ring, tail, tail + len, &b);

				assert_int_equal(got.len, len);
				for (size_t i = 0; i < len; i++)
					assert_int_equal(got.ptr[i], (tail + i) % SIZE);
			}
	fg_buf_release(&b);
}

static void add_record(struct fg_buf *b, uint32_t type, uint64_t lost)
{
	size_t start = fg_record_start(b, type, 0);

	fg_put64(b, 1);
	fg_put64(b, lost);
	fg_record_end(b, start);
}

static void test_records_are_counted_wherever_the_ring_ends(void **data)
{
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	add_record(&b, PERF_RECORD_SAMPLE, 0);
	add_record(&b, PERF_RECORD_LOST, 7);
	add_record(&b, PERF_RECORD_COMM, 9);
	add_record(&b, PERF_RECORD_SAMPLE, 0);
	add_record(&b, PERF_RECORD_LOST, 5);
	for (size_t cut = 0; cut <= b.len; cut++) {
		const struct fg_str parts[2] = {
			fg_str_before(fg_buf_str(&b), cut),
			fg_str_from_pos(fg_buf_str(&b), cut),
		};
		struct fg_ring_counts counts = { 100, 1000 };

		fg_ring_count(parts, &counts);
		assert_int_equal(counts.samples, 102);
		assert_int_equal(counts.lost, 1012);
	}
	fg_buf_release(&b);
}

/* The kernel does not write such records, but we must not loop for ever. */
static void test_a_record_without_size_ends_the_count(void **data)
{
	struct fg_ring_counts counts = { 0, 0 };
	const struct fg_str parts[2] = { FG_STR("\t\0\0\0\0\0\0\0\t\0\0\0\0\0\0\0"),
					 FG_STR("") };

	(void)data;
	fg_ring_count(parts, &counts);
	assert_int_equal(counts.samples, 0);
}

static void test_sizes(void **data)
{
	/* 516 KB for each of 4 processors, and 8 MB besides */
	struct fg_ring_limits l = { 4096, 516 << 10, 8 << 20, 4 };

	(void)data;
	assert_int_equal(fg_ring_size(&l, 0, false), 512 << 10);
	/* 2 MB and 512 KB for each processor */
	assert_int_equal(fg_ring_size(&l, 0, true), 2 << 20);
	l.memlock = UINT64_MAX;
	assert_int_equal(fg_ring_size(&l, 0, false), 512 << 10);
	assert_int_equal(fg_ring_size(&l, 0, true), 4 << 20);
	l.memlock = 0;
	assert_int_equal(fg_ring_size(&l, 0, true), 512 << 10);
	l.mlock = 0;
	assert_int_equal(fg_ring_size(&l, 0, false), 4096);
	assert_int_equal(fg_ring_size(&l, 5000, false), 8192);
	assert_int_equal(fg_ring_size(&l, 8192, true), 8192);
	assert_int_equal(fg_ring_size(&l, 1, false), 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts_are_the_bytes_in_order),
		cmocka_unit_test(test_records_are_counted_wherever_the_ring_ends),
		cmocka_unit_test(test_a_record_without_size_ends_the_count),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
