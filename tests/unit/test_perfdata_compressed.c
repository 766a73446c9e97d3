/* Tests of collapse/formats/perf/data: compressed records of perf record -z. */
#include "collapse/formats/perf/data/perfdata.h"

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/record.h"
#include "collapse/formats/perf/data/zstd.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define SAMPLE ":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n"

/* Adds a frame of zstd (RFC 8878) with its size and one block, not compressed. */
static void put_frame(struct fg_buf *b, struct fg_str bytes)
{
	uint32_t block = (uint32_t)bytes.len << 3 | 1;

	assert_true(bytes.len < 256);
	fg_buf_add(b, "\x28\xb5\x2f\xfd\x20", 5);
	fg_buf_add_char(b, (char)bytes.len);
	for (unsigned i = 0; i < 3; i++)
		fg_buf_add_char(b, (char)(block >> 8 * i));
	fg_buf_add_str(b, bytes);
}

/* Adds a record of `type` that holds the frame. */
static void put_compressed(struct recording *r, uint32_t type, struct fg_str frame)
{
	struct fg_buf body = FG_BUF_INIT;

	if (type == FG_PD_COMPRESSED2)
		put64(&body, frame.len);
	fg_buf_add_str(&body, frame);
	while (type == FG_PD_COMPRESSED2 && body.len % 8)
		fg_buf_add_char(&body, '\xff');
	recording_put(r, type, 0, fg_buf_str(&body));
	fg_buf_release(&body);
}

/* Replaces all records so far by one of `type` that holds them. */
static void compress(struct recording *r, uint32_t type)
{
	struct fg_buf frame = FG_BUF_INIT;

	put_frame(&frame, fg_buf_str(&r->records));
	fg_buf_clear(&r->records);
	put_compressed(r, type, fg_buf_str(&frame));
	fg_buf_release(&frame);
}

static void check(struct recorded *s, int status, const char *want)
{
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 status);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
}

static void both_kinds_hold_records(void **data)
{
	static const uint32_t types[] = { FG_PD_COMPRESSED, FG_PD_COMPRESSED2 };
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		fg_buf_clear(&s->r.records);
		s->r.time = 1000;
		recording_at(&s->r, 5, 0x10);
		compress(&s->r, types[i]);
		recording_at(&s->r, 6, 0x10);
		check(s, 0,
		      SAMPLE ":6 6/6 2000 cpu-clock 100 [unknown]+0([unknown])\n");
	}
}

static void a_record_of_the_second_kind_has_the_size_of_its_data(void **data)
{
	struct recorded *s = *data;
	uint64_t len;

	recording_at(&s->r, 5, 0x10);
	compress(&s->r, FG_PD_COMPRESSED2);
	len = s->r.records.len - 16;
	memcpy(s->r.records.ptr + 8, &len, 8);
	len++;
	check(s, -1, "prog: perf.data: the compressed records are damaged\n");
	memcpy(s->r.records.ptr + 8, &len, 8);
	check(s, -1, "prog: perf.data: the compressed records are damaged\n");
}

static void bytes_that_are_not_a_frame_are_damaged(void **data)
{
	struct recorded *s = *data;

	recording_put(&s->r, FG_PD_COMPRESSED, 0, FG_STR("01234567"));
	check(s, -1, "prog: perf.data: the compressed records are damaged\n");
}

/* Adds a frame of so many blocks. Each is one byte, 131,072 times. */
static void put_repeats(struct fg_buf *b, unsigned blocks, char byte)
{
	fg_buf_add(b, "\x28\xb5\x2f\xfd\x00\x38", 6);
	while (blocks--) {
		uint32_t block = 131072 << 3 | 1 << 1 | !blocks;

		for (unsigned i = 0; i < 3; i++)
			fg_buf_add_char(b, (char)(block >> 8 * i));
		fg_buf_add_char(b, byte);
	}
}

/*
 * A record of 64 KB, the largest that perf writes, could unpack to gigabytes. Here it
 * unpacks to records of 2056 bytes, of an unknown type; the last one is cut.
 */
static void a_frame_that_unpacks_to_too_much_is_damaged(void **data)
{
	struct recorded *s = *data;

	for (unsigned blocks = 512; blocks <= 513; blocks++) {
		struct fg_buf frame = FG_BUF_INIT;

		fg_buf_clear(&s->r.records);
		s->r.time = 1000;
		recording_at(&s->r, 5, 0x10);
		put_repeats(&frame, blocks, '\x08');
		put_compressed(&s->r, FG_PD_COMPRESSED2, fg_buf_str(&frame));
		check(s, blocks > 512 ? -1 : 0,
		      blocks > 512 ? "prog: perf.data: the compressed records are "
				     "damaged\n" :
				     SAMPLE "prog: perf.data: cut short, or perf "
					    "record was killed: names of events and "
					    "build ids may be missing\n");
		fg_buf_release(&frame);
	}
}

static void unpacked_bytes_that_are_not_a_record_are_an_error(void **data)
{
	struct recorded *s = *data;

	put64(&s->r.records, 0);
	compress(&s->r, FG_PD_COMPRESSED);
	check(s, -1, "prog: perf.data: the compressed data do not hold records\n");
}

static void compressed_records_in_compressed_records_are_skipped(void **data)
{
	struct recorded *s = *data;

	recording_at(&s->r, 6, 0x10);
	compress(&s->r, FG_PD_COMPRESSED);
	compress(&s->r, FG_PD_COMPRESSED2);
	compress(&s->r, FG_PD_COMPRESSED);
	s->r.time = 1000;
	recording_at(&s->r, 5, 0x10);
	check(s, 0, SAMPLE);
}

int main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(both_kinds_hold_records),
		TEST(a_record_of_the_second_kind_has_the_size_of_its_data),
		TEST(bytes_that_are_not_a_frame_are_damaged),
		TEST(a_frame_that_unpacks_to_too_much_is_damaged),
		TEST(unpacked_bytes_that_are_not_a_record_are_an_error),
		TEST(compressed_records_in_compressed_records_are_skipped),
	};
	struct fg_pd_zstd *z = fg_pd_zstd_new();

	if (!z)
		return skip_without("libzstd");
	fg_pd_zstd_free(z);
	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
