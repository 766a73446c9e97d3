/* Tests of collapse/symbols: the functions that a compiler inlined at an address. */
#include <fcntl.h>
#include <unistd.h>

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>

#include "collapse/symbols/dwarf.h"
#include "collapse/symbols/elffile.h"
#endif
#include "collapse/symbols/inlines.h"
#include "collapse/symbols/ranges.h"
#include "collapse/symbols/trusted.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#define CACHE "tests/data/perfdata/cache"
#define LOOM CACHE "/.build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"

static void test_the_innermost_range_is_found(void **data)
{
	static const struct {
		uint64_t address;
		uint32_t of;
	} cases[] = {
		{ 9, FG_NO_RANGE }, { 10, 0 }, { 19, 0 },	    { 20, 1 },
		{ 24, 2 },	    { 25, 1 }, { 29, 1 },	    { 30, 0 },
		{ 40, 4 },	    { 49, 4 }, { 50, FG_NO_RANGE }, { 60, 5 },
		{ 70, 6 },	    { 85, 6 }, { 90, FG_NO_RANGE },
	};
	struct fg_ranges r = { NULL, 0, 0 };

	(void)data;
	fg_ranges_add(&r, 60, 80, 5);
	fg_ranges_add(&r, 22, 25, 2);
	fg_ranges_add(&r, 10, 50, 0);
	fg_ranges_add(&r, 20, 30, 1);
	fg_ranges_add(&r, 40, 50, 3); /* the next one is as large, and inside */
	fg_ranges_add(&r, 40, 50, 4);
	fg_ranges_add(&r, 65, 90, 6); /* overlaps [60, 80), but is not inside it */
	fg_ranges_add(&r, 15, 15, 7);
	fg_ranges_finish(&r);
	assert_int_equal(r.count, 7);
	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(fg_ranges_find(&r, cases[i].address), cases[i].of);
	fg_ranges_release(&r);
	assert_int_equal(fg_ranges_find(&r, 10), FG_NO_RANGE);
}

/*
 * Compares with a search through all ranges, for the one that starts last and, of
 * those, was added last.
 */
static void test_ranges_are_found_in_any_order(void **data)
{
	struct random random = { 15 };
	struct fg_range list[80];
	struct fg_ranges r = { NULL, 0, 0 };

	(void)data;
	for (uint32_t i = 0; i < COUNT_OF(list); i++) {
		list[i].start = random_below(&random, 500);
		list[i].end = list[i].start + 1 + random_below(&random, 90);
		fg_ranges_add(&r, list[i].start, list[i].end, i);
	}
	fg_ranges_finish(&r);
	for (uint64_t at = 0; at < 600; at++) {
		uint32_t want = FG_NO_RANGE;

		for (uint32_t i = 0; i < COUNT_OF(list); i++)
			if (list[i].start <= at && at < list[i].end &&
			    (want == FG_NO_RANGE || list[i].start >= list[want].start))
				want = i;
		assert_int_equal(fg_ranges_find(&r, at), want);
	}
	fg_ranges_release(&r);
}

/* Reads a sample with a chain of `count` entries in loom, with inlined functions. */
static int read_loom(const uint64_t *chain, size_t count, struct fg_buf *text)
{
	struct recording r;
	struct fg_perfdata pd = {
		.fd = -1,
		.debug_folder = CACHE,
		.debug = FG_PERFDATA_INLINES,
	};
	int status;

	recording_init(&r);
	recording_map(&r, &(struct recorded_map){
				  .pid = 5,
				  .start = 0x400000,
				  .len = 0x1000,
				  .name = "/nowhere/loom",
				  .misc = 2,
				  .prot = 5,
				  .build_id = FG_STR("\xe5\x8d\xf6\x0a\xaa\x49\xaf\x81"
						     "\x45\x8c\x51\xd1\x80\x9d\x28\xa5"
						     "\x4a\xef\x66\x0c") });
	recording_sample(&r, 5, 5, chain, count);
	pd.head = recording_file(&r);
	status = recording_read_from(&pd, text);
	recording_release(&r);
	return status;
}

#ifdef FG_HAVE_LIBDW
static struct fg_elf *open_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fg_elf *e;

	assert_true(fd >= 0);
	e = fg_elf_open(fd);
	assert_non_null(e);
	return e;
}

static void check_at(struct fg_inlines *in, uint64_t address, const char *want)
{
	struct fg_inlined list[FG_INLINES_MAX];
	size_t count = fg_inlines_at(in, address, FG_INLINES_LINES, list);
	struct fg_buf got = FG_BUF_INIT;

	for (size_t i = 0; i < count; i++)
		fg_buf_addf(&got, "%s%s %s:%d", i ? ", " : "", list[i].name,
			    list[i].file, list[i].line);
	check_str(fg_buf_str(&got), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_release(&got);
}

static void check_loom(struct fg_elf *e)
{
	struct fg_inlines *in = fg_inlines_open(e, NULL);

	assert_non_null(in);
	check_at(in, 0x4001bd,
		 "_ZN4loom4knotEj loom.cpp:13, _ZN4loom3rowIjEEvT_ loom.cpp:20, "
		 "_ZN4loom5Frame5weaveEj loom.cpp:27");
	check_at(in, 0x40020d, "operator() loom.cpp:38, work loom.cpp:42");
	check_at(in, 0x400241, "start_here loom.cpp:48");
	check_at(in, 0x400000, "");
	check_at(in, 0, "");
	check_at(in, UINT64_MAX, "");
	fg_inlines_close(in);
}

static void test_paths_start_where_the_compiler_ran(void **data)
{
	static const struct {
		const char *folder, *file, *path;
	} rows[] = {
		{ "/src", "/src/a.c", "a.c" },
		{ "/src/", "/src/lib/a.c", "lib/a.c" },
		{ "/src/app", "/src/app/../lib/a.c", "/src/lib/a.c" },
		{ "/src/app", "/src/app/./x/../a.c", "a.c" },
		{ "/src/app", "/src/apple/a.c", "/src/apple/a.c" },
		{ "/src/app", "../lib/a.c", "/src/lib/a.c" },
		{ "/src/app", "a.c", "a.c" },
		{ "/", "/a.c", "/a.c" },
		{ "/../x", "/x/a.c", "a.c" },
		{ ".", "./src/a.c", "src/a.c" },
		{ "", "src/a.c", "src/a.c" },
		{ NULL, "../../x/../a.c", "../../a.c" },
		{ NULL, "/usr//include/../lib/a.h", "/usr/lib/a.h" },
		{ NULL, "../..", "../.." },
		{ "/src", NULL, "" },
	};

	(void)data;
	for (size_t i = 0; i < FG_COUNT_OF(rows); i++) {
		const struct fg_inlined f = { .file = rows[i].file,
					      .folder = rows[i].folder };
		struct fg_buf b = FG_BUF_INIT;

		fg_buf_addf(&b, "before ");
		check_str(fg_inlined_path(&f, &b), fg_str_from(rows[i].path), __FILE__,
			  __LINE__);
		assert_true(fg_str_starts(fg_buf_str(&b), FG_STR("before ")));
		fg_buf_release(&b);
	}
}

static void test_a_path_is_found(void **data)
{
	struct fg_elf *e = open_elf(LOOM);
	struct fg_inlines *in = fg_inlines_open(e, NULL);
	struct fg_inlined list[FG_INLINES_MAX];
	struct fg_buf b = FG_BUF_INIT;

	(void)data;
	assert_int_equal(fg_inlines_at(in, 0x400241, FG_INLINES_PATHS, list), 1);
	assert_string_equal(list[0].folder, "/tmp/flamepipe-data/perfdata");
	check_str(fg_inlined_path(&list[0], &b), FG_STR("loom.cpp"), __FILE__,
		  __LINE__);
	assert_int_equal(list[0].line, 48);
	fg_buf_release(&b);
	fg_inlines_close(in);
	fg_elf_close(e);
}

static void test_functions_at_an_address_are_found(void **data)
{
	struct fg_elf *e = open_elf(LOOM);

	(void)data;
	assert_true(fg_elf_has_debug(e));
	assert_int_equal(fg_elf_shared_id(e).len, 0);
	check_loom(e);
	fg_elf_close(e);
}

/* clang writes no DW_AT_sibling, so only the end of its children ends an entry. */
static void test_a_tree_without_siblings_is_read(void **data)
{
	struct fg_elf *e = open_elf(LOOM);
	struct fg_elf_section codes = fg_elf_section(e, ".debug_abbrev");
	struct fg_buf image = FG_BUF_INIT;
	size_t found = 0;
	char *at;

	(void)data;
	assert_true(file_read(LOOM, &image));
	at = image.ptr + codes.header.sh_offset;
	for (size_t i = 0; i + 1 < codes.header.sh_size; i++)
		if (at[i] == DW_AT_sibling && at[i + 1] == DW_FORM_ref4) {
			at[i] = DW_AT_import;
			found++;
		}
	assert_true(found > 0);
	fg_elf_close(e);
	e = fg_elf_open_image(fg_buf_str(&image));
	check_loom(e);
	fg_elf_close(e);
	fg_buf_release(&image);
}

static void test_offsets_become_addresses(void **data)
{
	struct fg_elf *e = open_elf(LOOM);
	uint64_t address = 0;

	(void)data;
	assert_true(fg_elf_address(e, 0x1bd, &address));
	assert_int_equal(address, 0x4001bd);
	assert_false(fg_elf_address(e, 0x100000, &address));
	fg_elf_close(e);
}

/*
 * The last instruction of inlined code can be a call, which returns behind that code.
 */
static void test_a_return_address_belongs_to_its_call(void **data)
{
	static const uint64_t chain[] = { (uint64_t)-512, 0x4001bd, 0x40020e,
					  0x400242 };
	static const uint64_t leaf[] = { (uint64_t)-512, 0x40020e };
	struct fg_buf text = FG_BUF_INIT;

	(void)data;
	assert_int_equal(read_loom(chain, COUNT_OF(chain), &text), 0);
	assert_has(fg_buf_str(&text),
		   " operator()+1e(/nowhere/loom) work+1e(/nowhere/loom) "
		   "start_here+12(/nowhere/loom)\n");
	fg_buf_clear(&text);
	assert_int_equal(read_loom(leaf, COUNT_OF(leaf), &text), 0);
	assert_has(fg_buf_str(&text), "100 work+1e(/nowhere/loom)\n");
	fg_buf_release(&text);
}

/*
 * Looks up the functions in all of loom's code. Returns false if its debug information
 * cannot be opened.
 */
static bool look_up_all(struct fg_str image)
{
	struct fg_inlined list[FG_INLINES_MAX];
	struct fg_elf *e = fg_elf_open_image(image);
	struct fg_inlines *in = e ? fg_inlines_open(e, NULL) : NULL;

	if (in)
		for (uint64_t at = 0x400180; at < 0x400250; at += 16)
			fg_inlines_at(in, at, FG_INLINES_LINES, list);
	fg_inlines_close(in);
	fg_elf_close(e);
	return in;
}

/* We change one byte after the other; nothing may crash. */
static void test_damaged_debug_information_does_no_harm(void **data)
{
	struct fg_buf image = FG_BUF_INIT;

	(void)data;
	assert_true(file_read(LOOM, &image));
	for (size_t at = 0; at < image.len; at += 3) {
		image.ptr[at] ^= (char)(1 << at % 8);
		look_up_all(fg_buf_str(&image));
		image.ptr[at] ^= (char)(1 << at % 8);
	}
	fg_buf_release(&image);
}

static void test_sections_of_strings_must_end_in_a_nul(void **data)
{
	static const char *const sections[] = { ".debug_str", ".debug_line_str" };
	struct fg_elf *e = open_elf(LOOM);
	struct fg_buf image = FG_BUF_INIT;

	(void)data;
	assert_true(file_read(LOOM, &image));
	for (size_t i = 0; i < COUNT_OF(sections); i++) {
		struct fg_elf_section s = fg_elf_section(e, sections[i]);
		char *last = image.ptr + s.header.sh_offset + s.header.sh_size - 1;

		assert_non_null(s.scn);
		assert_int_equal(*last, 0);
		*last = 'x';
		assert_false(look_up_all(fg_buf_str(&image)));
		*last = 0;
	}
	assert_true(look_up_all(fg_buf_str(&image)));
	fg_elf_close(e);
	fg_buf_release(&image);
}

/* Checks the name of the unit, which ends in a NUL; NULL if it does not. */
static void check_unit_name(struct fg_str image, const char *want)
{
	struct fg_elf *e = fg_elf_open_image(image);
	Dwarf *dwarf = dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
	Dwarf_Attribute name;
	Dwarf_Die unit;
	const char *got;

	assert_non_null(dwarf_offdie(dwarf, 12, &unit));
	assert_non_null(dwarf_attr(&unit, DW_AT_name, &name));
	assert_int_equal(dwarf_whatform(&name), DW_FORM_string);
	got = fg_dwarf_text(&name);
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
	dwarf_end(dwarf);
	fg_elf_close(e);
}

static void test_a_string_in_a_tree_must_end_in_a_nul(void **data)
{
	enum { NAME = 12 + 1 + 4 + 1 }; /* header, code, producer, language */
	struct fg_elf *e = open_elf(LOOM);
	struct fg_elf_section tree = fg_elf_section(e, ".debug_info");
	struct fg_elf_section codes = fg_elf_section(e, ".debug_abbrev");
	struct fg_buf image = FG_BUF_INIT;
	char *text, *codes_at;
	size_t form, len = (size_t)tree.header.sh_size - NAME;

	(void)data;
	assert_true(file_read(LOOM, &image));
	codes_at = image.ptr + codes.header.sh_offset;
	form = fg_str_find(fg_str_of(codes_at, (size_t)codes.header.sh_size),
			   FG_STR("\3\37")); /* DW_AT_name, DW_FORM_line_strp */
	assert_true(form < codes.header.sh_size);
	codes_at[form + 1] = DW_FORM_string;
	text = image.ptr + tree.header.sh_offset + NAME;
	memset(text, 'x', len);
	check_unit_name(fg_buf_str(&image), NULL);
	text[1] = 0;
	check_unit_name(fg_buf_str(&image), "x");
	fg_elf_close(e);
	fg_buf_release(&image);
}
#else
static void test_without_libdw_that_is_said(void **data)
{
	static const uint64_t chain[] = { (uint64_t)-512, 0x4001bd };
	struct fg_buf text = FG_BUF_INIT;

	(void)data;
	assert_int_equal(read_loom(chain, COUNT_OF(chain), &text), -1);
#ifdef FG_HAVE_LIBELF
	assert_has(fg_buf_str(&text),
		   "this program is built without libdw, so it cannot find inlined "
		   "functions in a recording: run perf script --no-inline -i perf.data "
		   "| collapse-perf\n");
#endif
	fg_buf_release(&text);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_innermost_range_is_found),
		cmocka_unit_test(test_ranges_are_found_in_any_order),
#ifdef FG_HAVE_LIBDW
		cmocka_unit_test(test_paths_start_where_the_compiler_ran),
		cmocka_unit_test(test_a_path_is_found),
		cmocka_unit_test(test_functions_at_an_address_are_found),
		cmocka_unit_test(test_a_tree_without_siblings_is_read),
		cmocka_unit_test(test_offsets_become_addresses),
		cmocka_unit_test(test_a_return_address_belongs_to_its_call),
		cmocka_unit_test(test_damaged_debug_information_does_no_harm),
		cmocka_unit_test(test_sections_of_strings_must_end_in_a_nul),
		cmocka_unit_test(test_a_string_in_a_tree_must_end_in_a_nul),
#else
		cmocka_unit_test(test_without_libdw_that_is_said),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
