/* Tests of collapse/symbols/locate.c: the debug file that a binary names. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/elf.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

/* A program with symbols, and without them but with the name of the first. */
#define WHOLE "tests/data/perfdata/loft-arm64"
#define STRIPPED "tests/data/perfdata/loft-stripped"
#define ANOTHER "tests/data/perfdata/gears-ibt.so"

static void copy(struct folder *folder, const char *name, const char *from)
{
	struct fg_buf bytes = FG_BUF_INIT;

	assert_true(file_read(from, &bytes));
	folder_write(folder, name, fg_buf_str(&bytes));
	fg_buf_release(&bytes);
}

/* Records so many samples in a function of the program "loft" in the folder. */
static void record(struct recording *r, struct folder *folder, unsigned samples)
{
	static const uint64_t chain[] = { UINT64_C(0xfffffffffffffe00), 0x400150 };

	recording_init(r);
	recording_map(r, &(struct recorded_map){ .pid = 5,
						 .start = 0x400000,
						 .len = 0x1000,
						 .name = folder_path(folder, "loft"),
						 .misc = 2,
						 .prot = 5 });
	for (unsigned i = 0; i < samples; i++)
		recording_sample(r, 5, 5, chain, COUNT_OF(chain));
}

/* Checks the name of a function of the stripped program in the folder. */
static void check_symbol(struct folder *folder, const char *want)
{
	struct fg_buf text = FG_BUF_INIT, line = FG_BUF_INIT;
	struct recording r;

	record(&r, folder, 1);
	assert_int_equal(recording_read(recording_file(&r), NULL, &text, NULL), 0);
	fg_buf_addf(&line, ":5 5/5 2000 cpu-clock 100 %s(%s)\n", want,
		    folder_path(folder, "loft"));
	check_str(fg_buf_str(&text), fg_buf_str(&line), __FILE__, __LINE__);
	recording_release(&r);
	fg_buf_release(&text);
	fg_buf_release(&line);
}

/* Returns true if a warning says that a file with so many samples has no symbols. */
static bool warns_of_stripped(const char *file, unsigned samples)
{
	struct fg_buf text = FG_BUF_INIT;
	struct folder folder;
	struct recording r;
	bool warns;

	folder_init(&folder);
	copy(&folder, "loft", file);
	record(&r, &folder, samples);
	assert_int_equal(recording_read(recording_file(&r), NULL, &text, NULL), 0);
	warns = fg_str_has(
		fg_buf_str(&text),
		FG_STR("/loft has no symbols, so 100 % of the samples are in "
		       "functions without names: do not strip it"));
	recording_release(&r);
	fg_buf_release(&text);
	folder_release(&folder);
	return warns;
}

static void test_a_warning_names_a_stripped_file(void **data)
{
	(void)data;
	assert_true(warns_of_stripped(STRIPPED, 10));
	assert_false(warns_of_stripped(STRIPPED, 9));
	assert_false(warns_of_stripped(WHOLE, 10));
}

static void test_the_debug_link_is_followed(void **data)
{
	struct folder folder;

	(void)data;
	folder_init(&folder);
	copy(&folder, "loft", STRIPPED);
	check_symbol(&folder, "[unknown]+0");
	copy(&folder, "loft-arm64", ANOTHER);
	check_symbol(&folder, "[unknown]+0");
	copy(&folder, "loft-arm64", WHOLE);
	check_symbol(&folder, "leaf+c");
	remove(folder_path(&folder, "loft-arm64"));
	assert_int_equal(mkdir(folder_path(&folder, ".debug"), 0700), 0);
	copy(&folder, ".debug/loft-arm64", WHOLE);
	check_symbol(&folder, "leaf+c");
	remove(folder_path(&folder, ".debug/loft-arm64"));
	folder_release(&folder);
}

/* A path could lead anywhere. "sub/loft-a" has the length of the name. */
static void test_a_debug_link_with_a_path_is_ignored(void **data)
{
	struct fg_str link = FG_STR("loft-arm64"), path = FG_STR("sub/loft-a");
	struct fg_buf bytes = FG_BUF_INIT;
	struct folder folder;
	size_t at;

	(void)data;
	folder_init(&folder);
	assert_true(file_read(STRIPPED, &bytes));
	at = fg_str_find(fg_buf_str(&bytes), link);
	assert_true(at < bytes.len);
	memcpy(bytes.ptr + at, path.ptr, path.len);
	folder_write(&folder, "loft", fg_buf_str(&bytes));
	assert_int_equal(mkdir(folder_path(&folder, "sub"), 0700), 0);
	copy(&folder, "sub/loft-a", WHOLE);
	check_symbol(&folder, "[unknown]+0");
	remove(folder_path(&folder, "sub/loft-a"));
	fg_buf_release(&bytes);
	folder_release(&folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_debug_link_is_followed),
		cmocka_unit_test(test_a_debug_link_with_a_path_is_ignored),
		cmocka_unit_test(test_a_warning_names_a_stripped_file),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
