/*
 * Tests of collapse/symbols: other files that debug information names. libdw must not
 * open them by itself.
 */
#include "tests/unit/support/support.h"

#ifdef FG_HAVE_LIBDW
#include <dwarf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "collapse/symbols/elffile.h"
#include "collapse/symbols/inlines.h"

#define DATA "tests/data/perfdata/"
#define LOOM DATA "cache/.build-id/e5/8df60aaa49af81458c51d1809d28a54aef660c/elf"
#define SPLIT DATA "loom-split"
#define SHORT DATA "loft-32"
#define DWO DATA "shed/loom.dwo"
#define DWP DATA "shed/loom.dwp"

static struct fg_elf *open_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fg_elf *e;

	assert_true(fd >= 0);
	e = fg_elf_open(fd);
	assert_non_null(e);
	return e;
}

/*
 * Checks the functions inlined at an address, and the number of units in other files
 * that were not found. Closes the file.
 */
static void check_at(struct fg_elf *e, uint64_t address, const char *want,
		     size_t elsewhere)
{
	struct fg_inlines *in = fg_inlines_open(e, NULL);
	struct fg_inlined list[FG_INLINES_MAX];
	struct fg_buf got = FG_BUF_INIT;
	size_t count;

	assert_non_null(in);
	count = fg_inlines_at(in, address, FG_INLINES_LINES, list);
	for (size_t i = 0; i < count; i++)
		fg_buf_addf(&got, "%s%s %s:%d", i ? ", " : "",
			    list[i].name ? list[i].name : "?", list[i].file,
			    list[i].line);
	check_str(fg_buf_str(&got), fg_str_from(want), __FILE__, __LINE__);
	assert_int_equal(fg_inlines_elsewhere(in), elsewhere);
	fg_buf_release(&got);
	fg_inlines_close(in);
	fg_elf_close(e);
}

/* ---- trees in other files */

/* Makes a folder with a program whose tree is in shed/loom.dwo, still missing. */
static void start(struct folder *folder)
{
	struct fg_buf program = FG_BUF_INIT;

	folder_init(folder);
	assert_true(file_read(SPLIT, &program));
	folder_write(folder, "loom", fg_buf_str(&program));
	assert_int_equal(mkdir(folder_path(folder, "shed"), 0700), 0);
	fg_buf_release(&program);
}

static void end(struct folder *folder)
{
	unlink(folder_path(folder, "shed/loom.dwo"));
	folder_release(folder);
}

static void check_split(struct folder *folder, bool is_found)
{
	check_at(open_elf(folder_path(folder, "loom")), 0x40020d,
		 is_found ? "operator() loom.cpp:38, work loom.cpp:42" : "", !is_found);
}

/* Copies a file and changes the last byte of a section. */
static void write_damaged(struct folder *folder, const char *from, const char *name,
			  const char *section)
{
	struct fg_elf *e = open_elf(from);
	struct fg_elf_section s = fg_elf_section(e, section);
	struct fg_buf bytes = FG_BUF_INIT;

	assert_true(file_read(from, &bytes));
	assert_non_null(s.scn);
	bytes.ptr[s.header.sh_offset + s.header.sh_size - 1] ^= 'x';
	folder_write(folder, name, fg_buf_str(&bytes));
	fg_elf_close(e);
	fg_buf_release(&bytes);
}

/* shed/ is beside the program, not in the current folder. */
static void trees_are_found_beside_the_program(void **data)
{
	struct fg_buf dwo = FG_BUF_INIT;
	struct folder folder;

	(void)data;
	check_at(open_elf(SPLIT), 0x40020d, "operator() loom.cpp:38, work loom.cpp:42",
		 0);
	start(&folder);
	check_split(&folder, false);
	write_damaged(&folder, DWO, "shed/loom.dwo", ".debug_str.dwo");
	check_split(&folder, false);
	assert_true(file_read(DWO, &dwo));
	folder_write(&folder, "shed/loom.dwo", fg_buf_str(&dwo));
	check_split(&folder, true);
	end(&folder);
	fg_buf_release(&dwo);
}

/* The name is right, but the file is from another run of the compiler. */
static void the_tree_of_another_unit_is_not_used(void **data)
{
	struct fg_elf *e = open_elf(DWO);
	struct fg_elf_section tree = fg_elf_section(e, ".debug_info.dwo");
	struct fg_buf dwo = FG_BUF_INIT;
	struct folder folder;

	(void)data;
	start(&folder);
	assert_true(file_read(DWO, &dwo));
	dwo.ptr[tree.header.sh_offset + 12] ^= 1; /* the id of the unit */
	folder_write(&folder, "shed/loom.dwo", fg_buf_str(&dwo));
	check_split(&folder, false);
	end(&folder);
	fg_elf_close(e);
	fg_buf_release(&dwo);
}

static void trees_are_found_in_a_package(void **data)
{
	struct fg_buf dwp = FG_BUF_INIT;
	struct folder folder;

	(void)data;
	start(&folder);
	assert_true(file_read(DWP, &dwp));
	folder_write(&folder, "loom.dwp", fg_buf_str(&dwp));
	check_split(&folder, true);
	end(&folder);
	fg_buf_release(&dwp);
}

/* We change each byte of the index and of the table of strings in turn. */
static void a_damaged_package_does_no_harm(void **data)
{
	struct fg_elf *e = open_elf(DWP);
	struct fg_elf_section index = fg_elf_section(e, ".debug_cu_index");
	struct fg_elf_section texts = fg_elf_section(e, ".debug_str_offsets.dwo");
	struct fg_inlined list[FG_INLINES_MAX];
	struct fg_buf dwp = FG_BUF_INIT;
	struct folder folder;

	(void)data;
	start(&folder);
	assert_true(file_read(DWP, &dwp));
	for (size_t i = 0; i < index.header.sh_size + texts.header.sh_size; i++) {
		size_t at = i < index.header.sh_size ?
				    index.header.sh_offset + i :
				    texts.header.sh_offset + i - index.header.sh_size;
		struct fg_elf *program;
		struct fg_inlines *in;

		dwp.ptr[at] ^= (char)(1 << i % 8);
		folder_write(&folder, "loom.dwp", fg_buf_str(&dwp));
		program = open_elf(folder_path(&folder, "loom"));
		in = fg_inlines_open(program, NULL);
		assert_non_null(in);
		fg_inlines_at(in, 0x40020d, FG_INLINES_LINES, list);
		fg_inlines_close(in);
		fg_elf_close(program);
		dwp.ptr[at] ^= (char)(1 << i % 8);
	}
	end(&folder);
	fg_elf_close(e);
	fg_buf_release(&dwp);
}

/* Opening a pipe would wait until somebody writes to it. */
static void a_pipe_is_not_opened(void **data)
{
	struct fg_buf dwo = FG_BUF_INIT;
	struct folder folder;

	(void)data;
	start(&folder);
	assert_int_equal(mkfifo(folder_path(&folder, "shed/loom.dwo"), 0600), 0);
	assert_int_equal(mkfifo(folder_path(&folder, "loom.dwp"), 0600), 0);
	check_split(&folder, false);
	assert_int_equal(unlink(folder_path(&folder, "shed/loom.dwo")), 0);
	assert_true(file_read(DWO, &dwo));
	folder_write(&folder, "shed/loom.dwo", fg_buf_str(&dwo));
	check_split(&folder, true);
	end(&folder);
	fg_buf_release(&dwo);
}

#ifdef __linux__
/* The owner could replace the file or cut it if we opened it twice. */
static void a_tree_is_opened_once(void **data)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct fg_buf dwo = FG_BUF_INIT;
	struct folder folder;
	char event[4096];

	(void)data;
	start(&folder);
	assert_true(file_read(DWO, &dwo));
	assert_true(inotify_add_watch(
			    watch,
			    folder_write(&folder, "shed/loom.dwo", fg_buf_str(&dwo)),
			    IN_OPEN | IN_CLOSE) >= 0);
	check_split(&folder, true);
	assert_int_equal(read(watch, event, sizeof(event)),
			 2 * sizeof(struct inotify_event));
	close(watch);
	end(&folder);
	fg_buf_release(&dwo);
}
#endif

/* ---- links to a file that several files share */

/* A section to add to the program. */
struct extra {
	const char *name;
	uint32_t type;
	struct fg_str bytes;
};

/* Puts a number into an image, the low byte first. */
static void put(struct fg_buf *image, size_t at, uint64_t n, size_t size)
{
	for (size_t i = 0; i < size; i++)
		image->ptr[at + i] = (char)(n >> 8 * i & 0xff);
}

/* Adds sections to loom, with a new table of sections at the end. */
static void add_sections(struct fg_buf *image, const struct extra *extra, size_t count)
{
	struct fg_elf *loom = open_elf(LOOM);
	size_t known = loom->header.e_shnum, size = sizeof(Elf64_Shdr), names_at, table;
	struct fg_elf_section names = fg_elf_section(loom, ".shstrtab");
	struct fg_str old = fg_str_of(image->ptr + names.header.sh_offset,
				      (size_t)names.header.sh_size);
	struct fg_buf text = FG_BUF_INIT, shdrs = FG_BUF_INIT;

	fg_buf_add_str(&text, old);
	fg_buf_add(&shdrs, image->ptr + loom->header.e_shoff, known * size);
	for (size_t i = 0; i < count; i++) {
		Elf64_Shdr s = { .sh_name = (uint32_t)text.len,
				 .sh_type = extra[i].type,
				 .sh_offset = image->len,
				 .sh_size = extra[i].bytes.len,
				 .sh_addralign = 1 };

		fg_buf_add(&text, extra[i].name, strlen(extra[i].name) + 1);
		fg_buf_add_str(image, extra[i].bytes);
		fg_buf_add(&shdrs, (const char *)&s, size);
	}
	names_at = image->len;
	fg_buf_add_str(image, fg_buf_str(&text));
	while (image->len % 8)
		fg_buf_add_char(image, '\0');
	table = image->len;
	fg_buf_add_str(image, fg_buf_str(&shdrs));
	put(image, table + loom->names * size + offsetof(Elf64_Shdr, sh_offset),
	    names_at, 8);
	put(image, table + loom->names * size + offsetof(Elf64_Shdr, sh_size), text.len,
	    8);
	put(image, offsetof(Elf64_Ehdr, e_shoff), table, 8);
	put(image, offsetof(Elf64_Ehdr, e_shnum), known + count, 2);
	fg_elf_close(loom);
	fg_buf_release(&text);
	fg_buf_release(&shdrs);
}

/* Makes all names of functions refer to the shared file. */
static void name_in_shared(struct fg_buf *image)
{
	struct fg_elf *loom = open_elf(LOOM);
	struct fg_elf_section codes = fg_elf_section(loom, ".debug_abbrev");
	char *at = image->ptr + codes.header.sh_offset;
	size_t found = 0;

	for (size_t i = 0; i + 1 < codes.header.sh_size; i++)
		if ((at[i] == DW_AT_name || at[i] == DW_AT_linkage_name) &&
		    at[i + 1] == DW_FORM_strp) {
			at[i + 1] = DW_FORM_strp_sup;
			found++;
		}
	assert_true(found > 0);
	fg_elf_close(loom);
}

/* Adds bytes like a section .zdebug_* has them: a header, and zlib without packing. */
static void add_packed(struct fg_buf *b, struct fg_str bytes)
{
	uint32_t low = 1, high = 0;

	assert_true(bytes.len < 65536);
	fg_buf_add(b, "ZLIB\0\0\0\0\0\0", 10);
	fg_buf_add_char(b, (char)(bytes.len >> 8));
	fg_buf_add_char(b, (char)bytes.len);
	fg_buf_add(b, "\x78\1\1", 3);
	for (unsigned i = 0; i < 4; i++)
		fg_buf_add_char(
			b, (char)((i < 2 ? bytes.len : ~bytes.len) >> 8 * (i % 2)));
	fg_buf_add_str(b, bytes);
	for (size_t i = 0; i < bytes.len; i++) {
		low = (low + (unsigned char)bytes.ptr[i]) % 65521;
		high = (high + low) % 65521;
	}
	fg_buf_add_char(b, (char)(high >> 8));
	fg_buf_add_char(b, (char)high);
	fg_buf_add_char(b, (char)(low >> 8));
	fg_buf_add_char(b, (char)low);
}

#ifdef __linux__
/* The link may be packed, or there twice. */
static void a_link_to_a_shared_file_is_not_followed(void **data)
{
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct fg_buf link = FG_BUF_INIT, packed = FG_BUF_INIT, image = FG_BUF_INIT;
	struct folder folder;
	const char *path;
	char event[4096];

	(void)data;
	folder_init(&folder);
	path = folder_write(&folder, "shared", FG_STR("no ELF file"));
	assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
	fg_buf_add(&link, path, strlen(path) + 1);
	fg_buf_add(&link, "12345678901234567890", 20);
	add_packed(&packed, fg_buf_str(&link));
	for (unsigned i = 0; i < 3; i++) {
		const struct extra cases[][2] = {
			{ { ".gnu_debugaltlink", SHT_PROGBITS, fg_buf_str(&link) } },
			{ { ".zgnu_debugaltlink", SHT_PROGBITS, fg_buf_str(&packed) } },
			{ { ".gnu_debugaltlink", SHT_NOBITS, fg_buf_str(&link) },
			  { ".gnu_debugaltlink", SHT_PROGBITS, fg_buf_str(&link) } },
		};

		assert_true(file_read(LOOM, &image));
		name_in_shared(&image);
		add_sections(&image, cases[i], i < 2 ? 1 : 2);
		check_at(fg_elf_open_image(fg_buf_str(&image)), 0x40020d,
			 "? loom.cpp:38, ? loom.cpp:42", 0);
		assert_int_equal(read(watch, event, sizeof(event)), -1);
	}
	close(watch);
	folder_release(&folder);
	fg_buf_release(&link);
	fg_buf_release(&packed);
	fg_buf_release(&image);
}
#endif

/* The header of a packed section differs from that in a file of 64 bits. */
static void packed_sections_of_32_bits_are_read(void **data)
{
	(void)data;
	check_at(open_elf(SHORT), 0x80480b2, "mid loft.c:27", 0);
}

/* Older compilers and linkers pack sections like this. */
static void a_tree_may_be_packed_by_name(void **data)
{
	struct fg_elf *e = open_elf(LOOM);
	struct fg_elf_section tree = fg_elf_section(e, ".debug_info");
	struct fg_buf image = FG_BUF_INIT, packed = FG_BUF_INIT;
	struct extra extra = { ".zdebug_info", SHT_PROGBITS, { 0 } };
	struct fg_elf *made;

	(void)data;
	assert_true(file_read(LOOM, &image));
	add_packed(&packed, fg_str_of(image.ptr + tree.header.sh_offset,
				      (size_t)tree.header.sh_size));
	extra.bytes = fg_buf_str(&packed);
	add_sections(&image, &extra, 1);
	made = fg_elf_open_image(fg_buf_str(&image));
	put(&image,
	    (size_t)made->header.e_shoff + elf_ndxscn(tree.scn) * sizeof(Elf64_Shdr) +
		    offsetof(Elf64_Shdr, sh_type),
	    SHT_NOBITS, 4);
	fg_elf_close(made);
	made = fg_elf_open_image(fg_buf_str(&image));
	assert_true(fg_elf_has_debug(made));
	check_at(made, 0x40020d, "operator() loom.cpp:38, work loom.cpp:42", 0);
	fg_elf_close(e);
	fg_buf_release(&image);
	fg_buf_release(&packed);
}

static void all_packed_sections_count_toward_the_limit(void **data)
{
	static const char bomb[] = "ZLIB\0\0\0\0\x40\0\0\0\x78\1"; /* 1 GiB */
	const struct extra extra = { ".zgnu_debugaltlink", SHT_PROGBITS,
				     fg_str_of(bomb, sizeof(bomb)) };
	struct fg_buf image = FG_BUF_INIT;

	(void)data;
	assert_true(file_read(LOOM, &image));
	add_sections(&image, &extra, 1);
	assert_null(fg_elf_open_image(fg_buf_str(&image)));
	assert_int_equal(errno, EFBIG);
	fg_buf_release(&image);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_found_beside_the_program),
		cmocka_unit_test(the_tree_of_another_unit_is_not_used),
		cmocka_unit_test(trees_are_found_in_a_package),
		cmocka_unit_test(a_damaged_package_does_no_harm),
		cmocka_unit_test(a_pipe_is_not_opened),
#ifdef __linux__
		cmocka_unit_test(a_tree_is_opened_once),
		cmocka_unit_test(a_link_to_a_shared_file_is_not_followed),
#endif
		cmocka_unit_test(packed_sections_of_32_bits_are_read),
		cmocka_unit_test(a_tree_may_be_packed_by_name),
		cmocka_unit_test(all_packed_sections_count_toward_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
	return skip_without("libdw");
}
#endif
