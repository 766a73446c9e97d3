/*
 * Tests of collapse/formats/perf/data/expand: functions of a recording that a compiler
 * inlined, whose names are long.
 */
#include <stdio.h>
#include <unistd.h>

#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define CACHE "tests/data/perfdata/cache"
#define LOOM CACHE "/.build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

/* What 167 bytes stand for is 61,000, and there is room for 64 MB of such names. */
#define LONG_NAME                                                              \
	"_Z1fI1aI30xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxS1_S1_S1_S1_S1_S1_S1_S1_S1_E" \
	"S0_IS2_S2_S2_S2_S2_S2_S2_S2_S2_S2_E"                                  \
	"S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_S3_Evv"

struct long_names {
	size_t plain, mangled, without_line;
};

static bool want_frames(void *data, const struct fg_perfdata_sample *sample)
{
	(void)data;
	(void)sample;
	return true;
}

static void hear_long_name(void *data, const struct fg_perfdata_frame *frame)
{
	struct long_names *heard = data;

	heard->plain += fg_str_has(frame->symbol, FG_STR("f<a<"));
	heard->mangled += fg_str_starts(frame->symbol, FG_STR("_Z1f"));
	heard->without_line += frame->symbol.len > 1000 && !frame->source.len;
}

static void hear_end(void *data)
{
	(void)data;
}

/* In as many files, and at as many addresses in them, as it takes. */
static void record_long_name(struct recording *r, struct folder *folder, uint32_t files)
{
	static const char knot[] = "_ZN4loom4knotEj";
	struct fg_buf image = FG_BUF_INIT;
	char first[1024], name[16];
	size_t at;

	assert_true(file_read(LOOM, &image));
	at = fg_str_find(fg_buf_str(&image), fg_str_of(knot, sizeof(knot)));
	assert_true(at < image.len);
	memcpy(image.ptr + at, LONG_NAME, sizeof(LONG_NAME));
	snprintf(first, sizeof(first), "%s",
		 folder_write(folder, "loom", fg_buf_str(&image)));
	for (uint32_t i = 0; i < files; i++) {
		snprintf(name, sizeof(name), "%u", i);
		assert_int_equal(link(first, folder_path(folder, name)), 0);
		recording_map(r,
			      &(struct recorded_map){ .pid = i + 5,
						      .start = 0x400000,
						      .len = 0x1000,
						      .name = folder_path(folder, name),
						      .misc = 2,
						      .prot = 5 });
		for (uint64_t pc = 0x4001a8; pc < 0x4001c2; pc++)
			recording_at(r, i + 5, pc);
		recording_exit(r, i + 5);
	}
	fg_buf_release(&image);
}

static void read_long_name(enum fg_perfdata_inlines inlines, uint32_t files,
			   struct long_names *heard, struct caught *caught)
{
	struct recording r;
	struct folder folder;
	struct fg_perfdata pd = {
		.fd = -1,
		.name = "perf.data",
		.debug_folder = "/nonexistent",
		.inlines = inlines,
		.diag = &caught->diag,
		.sink = { .sample = want_frames,
			  .frame = hear_long_name,
			  .end = hear_end,
			  .data = heard },
	};

	folder_init(&folder);
	recording_init(&r);
	record_long_name(&r, &folder, files);
	pd.head = recording_file(&r);
	assert_int_equal(fg_perfdata_read(&pd), 0);
	/* whether this program demangles or not */
	assert_true(!heard->plain || !heard->mangled);
	assert_int_equal(heard->plain + heard->mangled, files * 0x1a);
	recording_release(&r);
	folder_release(&folder);
}

static void test_a_long_name_is_demangled_once(void **data)
{
	struct long_names heard = { .plain = 0 };
	struct caught caught;

	(void)data;
	caught_init(&caught);
	read_long_name(FG_PERFDATA_INLINES, 50, &heard, &caught);
	assert_int_equal(heard.without_line, heard.plain);
	caught_release(&caught);
}

/* Each file has lines of its own. */
static void test_lines_of_a_long_name_have_an_end(void **data)
{
	struct long_names heard = { .plain = 0 };
	struct caught caught;

	(void)data;
	caught_init(&caught);
	read_long_name(FG_PERFDATA_LINES, 600, &heard, &caught);
	if (heard.plain) {
		assert_true(heard.without_line > 0);
		assert_true(heard.without_line < heard.plain);
		assert_has(fg_buf_str(&caught.text), " lines are not shown: ");
	}
	caught_release(&caught);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_long_name_is_demangled_once),
		cmocka_unit_test(test_lines_of_a_long_name_have_an_end),
	};

#ifdef FG_HAVE_LIBDW
	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	(void)tests;
	return 0;
#endif
}
