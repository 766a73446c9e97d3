/*
 * Tests of collapse/formats/perf/data: the data around the records, in sections of a
 * file and in records of a stream.
 */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/cursor.h"
#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/record.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

enum { OSRELEASE = 4, CMDLINE = 11, CLOCK = 29 };

/* Callbacks, which add a line for each call. */
static void take_clock(void *data, uint64_t time, uint64_t start)
{
	fg_buf_addf(data, "clock %llu at %llu\n", (unsigned long long)time,
		    (unsigned long long)start);
}

static void take_cmdline(void *data, struct fg_str words)
{
	fg_buf_addf(data, "ran ");
	fg_buf_add_str(data, words);
	fg_buf_add_char(data, '\n');
}

static void take_program(void *data, struct fg_str comm)
{
	fg_buf_addf(data, "program ");
	fg_buf_add_str(data, comm);
	fg_buf_add_char(data, '\n');
}

static bool take_event(void *data, const struct fg_perfdata_sample *s)
{
	fg_buf_add_str(data, s->event);
	fg_buf_add_char(data, '\n');
	return false;
}

static void take_end(void *data)
{
	(void)data;
}

/*
 * Reads a recording. Puts the lines of the callbacks and the messages into s->text.
 * Without `all`, some callbacks are NULL. Returns true if the recording is cut.
 */
static bool read_text(struct recorded *s, struct fg_str bytes, bool all)
{
	struct caught caught;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.head = bytes,
		.no_symbols = true,
		.sink = { .sample = take_event, .end = take_end, .data = &s->text }
	};

	if (all) {
		pd.sink.clock = take_clock;
		pd.sink.cmdline = take_cmdline;
		pd.sink.program = take_program;
	}
	caught_init(&caught);
	pd.diag = &caught.diag;
	fg_buf_clear(&s->text);
	if (fg_perfdata_read(&pd))
		fg_buf_addf(&s->text, "failed\n");
	fg_buf_add_str(&s->text, fg_buf_str(&caught.text));
	caught_release(&caught);
	return pd.tally.cut;
}

static void check_text(struct recorded *s, const char *want)
{
	read_text(s, recording_stream(&s->r), true);
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
}

static void put_feature(struct recording *r, uint64_t feature, struct fg_str bytes)
{
	struct fg_buf body = FG_BUF_INIT;

	put64(&body, feature);
	fg_buf_add_str(&body, bytes);
	recording_put(r, FG_PD_HEADER_FEATURE, 0, fg_buf_str(&body));
	fg_buf_release(&body);
}

/* Adds a string, filled up with zeros like perf does. */
static void add_string(struct fg_buf *b, const char *text)
{
	put32(b, 64);
	fg_buf_add(b, text, strlen(text));
	for (size_t i = strlen(text); i < 64; i++)
		fg_buf_add_char(b, '\0');
}

static void the_command_line_is_passed_with_spaces(void **data)
{
	struct recorded *s = *data;
	struct fg_buf words = FG_BUF_INIT;

	put32(&words, 2);
	add_string(&words, "perf");
	add_string(&words, "record -g");
	put_feature(&s->r, CMDLINE, fg_buf_str(&words));
	check_text(s, "ran perf record -g \n");
	read_text(s, recording_stream(&s->r), false);
	assert_str(fg_buf_str(&s->text), "");
	put_feature(&s->r, CMDLINE, fg_str_before(fg_buf_str(&words), words.len - 1));
	check_text(s, "ran perf record -g \n");
	put_feature(&s->r, CMDLINE, fg_str_before(fg_buf_str(&words), 4));
	check_text(s, "ran perf record -g \n");
	put_feature(&s->r, CMDLINE, fg_str_of("\0\0\0\0", 4));
	check_text(s, "ran perf record -g \nran \n");
	fg_buf_release(&words);
}

static void the_program_that_perf_started_is_passed(void **data)
{
	struct recorded *s = *data;

	recording_comm(&s->r, 5, "perf-exec");
	recording_exec(&s->r, 5, "sh");
	recording_exec(&s->r, 6, "make");
	check_text(s, ""); /* perf recorded the whole machine, not one program */
	s->r.events[0].enable_on_exec = true;
	check_text(s, "program sh\n");
	read_text(s, recording_stream(&s->r), false);
	assert_str(fg_buf_str(&s->text), "");
}

static void the_clock_is_passed_unless_it_is_cut(void **data)
{
	struct recorded *s = *data;
	struct fg_buf clock = FG_BUF_INIT;

	put32(&clock, 1);
	put32(&clock, 7);
	put64(&clock, 1700000000);
	put64(&clock, 12345);
	put_feature(&s->r, CLOCK, fg_str_before(fg_buf_str(&clock), clock.len - 1));
	check_text(s, "");
	put_feature(&s->r, CLOCK, fg_buf_str(&clock));
	check_text(s, "clock 12345 at 1700000000\n");
	read_text(s, recording_stream(&s->r), false);
	assert_str(fg_buf_str(&s->text), "");
	fg_buf_release(&clock);
}

/* The record ends within the number of its feature. */
static void a_feature_without_a_number_is_ignored(void **data)
{
	struct recorded *s = *data;

	recording_put(&s->r, FG_PD_HEADER_FEATURE, 0, FG_STR("\013\0\0\0"));
	check_text(s, "");
}

/* perf writes an update for a name that the user chose. */
static void an_update_names_the_event_with_its_id(void **data)
{
	static const struct {
		uint64_t kind, id;
		const char *name, *want;
	} rows[] = {
		{ 2, 7, "mine", "mine\n" },
		{ 1, 7, "unit", "cpu-clock\n" },
		{ 2, 8, "other", "cpu-clock\n" },
		{ 2, 7, "", "cpu-clock\n" },
	};
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf body = FG_BUF_INIT;

		put64(&body, rows[i].kind);
		put64(&body, rows[i].id);
		fg_buf_add(&body, rows[i].name, strlen(rows[i].name) + 1);
		fg_buf_clear(&s->r.records);
		recording_put(&s->r, FG_PD_EVENT_UPDATE, 0, fg_buf_str(&body));
		fg_buf_release(&body);
		recording_at(&s->r, 5, 0x10);
		check_text(s, rows[i].want);
	}
}

/* In a stream, an attribute has its own size, which is at least 64 bytes. */
static void an_attribute_that_is_too_short_is_damaged(void **data)
{
	static const struct {
		uint32_t size, has;
		bool damaged;
	} rows[] = {
		{ 64, 64, false }, { 63, 64, true },  { 65, 64, true },
		{ 64, 72, false }, { 128, 64, true }, { 0, 4, true },
	};
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_perfdata_tally tally;
		struct fg_buf body = FG_BUF_INIT;

		put32(&body, 1);
		put32(&body, rows[i].size);
		while (body.len < rows[i].has)
			fg_buf_add_char(&body, '\0');
		body.len = rows[i].has;
		fg_buf_clear(&s->r.records);
		fg_buf_clear(&s->text);
		recording_put(&s->r, FG_PD_HEADER_ATTR, 0, fg_buf_str(&body));
		fg_buf_release(&body);
		assert_int_equal(
			recording_read(recording_stream(&s->r), NULL, &s->text, &tally),
			0);
		assert_int_equal(tally.damaged, rows[i].damaged);
	}
}

static void a_recording_without_events_is_damaged(void **data)
{
	struct recorded *s = *data;

	s->r.event_count = 0;
	check_text(s, "");
	recording_at(&s->r, 5, 0x10);
	check_text(s, "failed\n"
		      "prog: perf.data: the recording does not describe its events: it "
		      "is damaged\n");
}

static void a_header_of_another_size_is_damaged(void **data)
{
	struct recorded *s = *data;
	uint64_t sizes[] = { 0, 15, 17, 103, 105 };

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		char want[160];

		recording_file(&s->r);
		memcpy(s->r.whole.ptr + 8, &sizes[i], 8);
		read_text(s, fg_buf_str(&s->r.whole), true);
		snprintf(want, sizeof(want),
			 "failed\nprog: perf.data: the recording has a header of %llu "
			 "bytes, which perf does not write: it is damaged\n",
			 (unsigned long long)sizes[i]);
		check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, (int)i);
	}
	read_text(s, fg_str_before(fg_buf_str(&s->r.whole), 8), true);
	assert_has(fg_buf_str(&s->text), "a header of 0 bytes");
	read_text(s, FG_STR("PERFILE"), true);
	assert_str(fg_buf_str(&s->text),
		   "failed\nprog: perf.data: not a recording of perf\n");
}

/* perf record --threads sets bit 24 of the features. */
static void a_recording_of_perf_record_threads_is_refused(void **data)
{
	struct recorded *s = *data;
	uint64_t bits;

	recording_file(&s->r);
	memcpy(&bits, s->r.whole.ptr + 72, 8);
	bits |= UINT64_C(1) << 24;
	memcpy(s->r.whole.ptr + 72, &bits, 8);
	read_text(s, fg_buf_str(&s->r.whole), true);
	assert_has(fg_buf_str(&s->text), "recorded with --threads");
}

/*
 * Features follow the records in a file, after a table of their places and sizes. We
 * read them before the records. `later` is added to the place of one, `longer` to its
 * size.
 */
static void a_feature_beyond_the_end_is_cut(void **data)
{
	static const struct {
		int64_t later, longer;
		size_t table; /* rows of the table in the file */
		bool has_cmdline, cut;
	} rows[] = {
		{ 0, 0, 3, true, false },	{ 0, 1, 3, true, true },
		{ 140, -140, 3, false, false }, { 141, -140, 3, false, true },
		{ 0, 0, 2, false, true },	{ 0, 0, 0, false, true },
	};
	const uint64_t bits = 1U << 9 | 1U << CMDLINE | 1U << 14;
	struct recorded *s = *data;
	struct fg_buf words = FG_BUF_INIT;

	put32(&words, 2);
	add_string(&words, "perf");
	add_string(&words, "record");
	assert_int_equal(words.len, 140);
	recording_at(&s->r, 5, 0x10);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf *b = &s->r.whole;
		uint64_t at;

		recording_file(&s->r);
		memcpy(b->ptr + 72, &bits, 8);
		memcpy(&at, b->ptr + 40, 8);
		at += s->r.records.len;
		b->len = at;
		/* we use only the second of three features */
		for (size_t k = 0; k < 3; k++) {
			put64(b, at + 48 + (k == 1 ? rows[i].later : 0));
			put64(b, k == 1 ? 140 + rows[i].longer : 0);
		}
		b->len = at + 16 * rows[i].table;
		if (rows[i].table == 3)
			fg_buf_add_str(b, fg_buf_str(&words));
		assert_int_equal(read_text(s, fg_buf_str(b), true), rows[i].cut);
		assert_int_equal(
			fg_str_starts(fg_buf_str(&s->text), FG_STR("ran perf record ")),
			rows[i].has_cmdline);
	}
	fg_buf_release(&words);
}

/* ---- build ids, of a program in tests/data/perfdata/cache and of a kernel */

#define MILL                                       \
	"\xe1\x97\x06\xc6\x8d\xe2\x23\xa7\x35\xe1" \
	"\x1c\x3c\xdd\x39\x55\x2b\x95\x43\x9e\xca"
#define MILL_ELF                                  \
	"tests/data/perfdata/cache/.build-id/e1/" \
	"9706c68de223a735e11c3cdd39552b95439eca/elf"
#define SIZED (1U << 15)

static void put_build_id(struct recording *r, uint16_t misc, const char *name,
			 const struct fg_str id)
{
	struct fg_buf body = FG_BUF_INIT;

	put32(&body, UINT32_MAX);
	fg_buf_add_str(&body, id);
	while (body.len < 28)
		fg_buf_add_char(&body, '\0');
	fg_buf_add(&body, name, strlen(name) + 1);
	recording_put(r, FG_PD_HEADER_BUILD_ID, misc, fg_buf_str(&body));
	fg_buf_release(&body);
}

static void check_first(struct recorded *s, const char *cache, const char *want)
{
	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_stream(&s->r), cache, &s->text, NULL),
			 0);
	assert_has(fg_buf_str(&s->text), want);
}

/* If misc has the bit, the byte after the 20 is the length of the build id. */
static void a_build_id_in_the_table_chooses_the_binary(void **data)
{
	static const struct {
		const char *name, *length;
		uint16_t misc;
		bool found;
	} rows[] = {
		{ "/nonexistent/mill", "", 2, true },
		{ "/nonexistent/mill", "\x14", 2 | SIZED, true },
		{ "/nonexistent/mill", "\x15", 2 | SIZED, true },
		{ "/nonexistent/mill", "\x13", 2 | SIZED, false },
		{ "/nonexistent/mill", "\x13", 2, true },
		{ "/nonexistent/other", "", 2, false },
	};
	struct recorded *s = *data;

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct fg_buf id = FG_BUF_INIT;

		fg_buf_add(&id, MILL, 20);
		fg_buf_add_str(&id, fg_str_from(rows[i].length));
		fg_buf_clear(&s->r.records);
		put_build_id(&s->r, rows[i].misc, rows[i].name, fg_buf_str(&id));
		recording_map(&s->r,
			      &(struct recorded_map){ .pid = 5,
						      .start = 0x400000,
						      .len = 0x1000,
						      .name = "/nonexistent/mill",
						      .misc = 2,
						      .prot = 5 });
		recording_at(&s->r, 5, 0x40015d);
		check_first(s, "tests/data/perfdata/cache",
			    rows[i].found ? "(anonymous namespace)::sweep+f(" :
					    "[unknown]+0(/nonexistent/mill)");
		fg_buf_release(&id);
	}
}

/* The record is too short for a build id and is ignored. */
static void a_build_id_that_is_cut_is_ignored(void **data)
{
	struct recorded *s = *data;

	recording_put(&s->r, FG_PD_HEADER_BUILD_ID, 2, fg_str_of(MILL MILL, 27));
	check_text(s, "");
}

/* The file is on device 8:2, which the kernel flagged as a build id of 8 bytes. */
static void a_device_and_an_inode_are_not_a_build_id(void **data)
{
	struct recorded *s = *data;
	char path[PATH_MAX + sizeof("/" MILL_ELF)], folder[PATH_MAX];

	assert_non_null(getcwd(folder, sizeof(folder)));
	snprintf(path, sizeof(path), "%s/%s", folder, MILL_ELF);
	recording_map(&s->r,
		      &(struct recorded_map){ .pid = 5,
					      .start = 0x400000,
					      .len = 0x1000,
					      .name = path,
					      .misc = 2,
					      .prot = 5,
					      .build_id = FG_STR("\2\0\0\0\1\2\3\4"),
					      .generation = 77 });
	recording_at(&s->r, 5, 0x40015d);
	check_first(s, "/nonexistent", "(anonymous namespace)::sweep+f(");
}

#define VDSO "[vdso]/e19706c68de223a735e11c3cdd39552b95439eca"

static void check_vdso(struct recorded *s, const char *name)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct folder cache;

	folder_init(&cache);
	assert_true(file_read(MILL_ELF, &bytes));
	recording_map(&s->r, &(struct recorded_map){ .pid = 5,
						     .start = 0x400000,
						     .len = 0x1000,
						     .name = name,
						     .misc = 2,
						     .prot = 5,
						     .build_id = FG_STR(MILL) });
	recording_at(&s->r, 5, 0x40015d);
	check_first(s, cache.path, "[unknown]+0([vdso])");
	assert_int_equal(mkdir(folder_path(&cache, "[vdso]"), 0700), 0);
	assert_int_equal(mkdir(folder_path(&cache, VDSO), 0700), 0);
	folder_write(&cache, VDSO "/vdso", fg_buf_str(&bytes));
	check_first(s, cache.path, "(anonymous namespace)::sweep+f([vdso])");
	remove(folder_path(&cache, VDSO "/vdso"));
	remove(folder_path(&cache, VDSO));
	folder_release(&cache);
	fg_buf_release(&bytes);
}

/* perf keeps the kernel's code for programs in its folder, by its build id. */
static void the_vdso_is_read_from_the_folder_of_perf(void **data)
{
	check_vdso(*data, "[vdso]");
}

/* perf 7.3 inject -B writes the name of a temporary file, which is gone. */
static void the_vdso_may_have_the_name_of_a_file(void **data)
{
	check_vdso(*data, "/tmp/perf-vdso.so-oKfuMm");
}

#define TEXT UINT64_C(0xffffffff81000000)
#define MODULE UINT64_C(0xffffffffc0001000)
#define KERNEL UINT64_C(0xffffffffffffff80)

static void map_kernel(struct recording *r, uint64_t start, uint64_t len,
		       const char *name)
{
	recording_map(r, &(struct recorded_map){ .pid = UINT32_MAX,
						 .start = start,
						 .len = len,
						 .pgoff = start,
						 .name = name,
						 .misc = 1 });
}

static void kernel_at(struct recording *r, uint64_t address)
{
	const uint64_t chain[] = { KERNEL, address };

	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
}

#define KERNEL_ID "abcdefghijklmnopqrst"
#define LISTS "[kernel.kallsyms]"
#define LIST_FOLDER LISTS "/6162636465666768696a6b6c6d6e6f7071727374"
#define LIST LIST_FOLDER "/kallsyms"

/* The list is in perf's folder, by the kernel's build id. It has modules, too. */
static void the_kernels_symbols_are_read_from_the_folder_of_perf(void **data)
{
	struct recorded *s = *data;
	struct folder cache;

	folder_init(&cache);
	assert_int_equal(mkdir(folder_path(&cache, LISTS), 0700), 0);
	assert_int_equal(mkdir(folder_path(&cache, LIST_FOLDER), 0700), 0);
	put_build_id(&s->r, 1, "[kernel.kallsyms]", FG_STR(KERNEL_ID));
	map_kernel(&s->r, TEXT, 0x1000000, "[kernel.kallsyms]_text");
	map_kernel(&s->r, MODULE, 0x1000, "[snd]");
	kernel_at(&s->r, TEXT + 0x15);
	kernel_at(&s->r, TEXT + 0x3f);
	kernel_at(&s->r, MODULE + 0x11);
	check_first(s, cache.path, "[unknown]+0([kernel.kallsyms])");
	folder_write(&cache, LIST,
		     FG_STR("ffffffff81000000 T _text\n"
			    "ffffffff81000010 T do_it\n"
			    "ffffffff81000040 T last\n"
			    "ffffffffc0001000 t in_module\t[snd]\n"
			    "ffffffffc0001010 t more\t[snd]\n"));
	check_first(s, cache.path, "do_it+5([kernel.kallsyms])");
	assert_has(fg_buf_str(&s->text), "do_it+2f([kernel.kallsyms])");
	assert_has(fg_buf_str(&s->text), "more+1([snd])");
	folder_write(&cache, LIST, FG_STR(""));
	check_first(s, cache.path, "[unknown]+0([kernel.kallsyms])");
	remove(folder_path(&cache, LIST));
	remove(folder_path(&cache, LIST_FOLDER));
	folder_release(&cache);
}

int main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_command_line_is_passed_with_spaces),
		TEST(the_program_that_perf_started_is_passed),
		TEST(the_clock_is_passed_unless_it_is_cut),
		TEST(a_feature_without_a_number_is_ignored),
		TEST(an_update_names_the_event_with_its_id),
		TEST(an_attribute_that_is_too_short_is_damaged),
		TEST(a_recording_without_events_is_damaged),
		TEST(a_header_of_another_size_is_damaged),
		TEST(a_recording_of_perf_record_threads_is_refused),
		TEST(a_feature_beyond_the_end_is_cut),
		TEST(a_build_id_in_the_table_chooses_the_binary),
		TEST(a_build_id_that_is_cut_is_ignored),
		TEST(a_device_and_an_inode_are_not_a_build_id),
		TEST(the_vdso_is_read_from_the_folder_of_perf),
		TEST(the_vdso_may_have_the_name_of_a_file),
		TEST(the_kernels_symbols_are_read_from_the_folder_of_perf),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
