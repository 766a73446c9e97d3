/* Tests of collapse/symbols/locate.c: the debug file that a binary names. */
#include <stdio.h>
#include <stdlib.h>
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

/* The build id of WHOLE, which STRIPPED has, too. */
#define ID "ff031dcc6a9c96573d67c16a9ac7fe61e063cbea"

/* Copies a file into debuginfod's cache, whose path from the folder is `cache`. */
static void fetch(struct folder *folder, const char *cache, const char *name,
		  const char *from)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_buf_addf(&path, "%s/%s/%s", cache, ID, name);
	copy(folder, fg_buf_cstr(&path), from);
	fg_buf_release(&path);
}

/* A file of the cache that is empty says that no server has it. */
static void test_files_that_debuginfod_fetched_are_used(void **data)
{
	struct folder folder;

	(void)data;
	folder_init(&folder);
	setenv("DEBUGINFOD_CACHE_PATH", folder_path(&folder, "cache"), 1);
	copy(&folder, "loft", STRIPPED);
	folder_write(&folder, "cache/" ID "/debuginfo", FG_STR(""));
	check_symbol(&folder, "[unknown]+0");
	fetch(&folder, "cache", "debuginfo", ANOTHER);
	check_symbol(&folder, "[unknown]+0");
	fetch(&folder, "cache", "debuginfo", WHOLE);
	check_symbol(&folder, "leaf+c");
	setenv("DEBUGINFOD_CACHE_PATH", folder_path(&folder, "other"), 1);
	check_symbol(&folder, "[unknown]+0");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	folder_release(&folder);
}

/* The client has its cache in one of these places; the first one wins. */
static void test_the_cache_of_debuginfod_is_found(void **data)
{
	static const char *const caches[] = { ".cache/debuginfod_client",
					      "xdg/debuginfod_client",
					      ".debuginfod_client_cache" };
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");
	struct folder folder;

	(void)data;
	for (size_t i = 0; i < COUNT_OF(caches); i++) {
		folder_init(&folder);
		setenv("HOME", folder_path(&folder, "."), 1);
		unsetenv("XDG_CACHE_HOME");
		if (i)
			setenv("XDG_CACHE_HOME", folder_path(&folder, "xdg"), 1);
		copy(&folder, "loft", STRIPPED);
		fetch(&folder, caches[i], "debuginfo", WHOLE);
		check_symbol(&folder, "leaf+c");
		folder_release(&folder);
	}
	home ? setenv("HOME", home, 1) : unsetenv("HOME");
	xdg ? setenv("XDG_CACHE_HOME", xdg, 1) : unsetenv("XDG_CACHE_HOME");
}

/* The binary is gone, but the recording has its build id. */
static void test_a_binary_that_debuginfod_fetched_is_used(void **data)
{
	static const unsigned char id[] = { 0xff, 0x03, 0x1d, 0xcc, 0x6a, 0x9c, 0x96,
					    0x57, 0x3d, 0x67, 0xc1, 0x6a, 0x9a, 0xc7,
					    0xfe, 0x61, 0xe0, 0x63, 0xcb, 0xea };
	struct fg_buf text = FG_BUF_INIT;
	struct folder folder;
	struct recording r;

	(void)data;
	folder_init(&folder);
	setenv("DEBUGINFOD_CACHE_PATH", folder_path(&folder, "cache"), 1);
	fetch(&folder, "cache", "executable", WHOLE);
	record(&r, &folder, 1);
	recording_build_id(&r, 2, folder_path(&folder, "loft"),
			   fg_str_of((const char *)id, sizeof(id)));
	assert_int_equal(recording_read(recording_file(&r), NULL, &text, NULL), 0);
	assert_has(fg_buf_str(&text), "cpu-clock 100 leaf+c(");
	assert_false(fg_str_has(fg_buf_str(&text), FG_STR("prog:")));
	/* another file is not used */
	fetch(&folder, "cache", "executable", ANOTHER);
	fg_buf_clear(&text);
	assert_int_equal(recording_read(recording_file(&r), NULL, &text, NULL), 0);
	assert_has(fg_buf_str(&text), "/loft was not found");
	unsetenv("DEBUGINFOD_CACHE_PATH");
	recording_release(&r);
	fg_buf_release(&text);
	folder_release(&folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files_that_debuginfod_fetched_are_used),
		cmocka_unit_test(test_the_cache_of_debuginfod_is_found),
		cmocka_unit_test(test_a_binary_that_debuginfod_fetched_is_used),
		cmocka_unit_test(test_the_debug_link_is_followed),
		cmocka_unit_test(test_a_debug_link_with_a_path_is_ignored),
		cmocka_unit_test(test_a_warning_names_a_stripped_file),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
