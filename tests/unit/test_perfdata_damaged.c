/* Tests of collapse/formats/perf/data: damaged recordings, and those we refuse. */
#include "collapse/formats/perf/data/perfdata.h"

#include <fcntl.h>
#include <unistd.h>

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elf.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"
#include "lib/recognize/lines.h"

/* If the end is missing, we read the rest and warn. */
static void test_a_file_that_is_cut(void **data)
{
	static const char *const cut = "cut short, or perf record was killed";
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;
	struct fg_str file;
	size_t start;

	recording_at(&s->r, 5, 0x10);
	start = s->r.records.len;
	recording_at(&s->r, 6, 0x10);
	file = recording_file(&s->r);
	start += 104 + 8 + 144;
	for (size_t len = start; len < start + 8; len++) {
		fg_buf_clear(&s->text);
		assert_int_equal(recording_read(fg_str_before(file, len), NULL,
						&s->text, &tally),
				 0);
		assert_has(fg_buf_str(&s->text), cut);
		assert_true(tally.cut);
		assert_int_equal(tally.samples, 1);
	}
}

/* perf record was killed before it wrote the size of the records, which comes last. */
static void test_a_file_that_was_never_closed(void **data)
{
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;

	recording_at(&s->r, 5, 0x10);
	recording_file(&s->r);
	s->r.whole.len = 104 + 8 + 144 + s->r.records.len;
	memset(s->r.whole.ptr + 48, 0, 8);
	assert_int_equal(
		recording_read(fg_buf_str(&s->r.whole), NULL, &s->text, &tally), 0);
	assert_has(fg_buf_str(&s->text), ":5 5/5 1000 cpu-clock:HG 100 [unknown]");
	assert_has(fg_buf_str(&s->text), "perf record was killed");
	assert_int_equal(tally.samples, 1);
}

static void test_a_record_shorter_than_its_header_ends_the_reading(void **data)
{
	struct recorded *s = *data;

	recording_at(&s->r, 5, 0x10);
	put64(&s->r.records, 0);
	recording_at(&s->r, 5, 0x10);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 0);
	assert_str(fg_buf_str(&s->text),
		   ":5 5/5 1000 cpu-clock 100 [unknown]+0([unknown])\n"
		   "prog: perf.data: damaged: everything after sample 1 is skipped\n");
}

static void test_a_sample_shorter_than_its_fields_is_counted(void **data)
{
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, 7);
	for (size_t i = 0; i < 5; i++)
		put64(&body, 1);
	put64(&body, UINT64_MAX / 8 + 1);
	recording_put(&s->r, 9, 2, fg_buf_str(&body));
	fg_buf_release(&body);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, &tally),
			 0);
	assert_int_equal(tally.samples, 0);
	assert_int_equal(tally.damaged, 1);
	assert_has(fg_buf_str(&s->text), "1 records are too short for their fields");
}

static void test_events_that_only_perf_script_can_read_are_refused(void **data)
{
	static const struct {
		struct recorded_event event;
		const char *why;
	} cases[] = {
		{ { .sample_type = RECORDED_FIELDS | 1 << 11, .branch_type = 1 << 11 },
		  "--call-graph lbr" },
		{ { .sample_type = RECORDED_FIELDS | 1 << 20 }, "hardware traces" },
	};
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		s->r.events[0] = cases[i].event;
		fg_buf_clear(&s->text);
		assert_int_equal(
			recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			-1);
		assert_has(fg_buf_str(&s->text), cases[i].why);
		assert_has(fg_buf_str(&s->text),
			   "run perf script --no-inline -i perf.data | collapse-perf");
	}
}

static void test_records_that_only_perf_script_can_read_are_refused(void **data)
{
	static const uint32_t types[] = { 70, 71, 22 };
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		fg_buf_clear(&s->r.records);
		fg_buf_clear(&s->text);
		recording_put(&s->r, types[i], 0, FG_STR("0123456789abcdef"));
		assert_int_equal(
			recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			-1);
		assert_has(fg_buf_str(&s->text), "run perf script");
	}
	fg_buf_clear(&s->r.records);
	recording_at(&s->r, 5, 0x10);
	memcpy(s->r.records.ptr + 4, &(uint16_t){ 5 }, 2); /* misc */
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 -1);
	assert_has(fg_buf_str(&s->text), "virtual machines");
}

static void test_other_byte_orders_and_old_formats_are_refused(void **data)
{
	struct recorded *s = *data;
	char swapped[104], old[104] = "PERFFILE";
	struct fg_str file = recording_file(&s->r);

	memcpy(swapped, file.ptr, sizeof(swapped));
	for (size_t i = 0; i < 8; i++)
		swapped[i] = file.ptr[7 - i];
	assert_true(perf_data_starts(fg_str_of(swapped, 8)));
	assert_int_equal(recording_read(fg_str_of(swapped, 104), NULL, &s->text, NULL),
			 -1);
	assert_has(fg_buf_str(&s->text), "the other byte order");
	assert_int_equal(recording_read(fg_str_of(old, 104), NULL, &s->text, NULL), -1);
	assert_has(fg_buf_str(&s->text), "before 2012");
	assert_false(perf_data_starts(FG_STR("PERFILE")));
	assert_false(perf_data_starts(FG_STR("main 1/1 1.0: cycles:")));
}

static void test_a_folder_is_refused(void **data)
{
	struct recorded *s = *data;
	struct folder folder;
	struct fg_perfdata pd = { .fd = -1 };

	folder_init(&folder);
	pd.fd = open(folder.path, O_RDONLY | O_CLOEXEC);
	assert_true(pd.fd >= 0);
	assert_int_equal(recording_read_from(&pd, &s->text), -1);
	assert_str(fg_buf_str(&s->text),
		   "prog: perf.data: cannot read: Is a directory\n");
	folder_write(&folder, "data", recording_file(&s->r));
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read_from(&pd, &s->text), -1);
	assert_has(fg_buf_str(&s->text), "recorded with --threads");
	close(pd.fd);
	folder_release(&folder);
}

/* Moves the section of the events' names. Its table has a place and a size. */
static void test_a_section_beyond_the_end_is_cut(void **data)
{
	static const char *const named = ":5 5/5 1000 cpu-clock 100 ",
				 *const unnamed = ":5 5/5 1000 cpu-clock:HG 100 ";
	struct recorded *s = *data;
	struct fg_str file;
	char *table;

	recording_at(&s->r, 5, 0x10);
	file = recording_file(&s->r);
	table = (char *)file.ptr + 104 + 8 + 144 + s->r.records.len;
	{
		const uint64_t at = fg_load64(table), size = fg_load64(table + 8);
		const struct {
			uint64_t at, size;
			const char *line;
			bool cut;
		} rows[] = {
			{ at, size, named, false },
			{ at, size + 1, named, true },
			{ file.len, 0, unnamed, false },
			{ file.len, 1, unnamed, true },
			{ file.len + 1, 0, unnamed, true },
			{ UINT64_MAX, 0, unnamed, true },
			{ at, UINT64_MAX, named, true },
		};

		for (size_t i = 0; i < COUNT_OF(rows); i++) {
			struct fg_perfdata_tally tally;

			memcpy(table, &rows[i].at, 8);
			memcpy(table + 8, &rows[i].size, 8);
			fg_buf_clear(&s->text);
			assert_int_equal(recording_read(file, NULL, &s->text, &tally),
					 0);
			assert_has(fg_buf_str(&s->text), rows[i].line);
			assert_int_equal(tally.cut, rows[i].cut);
		}
	}
}

/* The table of sections is cut, so the sections in its rest are missing. */
static void test_a_table_of_sections_that_is_cut(void **data)
{
	struct recorded *s = *data;
	struct fg_perfdata_tally tally;
	struct fg_str file;
	size_t table;

	recording_at(&s->r, 5, 0x10);
	file = recording_file(&s->r);
	table = 104 + 8 + 144 + s->r.records.len;
	for (size_t len = table; len < table + 16; len++) {
		fg_buf_clear(&s->text);
		assert_int_equal(recording_read(fg_str_before(file, len), NULL,
						&s->text, &tally),
				 0);
		assert_has(fg_buf_str(&s->text), ":5 5/5 1000 cpu-clock:HG 100 ");
		assert_true(tally.cut);
	}
}

/* The records fill several blocks; the sanitizers check that all are freed. */
static void test_waiting_records_of_a_refused_recording_are_freed(void **data)
{
	struct recorded *s = *data;

	for (unsigned i = 0; i < 30000; i++)
		recording_at(&s->r, 5, 0x10);
	recording_put(&s->r, 70, 0, FG_STR("0123456789abcdef"));
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 -1);
	assert_has(fg_buf_str(&s->text), "run perf script");
}

/* A program that was built without libelf refuses all recordings. */
static void test_without_libelf_nothing_is_read(void **data)
{
	struct recorded *s = *data;

	assert_int_equal(recording_read(recording_file(&s->r), NULL, &s->text, NULL),
			 -1);
	assert_has(fg_buf_str(&s->text), "built without libelf");
}

int main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)
	const struct CMUnitTest without[] = {
		TEST(test_without_libelf_nothing_is_read),
	};
	const struct CMUnitTest tests[] = {
		TEST(test_a_file_that_is_cut),
		TEST(test_a_file_that_was_never_closed),
		TEST(test_a_record_shorter_than_its_header_ends_the_reading),
		TEST(test_a_sample_shorter_than_its_fields_is_counted),
		TEST(test_events_that_only_perf_script_can_read_are_refused),
		TEST(test_records_that_only_perf_script_can_read_are_refused),
		TEST(test_other_byte_orders_and_old_formats_are_refused),
		TEST(test_a_folder_is_refused),
		TEST(test_a_section_beyond_the_end_is_cut),
		TEST(test_a_table_of_sections_that_is_cut),
		TEST(test_waiting_records_of_a_refused_recording_are_freed),
	};

	if (!fg_elf_is_here())
		return cmocka_run_group_tests(without, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
