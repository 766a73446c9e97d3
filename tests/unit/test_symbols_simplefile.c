/* Tests of collapse/symbols/simplefile.c: symbols in the recording itself. */
#include "collapse/symbols/simplefile.h"
#include "collapse/symbols/elf.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

enum { KERNEL, MODULE, ELF, DEX };

#define NONE UINT64_MAX
#define KERNELS UINT64_C(0xffffffff81000000)
#define LOADED UINT64_C(0xffffffffc0001000)

struct file {
	const char *path;
	uint32_t type;
	uint64_t first, offset; /* NONE: not recorded */
};

struct row {
	uint64_t start;
	uint32_t size;
	const char *name;
};

/* ---- files in both forms, fields and messages */

static void put_text(struct fg_buf *b, const char *text)
{
	fg_buf_add(b, text, strlen(text) + 1);
}

static void put_fields(struct fg_buf *b, const struct file *file,
		       const struct row *rows, size_t count)
{
	put_text(b, file->path);
	put32(b, file->type);
	put64(b, file->first);
	put32(b, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		put64(b, rows[i].start);
		put32(b, rows[i].size);
		put_text(b, rows[i].name);
	}
	if (file->type == DEX) {
		put32(b, 1);
		put64(b, 0);
	}
	if (file->offset != NONE)
		put64(b, file->offset);
}

static void put_varint(struct fg_buf *b, uint64_t n)
{
	for (; n > 127; n >>= 7)
		fg_buf_add_char(b, (char)((n & 127) | 128));
	fg_buf_add_char(b, (char)n);
}

static void put_number(struct fg_buf *b, unsigned field, uint64_t n)
{
	put_varint(b, field << 3);
	put_varint(b, n);
}

static void put_block(struct fg_buf *b, unsigned field, struct fg_str bytes)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, bytes.len);
	fg_buf_add_str(b, bytes);
}

static void put_message(struct fg_buf *b, const struct file *file,
			const struct row *rows, size_t count)
{
	struct fg_buf inner = FG_BUF_INIT;

	put_number(b, 99, 1); /* from a later version */
	put_block(b, 1, fg_str_from(file->path));
	put_number(b, 2, file->type);
	put_number(b, 3, file->first);
	for (size_t i = 0; i < count; i++) {
		fg_buf_clear(&inner);
		put_number(&inner, 1, rows[i].start);
		put_number(&inner, 2, rows[i].size);
		put_block(&inner, 3, fg_str_from(rows[i].name));
		put_block(b, 4, fg_buf_str(&inner));
	}
	fg_buf_clear(&inner);
	if (file->offset != NONE) {
		put_number(&inner, 1, file->offset);
		put_block(b, file->type == MODULE ? 7 : 6, fg_buf_str(&inner));
	}
	fg_buf_release(&inner);
}

/* Adds a file to the section of its form. */
static void add_file(struct recording *r, enum fg_simple_form form,
		     const struct file *file, const struct row *rows, size_t count)
{
	struct fg_buf bytes = FG_BUF_INIT;

	(form == FG_SIMPLE_FIELDS ? put_fields : put_message)(&bytes, file, rows,
							      count);
	put32(&r->files[form], (uint32_t)bytes.len);
	fg_buf_add_str(&r->files[form], fg_buf_str(&bytes));
	fg_buf_release(&bytes);
}

/* ---- mappings and samples */

static void map(struct recording *r, uint64_t start, uint64_t pgoff, uint32_t prot,
		const char *name)
{
	recording_map(r, &(struct recorded_map){ .pid = 5,
						 .start = start,
						 .len = 0x1000,
						 .pgoff = pgoff,
						 .name = name,
						 .misc = 2,
						 .prot = prot });
}

static void map_kernel(struct recording *r, uint64_t start, const char *name)
{
	recording_map(r, &(struct recorded_map){ .pid = UINT32_MAX,
						 .start = start,
						 .len = 0x4000,
						 .name = name,
						 .misc = 1 });
}

static void kernel_at(struct recording *r, uint64_t address)
{
	const uint64_t chain[] = { UINT64_C(0xffffffffffffff80), address };

	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
}

/* Checks the frame of each sample, then the messages; leaves out comms and times. */
static void check(struct recorded *s, const char *want)
{
	struct fg_buf read = FG_BUF_INIT;
	struct fg_str rest;

	fg_buf_clear(&s->text);
	assert_int_equal(recording_read(recording_file(&s->r), NULL, &read, NULL), 0);
	for (rest = fg_buf_str(&read); rest.len;) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		if (fg_str_starts(line, FG_STR(":5 ")))
			line = fg_str_from_pos(line,
					       fg_str_find(line, FG_STR(" 100 ")) + 5);
		fg_buf_add_str(&s->text, line);
		fg_buf_add_char(&s->text, '\n');
	}
	check_str(fg_buf_str(&s->text), fg_str_from(want), __FILE__, __LINE__);
	fg_buf_release(&read);
}

static void start_again(struct recorded *s)
{
	recording_release(&s->r);
	recording_init(&s->r);
}

#define MISSING(file, samples)   \
	"prog: perf.data: " file \
	" was not found, so its functions have no names (" samples " samples)\n"

static void test_a_library_has_the_place_of_its_code(void **data)
{
	static const struct file file = { "/no/lib.so", ELF, 0x21000, 0x1000 };
	static const struct row rows[] = { { 0x21200, 0x10, "later" },
					   { 0x21100, 0x40, "_ZN4mill4turnEv" },
					   { 0x21180, 0, "empty" },
					   { 0x21190, 0x10, "" } };
	struct recorded *s = *data;

	for (int form = 0; form < FG_SIMPLE_FORMS; form++) {
		start_again(s);
		add_file(&s->r, (enum fg_simple_form)form, &file, rows, COUNT_OF(rows));
		map(&s->r, 0x7000000, 0, 1, "/no/lib.so");
		map(&s->r, 0x7001000, 0x1000, 5, "/no/lib.so");
		recording_at(&s->r, 5, 0x7001110);
		recording_at(&s->r, 5, 0x700120f);
		check(s, "mill::turn+10(/no/lib.so)\nlater+f(/no/lib.so)\n");
		recording_at(&s->r, 5, 0x7001210);
		recording_at(&s->r, 5, 0x7001180);
		recording_at(&s->r, 5, 0x7001190);
		check(s, "mill::turn+10(/no/lib.so)\nlater+f(/no/lib.so)\n"
			 "[unknown]+0(/no/lib.so)\n[unknown]+0(/no/lib.so)\n"
			 "[unknown]+0(/no/lib.so)\n" MISSING("/no/lib.so", "3"));
	}
}

/* Then the first executable mapping is the start of its code. */
static void test_older_versions_do_not_record_the_place_of_code(void **data)
{
	static const struct file file = { "/no/lib.so", ELF, 0x21000, NONE };
	static const struct row rows[] = { { 0x21100, 0x10, "turn" } };
	struct recorded *s = *data;

	add_file(&s->r, FG_SIMPLE_FIELDS, &file, rows, COUNT_OF(rows));
	map(&s->r, 0x7000000, 0, 1, "/no/lib.so");
	map(&s->r, 0x7001000, 0x3000, 5, "/no/lib.so");
	map(&s->r, 0x7002000, 0x4000, 5, "/no/lib.so");
	recording_at(&s->r, 5, 0x7001104);
	check(s, "turn+4(/no/lib.so)\n");
}

static void test_bytecode_is_at_offsets_in_its_file(void **data)
{
	static const struct file file = { "/no/a.jar", DEX, 0, NONE };
	static const struct row rows[] = { { 0x500, 0x10, "com.mill.Main.run" } };
	struct recorded *s = *data;

	for (int form = 0; form < FG_SIMPLE_FORMS; form++) {
		start_again(s);
		add_file(&s->r, (enum fg_simple_form)form, &file, rows, 1);
		map(&s->r, 0x7000000, 0x400, 1, "/no/a.jar");
		recording_at(&s->r, 5, 0x7000108);
		check(s, "com.mill.Main.run+8(/no/a.jar)\n");
	}
}

/* At different times, two functions may have the same address in a cache. */
static void test_compiled_code_has_addresses_in_memory(void **data)
{
	static const struct row one[] = { { 0x9000010, 0x10, "one" } };
	static const struct row two[] = { { 0x9000010, 0x10, "two" } };
	static const char first[] = "/no/perf.data_jit_app_cache:0-8";
	static const char second[] = "perf.data_jit_app_cache:8-16";
	static const char third[] = "/no/odd:8-16";
	struct recorded *s = *data;

	add_file(&s->r, FG_SIMPLE_FIELDS, &(struct file){ first, ELF, 0, 0x40 }, one,
		 1);
	add_file(&s->r, FG_SIMPLE_FIELDS, &(struct file){ second, ELF, 0, NONE }, two,
		 1);
	map(&s->r, 0x9000000, 0x300, 0x4000, first);
	recording_at(&s->r, 5, 0x9000018);
	map(&s->r, 0x9000000, 0x700, 0x4000, second);
	recording_at(&s->r, 5, 0x9000018);
	map(&s->r, 0x9000000, 0, 0x4000, third);
	recording_at(&s->r, 5, 0x9000018);
	map(&s->r, 0x9000000, 0, 0x4000, "/memfd:jit_zygote_cache");
	recording_at(&s->r, 5, 0x9000018);
	check(s, "one+8([JIT app cache])\ntwo+8([JIT app cache])\n"
		 "[unknown]+0(/no/odd:8-16)\n[unknown]+0([JIT zygote cache])\n");
}

static void test_the_kernel_has_names_that_its_modules_lack(void **data)
{
	static const struct file kernel = { "[kernel.kallsyms]", KERNEL, 0, NONE };
	static const struct file module = { "/no/wlan.ko", MODULE, 0x40, 0x1000 };
	static const struct row kernels[] = { { KERNELS + 0x100, 0x40, "vfs_read" },
					      { LOADED + 0x2000, 0x40,
						"probe [wlan]" } };
	static const struct row modules[] = { { 0x80, 0x20, "poll" } };
	struct recorded *s = *data;

	for (int form = 0; form < FG_SIMPLE_FORMS; form++) {
		start_again(s);
		add_file(&s->r, (enum fg_simple_form)form, &kernel, kernels, 2);
		add_file(&s->r, (enum fg_simple_form)form, &module, modules, 1);
		map_kernel(&s->r, KERNELS, "[kernel.kallsyms]");
		map_kernel(&s->r, LOADED, "/no/wlan.ko");
		kernel_at(&s->r, KERNELS + 0x110);
		kernel_at(&s->r, LOADED + 0x1050);
		kernel_at(&s->r, LOADED + 0x2010);
		check(s, "vfs_read+10([kernel.kallsyms])\npoll+10([wlan])\n"
			 "probe+10([wlan])\n");
	}
}

static void test_a_later_file_with_a_path_replaces_the_symbols(void **data)
{
	static const struct file file = { "/no/lib.so", ELF, 0, 0 };
	static const struct row one[] = { { 0x100, 0x10, "one" } };
	static const struct row two[] = { { 0x100, 0x10, "two" },
					  { 0x100, 0x10, "again" } };
	struct recorded *s = *data;

	add_file(&s->r, FG_SIMPLE_FIELDS, &file, one, 1);
	add_file(&s->r, FG_SIMPLE_FIELDS, &file, two, 2);
	add_file(&s->r, FG_SIMPLE_FIELDS, &file, NULL, 0);
	map(&s->r, 0x7000000, 0, 5, "/no/lib.so");
	recording_at(&s->r, 5, 0x7000100);
	check(s, "two+0(/no/lib.so)\n");
}

#define DAMAGED(n) \
	"prog: perf.data: damaged: " n " records are too short for their fields\n"

/* We keep the files before the end, and read nothing beyond it. */
static void test_a_section_may_end_anywhere(void **data)
{
	static const struct file file = { "/no/lib.so", ELF, 0, 0 };
	static const struct row rows[] = { { 0x100, 0x10, "one" },
					   { 0x200, 0x10, "two" } };
	struct recorded *s = *data;

	for (int form = 0; form < FG_SIMPLE_FORMS; form++) {
		struct fg_buf *section = &s->r.files[form];
		size_t whole;

		start_again(s);
		add_file(&s->r, (enum fg_simple_form)form, &file, rows, 2);
		whole = section->len;
		add_file(&s->r, (enum fg_simple_form)form, &file, rows, 2);
		map(&s->r, 0x7000000, 0, 5, "/no/lib.so");
		recording_at(&s->r, 5, 0x7000200);
		while (--section->len > whole)
			check(s, "two+0(/no/lib.so)\n" DAMAGED("1"));
		check(s, "two+0(/no/lib.so)\n");
	}
}

/* The number of symbols, or the size of one, is too large for the file. */
static void test_numbers_that_are_too_large_end_with_the_file(void **data)
{
	static const struct file file = { "/no/lib.so", ELF, 0, 0 };
	static const struct row rows[] = { { 0x100, 0x10, "one" } };
	struct recorded *s = *data;
	struct fg_buf *fields = &s->r.files[FG_SIMPLE_FIELDS];
	struct fg_buf *messages = &s->r.files[FG_SIMPLE_MESSAGES];
	static const char more[] = "\x22\x80\x01zz"; /* 128 bytes of a symbol */
	uint32_t size;

	add_file(&s->r, FG_SIMPLE_FIELDS, &file, rows, 1);
	memset(fields->ptr + 4 + sizeof("/no/lib.so") + 12, 0xff, 4);
	map(&s->r, 0x7000000, 0, 5, "/no/lib.so");
	recording_at(&s->r, 5, 0x7000100);
	check(s, "one+0(/no/lib.so)\n" DAMAGED("1"));
	fg_buf_clear(fields);

	add_file(&s->r, FG_SIMPLE_MESSAGES, &file, rows, 1);
	fg_buf_add(messages, more, sizeof(more) - 1);
	size = (uint32_t)(messages->len - sizeof(size));
	memcpy(messages->ptr, &size, sizeof(size));
	check(s, "one+0(/no/lib.so)\n" DAMAGED("1"));
	fg_buf_clear(messages);

	put32(fields, 3);
	fg_buf_add_str(fields, FG_STR("/no"));
	put32(fields, 0);
	check(s, "[unknown]+0(/no/lib.so)\n" DAMAGED("2") MISSING("/no/lib.so", "1"));
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, recorded_set_up, recorded_tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(test_a_library_has_the_place_of_its_code),
		TEST(test_older_versions_do_not_record_the_place_of_code),
		TEST(test_bytecode_is_at_offsets_in_its_file),
		TEST(test_compiled_code_has_addresses_in_memory),
		TEST(test_the_kernel_has_names_that_its_modules_lack),
		TEST(test_a_later_file_with_a_path_replaces_the_symbols),
		TEST(test_a_section_may_end_anywhere),
		TEST(test_numbers_that_are_too_large_end_with_the_file),
	};

	if (!fg_elf_is_here())
		return skip_without("libelf");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
