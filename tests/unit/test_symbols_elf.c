/* Tests of collapse/symbols: ELF files that are damaged, changed or hostile. */
#define _GNU_SOURCE /* for SEEK_HOLE */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "collapse/symbols/demangle.h"
#include "collapse/symbols/elfsymbols.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
#include "collapse/symbols/cfiimage.h"
#endif

#define FOLDER "tests/data/perfdata/cache/.build-id/e1/"
#define MILL FOLDER "9706c68de223a735e11c3cdd39552b95439eca/elf"

#ifdef FG_HAVE_LIBELF
static struct fg_elf *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fg_elf *e;

	assert_true(fd >= 0);
	e = fg_elf_open(fd);
	assert_non_null(e);
	return e;
}

/* Reads a recording with one sample, in the file at `path`. */
static void read_mapped(struct recording *r, const char *path, struct fg_str id,
			struct fg_buf *text)
{
	static const uint64_t chain[] = { (uint64_t)-512, 0x400217 };

	recording_init(r);
	recording_map(r, &(struct recorded_map){ .pid = 5,
						 .start = 0x400000,
						 .len = 0x1000,
						 .name = path,
						 .misc = 2,
						 .prot = 5,
						 .build_id = id });
	recording_sample(r, 5, 5, chain, COUNT_OF(chain));
	assert_int_equal(recording_read(recording_file(r), NULL, text, NULL), 0);
	recording_release(r);
}

/* A linker may write a program again while we read it. */
static void test_a_file_may_be_cut_while_we_read_it(void **data)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct folder folder;
	struct fg_symtab t;
	struct fg_elf *e;
	const char *path;

	(void)data;
	folder_init(&folder);
	assert_true(file_read(MILL, &bytes));
	path = folder_write(&folder, "mill", fg_buf_str(&bytes));
	e = open_file(path);
	assert_int_equal(truncate(path, 0), 0);
	fg_symtab_init(&t, FG_SYMTAB_ELF);
	fg_elf_symbols(e, e, &t);
	fg_symtab_finish(&t);
	assert_int_equal(t.count, 0);
	fg_symtab_release(&t);
	fg_elf_close(e);
	folder_release(&folder);
	fg_buf_release(&bytes);
}

#ifdef FG_HAVE_LIBDW
/* Only offsets in a segment are mapped, though a mapping starts with its page. */
static void test_offsets_become_addresses_by_segments(void **data)
{
	struct fg_elf *e = open_file(MILL);
	struct fg_cfi_image image;
	uint64_t address = 0;

	(void)data;
	assert_int_equal(fg_cfi_image_open(&image, e, FG_CFI_RULES_ALL), 0);
	assert_true(fg_cfi_image_address(&image, 0x260, &address));
	assert_int_equal(address, 0x400260);
	assert_true(fg_cfi_image_address(&image, 0x263, &address));
	assert_int_equal(address, 0x401263);
	assert_false(fg_cfi_image_address(&image, 0x264, &address));
	fg_cfi_image_close(&image);
	fg_elf_close(e);
}
#endif

/* Adds the header of an ELF file. Section `names` has the names of the others. */
static void put_header(struct fg_buf *b, uint16_t sections, uint16_t names)
{
	fg_buf_add(b, "\177ELF\2\1\1\0\0\0\0\0\0\0\0", 16);
	b->ptr[5] = is_little_endian() ? 1 : 2;
	put16(b, 3);
	put16(b, 62);
	put32(b, 1);
	put64(b, 0);
	put64(b, 0);
	put64(b, 64); /* place of the sections */
	put32(b, 0);
	put16(b, 64);
	put16(b, 0);
	put16(b, 0);
	put16(b, 64);
	put16(b, sections);
	put16(b, names);
}

/* Adds a file with a packed section whose header says that it unpacks to `size`. */
static void put_packed(struct fg_buf *b, bool marked, uint64_t size)
{
	static const char names[40] = "\0.shstrtab\0.debug_str\0.zdebug_str";

	put_header(b, 3, 1);
	for (unsigned i = 0; i < 3; i++) { /* empty, names, debug information */
		put32(b, i == 0 ? 0 : i == 1 ? 1 : marked ? 11 : 22);
		put32(b, i == 0 ? 0 : i == 1 ? 3 : 1);
		put64(b, i == 2 && marked ? 0x800 : 0);
		put64(b, 0);
		put64(b, i == 2 ? 64 + 3 * 64 + 40 : 64 + 3 * 64);
		put64(b, i == 2 ? 64 : sizeof(names));
		put64(b, 0);
		put64(b, 1);
		put64(b, 0);
	}
	fg_buf_add(b, names, sizeof(names));
	if (marked) {
		put32(b, 1); /* zlib */
		put32(b, 0);
		put64(b, size);
	} else {
		fg_buf_add(b, "ZLIB", 4);
		for (unsigned i = 8; i-- > 0;)
			fg_buf_add_char(b, (char)(size >> i * 8));
	}
	while (b->len < 64 + 3 * 64 + 40 + 64)
		fg_buf_add_char(b, '\0');
}

/* Adds an ELF file with so many empty sections. */
static void put_sections(struct fg_buf *b, uint16_t count)
{
	struct fg_str zeros = fg_str_of((const char[64]){ 0 }, 64);

	put_header(b, count, 0);
	while (count--)
		fg_buf_add_str(b, zeros);
}

static void test_files_with_too_many_sections_are_not_read(void **data)
{
	static const uint16_t counts[] = { 1, 4096, 4097 };

	(void)data;
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		struct fg_buf b = FG_BUF_INIT;
		struct fg_elf *e;

		put_sections(&b, counts[i]);
		e = fg_elf_open_image(fg_buf_str(&b));
		assert_int_equal(!e, counts[i] > 4096);
		assert_true(e || errno == ENOEXEC);
		fg_elf_close(e);
		fg_buf_release(&b);
	}
}

static void test_files_that_unpack_to_too_much_are_not_read(void **data)
{
	const uint64_t most =
		FG_ELF_INFLATED_MAX + FG_ELF_INFLATED_TIMES * UINT64_C(360);

	(void)data;
	for (uint64_t size = most; size <= most + 1; size++) {
		for (int marked = 0; marked < 2; marked++) {
			struct fg_buf b = FG_BUF_INIT;
			struct fg_elf *e;

			put_packed(&b, marked, size);
			e = fg_elf_open_image(fg_buf_str(&b));
			assert_int_equal(!e, size > most);
			assert_true(e || errno == EFBIG);
			fg_elf_close(e);
			fg_buf_release(&b);
		}
	}
}

/* A sparse file may be larger than its disk. */
static void test_a_file_that_is_mostly_holes_is_not_read(void **data)
{
	static const off_t sizes[] = { FG_ELF_INFLATED_MAX, (off_t)1 << 40 };
	struct fg_buf bytes = FG_BUF_INIT;
	struct folder folder;
	const char *path;

	(void)data;
	folder_init(&folder);
	assert_true(file_read(MILL, &bytes));
	path = folder_write(&folder, "mill", fg_buf_str(&bytes));
	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		int fd = open(path, O_RDWR | O_CLOEXEC);
		struct fg_elf *e;

		assert_true(fd >= 0);
		if (ftruncate(fd, sizes[i]) || lseek(fd, 0, SEEK_HOLE) == sizes[i])
			skip(); /* this file system has no holes */
		e = fg_elf_open(fd);
		assert_int_equal(!e, i == 1);
		assert_true(e || errno == EFBIG);
		fg_elf_close(e);
	}
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* A warning names it, and we look for no symbols in it. */
static void test_a_binary_that_unpacks_to_too_much_is_reported(void **data)
{
	struct fg_buf bytes = FG_BUF_INIT, text = FG_BUF_INIT;
	struct folder folder;
	struct recording r;

	(void)data;
	folder_init(&folder);
	put_packed(&bytes, true, UINT64_C(1) << 40);
	read_mapped(&r, folder_write(&folder, "bomb", fg_buf_str(&bytes)), FG_STR(""),
		    &text);
	assert_has(fg_buf_str(&text), "cannot be read");
	assert_has(fg_buf_str(&text),
		   "expand to more than 16 times the size of the file");
	folder_release(&folder);
	fg_buf_release(&bytes);
	fg_buf_release(&text);
}

static void test_a_binary_that_has_changed_is_not_used(void **data)
{
	static const struct fg_str other = FG_STR_INIT("01234567890123456789");
	struct fg_buf path = FG_BUF_INIT, text = FG_BUF_INIT, name = FG_BUF_INIT;
	char here[4096];
	struct recording r;

	(void)data;
	assert_non_null(getcwd(here, sizeof(here)));
	fg_buf_addf(&path, "%s/" MILL, here);
	read_mapped(&r, fg_buf_cstr(&path), FG_STR(""), &text);
	if (fg_demangle("_Z1fv", &name) == FG_DEMANGLED)
		assert_has(fg_buf_str(&text), "mill::Stone<unsigned int>::grind+11(");
	fg_buf_clear(&text);
	read_mapped(&r, fg_buf_cstr(&path), other, &text);
	assert_has(fg_buf_str(&text), "100 [unknown]+0(");
	assert_has(fg_buf_str(&text),
		   "is not the file that ran, so its functions have no names (1 "
		   "samples)");
	fg_buf_release(&name);
	fg_buf_release(&path);
	fg_buf_release(&text);
}
#endif

int main(void)
{
#ifdef FG_HAVE_LIBELF
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_may_be_cut_while_we_read_it),
		cmocka_unit_test(test_files_with_too_many_sections_are_not_read),
#ifdef FG_HAVE_LIBDW
		cmocka_unit_test(test_offsets_become_addresses_by_segments),
#endif
		cmocka_unit_test(test_files_that_unpack_to_too_much_are_not_read),
		cmocka_unit_test(test_a_file_that_is_mostly_holes_is_not_read),
		cmocka_unit_test(test_a_binary_that_unpacks_to_too_much_is_reported),
		cmocka_unit_test(test_a_binary_that_has_changed_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return skip_without("libelf");
#endif
}
