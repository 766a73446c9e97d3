/* Tests of collapse/symbols: the symbols of ELF files. */
#include <fcntl.h>
#include <string.h>

#include "collapse/symbols/elfsymbols.h"
#include "tests/unit/support/support.h"

#define FOLDER "tests/data/perfdata/cache/.build-id/e1/"
#define MILL FOLDER "9706c68de223a735e11c3cdd39552b95439eca/elf"
#define GEARS_ALT "tests/data/perfdata/gears-alt.so"
#define GEARS_IBT "tests/data/perfdata/gears-ibt.so"
#define GEARS_LLD "tests/data/perfdata/gears-lld.so"
#define CRANK "tests/data/perfdata/crank"
#define CRANK_SO "tests/data/perfdata/crank.so"

#define SIZED FG_SYMBOL_SIZED

#ifdef FG_HAVE_LIBELF
#include "collapse/symbols/elffile.h"

struct row {
	uint64_t start, size;
	const char *name;
};

static void check_at(struct fg_symtab *t, uint64_t address, const char *want)
{
	const struct fg_symbol *s = fg_symtab_find(t, address).symbol;
	struct fg_str got = s ? fg_symbol_name(s) : FG_STR("nothing");

	check_str(got, fg_str_from(want), __FILE__, __LINE__);
}

static struct fg_elf *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fg_elf *e;

	assert_true(fd >= 0);
	e = fg_elf_open(fd);
	assert_non_null(e);
	return e;
}

static void test_symbols_are_found_by_offset(void **data)
{
	struct fg_elf *e = open_file(MILL);
	struct fg_build_id id = fg_elf_build_id(e);
	struct fg_buf text = FG_BUF_INIT;
	struct fg_symtab t;

	(void)data;
	fg_build_id_add(&text, &id, 0);
	assert_str(fg_buf_str(&text), "e19706c68de223a735e11c3cdd39552b95439eca");
	assert_true(fg_elf_has_symtab(e));
	assert_false(fg_elf_has_dynsym(e));
	assert_int_equal(fg_elf_debug_link(e).len, 0);
	fg_symtab_init(&t, FG_SYMTAB_ELF);
	fg_elf_symbols(e, e, &t);
	fg_symtab_finish(&t);
	/* Addresses of symbols become offsets in the file. */
	check_at(&t, 0x217, "_ZN4mill5StoneIjE5grindEj");
	check_at(&t, 0x199, "work");
	fg_symtab_release(&t);
	fg_elf_close(e);
	fg_buf_release(&text);
}

/* Returns the offset of a name in a file. It has a NUL before and after it. */
static uint64_t name_in(const struct fg_elf *e, const char *name)
{
	size_t len = strlen(name) + 2;
	char bytes[16];

	for (uint64_t at = 0; fg_elf_read(e, at, bytes, len); at++)
		if (!bytes[0] && !strcmp(bytes + 1, name))
			return at + 1;
	fail_msg("the file has no %s", name);
	return 0;
}

/* Small sizes and names are kept in an item of the table, others are not. */
static void test_symbols_of_any_size_are_read_when_needed(void **data)
{
	static const uint64_t sizes[] = {
		1,	 (1 << 28) - 2,	    (1 << 28) - 1,
		1 << 28, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1
	};
	struct fg_elf *e = open_file(MILL);
	uint64_t name = name_in(e, "work");
	struct fg_symtab t;

	(void)data;
	for (unsigned names = 0; names < 3; names++) {
		fg_symtab_init(&t, FG_SYMTAB_ELF);
		t.files.elf = t.files.runtime = e;
		/* before or after the name */
		t.names = names ? name - 1 + (names - 1) * 2 : 0;
		for (uint64_t i = 0; i < COUNT_OF(sizes); i++)
			fg_symtab_add_unread(&t, i << 40, sizes[i], name, SIZED);
		fg_symtab_finish(&t);
		for (uint64_t i = 0; i < COUNT_OF(sizes); i++) {
			check_at(&t, i << 40, "work");
			check_at(&t, (i << 40) + sizes[i] - 1, "work");
			check_at(&t, (i << 40) + sizes[i], "nothing");
		}
		fg_symtab_release(&t);
	}
	fg_elf_close(e);
}

/* Returns the place of the header of a section in a file of 64 bits. */
static size_t section_at(struct fg_str file, size_t number)
{
	Elf64_Ehdr header;

	memcpy(&header, file.ptr, sizeof(header));
	assert_true(number < header.e_shnum);
	return header.e_shoff + number * sizeof(Elf64_Shdr);
}

static Elf64_Shdr section_of(struct fg_str file, size_t number)
{
	Elf64_Shdr section;

	memcpy(&section, file.ptr + section_at(file, number), sizeof(section));
	return section;
}

static Elf64_Shdr symbols_of(struct fg_str file)
{
	Elf64_Shdr section;
	size_t number = 0;

	do
		section = section_of(file, number++);
	while (section.sh_type != SHT_SYMTAB);
	return section;
}

/* Returns the place of the symbol with that name. */
static size_t symbol_at(struct fg_str file, const char *name)
{
	Elf64_Shdr table = symbols_of(file);
	const char *names = file.ptr + section_of(file, table.sh_link).sh_offset;

	for (size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
		Elf64_Sym symbol;

		memcpy(&symbol, file.ptr + table.sh_offset + at, sizeof(symbol));
		if (!strcmp(names + symbol.st_name, name))
			return table.sh_offset + at;
	}
	fail_msg("the file has no %s", name);
	return 0;
}

/* Skips a test that writes numbers of this machine into a little-endian file. */
static void skip_other_orders(void)
{
	if (!is_little_endian())
		skip();
}

/* Returns the flags of "work" after replacing its symbol, or 0 if it is not found. */
static uint32_t flags_with(struct fg_str file, size_t at, const Elf64_Sym *symbol)
{
	struct folder folder;
	struct fg_symtab t;
	const struct fg_symbol *found;
	struct fg_elf *e;
	uint32_t flags;

	memcpy((char *)file.ptr + at, symbol, sizeof(*symbol));
	folder_init(&folder);
	e = open_file(folder_write(&folder, "mill", file));
	fg_symtab_init(&t, FG_SYMTAB_ELF);
	fg_elf_symbols(e, e, &t);
	fg_symtab_finish(&t);
	found = fg_symtab_find(&t, 0x199).symbol;
	flags = found && fg_str_eq(fg_symbol_name(found), FG_STR("work")) ?
			found->flags :
			0;
	fg_symtab_release(&t);
	fg_elf_close(e);
	folder_release(&folder);
	return flags;
}

static void test_flags_show_type_binding_and_size(void **data)
{
	static const struct {
		unsigned type;
		uint32_t flags;
		bool wanted;
	} types[] = {
		{ STT_NOTYPE, FG_SYMBOL_UNTYPED, true },
		{ STT_OBJECT, 0, true },
		{ STT_FUNC, 0, true },
		{ STT_SECTION, 0, false },
		{ STT_FILE, 0, false },
		{ STT_TLS, 0, false },
		{ STT_GNU_IFUNC, 0, true },
	};
	static const struct {
		unsigned binding;
		uint32_t flags;
	} bindings[] = { { STB_LOCAL, 0 },
			 { STB_GLOBAL, FG_SYMBOL_GLOBAL },
			 { STB_WEAK, FG_SYMBOL_WEAK } };
	const uint32_t all =
		SIZED | FG_SYMBOL_UNTYPED | FG_SYMBOL_WEAK | FG_SYMBOL_GLOBAL;
	struct fg_buf bytes = FG_BUF_INIT;
	Elf64_Sym symbol;
	uint64_t size;
	size_t at;

	(void)data;
	skip_other_orders();
	assert_true(file_read(MILL, &bytes));
	at = symbol_at(fg_buf_str(&bytes), "work");
	memcpy(&symbol, bytes.ptr + at, sizeof(symbol));
	size = symbol.st_size;
	for (size_t i = 0; i < COUNT_OF(types) * COUNT_OF(bindings) * 2; i++) {
		size_t type = i / 2 % COUNT_OF(types), by = i / 2 / COUNT_OF(types);
		uint32_t flags, want = types[type].flags | bindings[by].flags;

		symbol.st_info = (unsigned char)ELF64_ST_INFO(bindings[by].binding,
							      types[type].type);
		symbol.st_size = i % 2 ? size : 0;
		want |= symbol.st_size ? SIZED : 0;
		flags = flags_with(fg_buf_str(&bytes), at, &symbol);
		if (types[type].wanted)
			assert_int_equal(flags & all, want);
		else
			assert_int_equal(flags, 0);
	}
	fg_buf_release(&bytes);
}

/* Moves the names of symbols to the file's end. Adds `more` to their section's size. */
static void move_names(struct fg_buf *file, uint64_t more)
{
	size_t number = symbols_of(fg_buf_str(file)).sh_link;
	size_t at = section_at(fg_buf_str(file), number);
	Elf64_Shdr names = section_of(fg_buf_str(file), number);

	fg_buf_reserve(file, names.sh_size);
	memcpy(file->ptr + file->len, file->ptr + names.sh_offset, names.sh_size);
	names.sh_offset = file->len;
	file->len += names.sh_size;
	names.sh_size += more;
	memcpy(file->ptr + at, &names, sizeof(names));
}

static void test_names_may_be_last_in_a_file(void **data)
{
	struct fg_buf bytes = FG_BUF_INIT;
	Elf64_Sym symbol;
	size_t at;

	(void)data;
	skip_other_orders();
	for (uint64_t more = 0; more < 2; more++) {
		fg_buf_clear(&bytes);
		assert_true(file_read(MILL, &bytes));
		at = symbol_at(fg_buf_str(&bytes), "work");
		memcpy(&symbol, bytes.ptr + at, sizeof(symbol));
		move_names(&bytes, more);
		assert_int_equal(flags_with(fg_buf_str(&bytes), at, &symbol) != 0,
				 !more);
	}
	fg_buf_release(&bytes);
}

static void check_plt(const char *path, const struct row *rows, size_t count)
{
	struct fg_elf *e = open_file(path);
	struct fg_symtab t;
	const struct fg_symbol *s;

	fg_symtab_init(&t, FG_SYMTAB_ELF);
	fg_elf_symbols(e, e, &t);
	fg_symtab_finish(&t);
	for (size_t i = 0; i < count; i++) {
		check_at(&t, rows[i].start, rows[i].name);
		check_at(&t, rows[i].start + rows[i].size - 1, rows[i].name);
		s = fg_symtab_find(&t, rows[i].start).symbol;
		assert_non_null(s);
		assert_int_equal(s->flags & FG_SYMBOL_PLT,
				 strcmp(rows[i].name, ".plt") ? FG_SYMBOL_PLT : 0);
	}
	fg_symtab_release(&t);
	fg_elf_close(e);
}

/* The names are those of objdump -d. */
static void test_entries_of_the_plt_have_names(void **data)
{
	static const struct row ibt[] = {
		{ 0x340, 0x30, ".plt" }, /* its entries only call the linker */
		{ 0x370, 16, "stop" }, /* .plt.got */
		{ 0x380, 16, "turn" }, /* .plt.sec */
		{ 0x390, 16, "grease" },
	};
	static const struct row lld[] = {
		{ 0x420, 16, ".plt" },
		{ 0x430, 16, "stop" },
		{ 0x440, 16, "turn" },
		{ 0x450, 16, "grease" },
	};

	(void)data;
	check_plt(GEARS_IBT, ibt, COUNT_OF(ibt));
	check_plt(GEARS_LLD, lld, COUNT_OF(lld));
}

/*
 * The relocation of an ifunc has the address of the function that chooses. The symbol
 * of the ifunc has the same address. winch is in no table of symbols.
 */
static void test_entries_of_the_plt_for_ifuncs_have_names(void **data)
{
	static const struct row shared[] = {
		{ 0x280, 16, ".plt" },
		{ 0x290, 16, "" },
		{ 0x2a0, 16, "grease" },
		{ 0x2b0, 16, "crank" },
	};
	static const struct row fixed[] = { { 0x138, 8, "crank" } };

	(void)data;
	check_plt(CRANK_SO, shared, COUNT_OF(shared));
	check_plt(CRANK, fixed, COUNT_OF(fixed));
}

static void test_a_debug_file_has_the_id_of_its_shared_file(void **data)
{
	struct fg_elf *e = open_file(GEARS_ALT);
	struct fg_build_id id = fg_elf_shared_id(e);
	struct fg_buf text = FG_BUF_INIT;

	(void)data;
	fg_build_id_add(&text, &id, 0);
	assert_str(fg_buf_str(&text), "0102030405060708090a0b0c0d0e0f1011121314");
	assert_false(fg_elf_has_debug(e));
	fg_elf_close(e);
	fg_buf_release(&text);
}

/*
 * Many symbols can share one long name. The bytes that we read of names have a limit.
 */
static void test_the_bytes_of_names_have_a_limit(void **data)
{
	struct fg_elf *e = open_file(MILL);
	uint64_t name = name_in(e, "work"), most = 17 * fg_elf_size(e) + (1 << 20);
	uint64_t read = 0;

	(void)data;
	while (read < most && fg_elf_text(e, name))
		read += sizeof("work");
	assert_in_range(read, fg_elf_size(e), most - 1);
	assert_true(fg_elf_inflates(e));
	assert_false(fg_elf_failed(e));
	fg_elf_close(e);
}

/* Each look-up of an address goes through all segments. */
static void test_a_program_with_too_many_segments_is_rejected(void **data)
{
	struct fg_buf bytes = FG_BUF_INIT;
	struct folder folder;
	Elf64_Ehdr header;
	Elf64_Phdr none;

	(void)data;
	skip_other_orders();
	memset(&none, 0, sizeof(none));
	folder_init(&folder);
	assert_true(file_read(MILL, &bytes));
	memcpy(&header, bytes.ptr, sizeof(header));
	header.e_phoff = bytes.len;
	for (header.e_phnum = 0; header.e_phnum < 2000; header.e_phnum++)
		fg_buf_add(&bytes, (const char *)&none, sizeof(none));
	memcpy(bytes.ptr, &header, sizeof(header));
	assert_null(fg_elf_open(
		open(folder_write(&folder, "mill", fg_buf_str(&bytes)), O_RDONLY)));
	folder_release(&folder);
	fg_buf_release(&bytes);
}

/* Opens a program with so many sections, and names that end with `last`. */
static bool opens(uint16_t sections, char last)
{
	Elf64_Ehdr header = { .e_ident = "\177ELF\2\1\1", .e_type = ET_DYN };
	Elf64_Shdr section = { .sh_type = SHT_STRTAB, .sh_offset = 1, .sh_size = 5 };
	struct fg_buf bytes = FG_BUF_INIT;
	struct fg_elf *e;

	header.e_machine = EM_X86_64;
	header.e_version = EV_CURRENT;
	header.e_ehsize = sizeof(header);
	header.e_shentsize = sizeof(section);
	header.e_shoff = sizeof(header) + 8;
	header.e_shnum = sections;
	header.e_shstrndx = 1;
	section.sh_offset = sizeof(header);
	fg_buf_add(&bytes, (const char *)&header, sizeof(header));
	fg_buf_add(&bytes, "\0abc", 4);
	fg_buf_add_char(&bytes, last);
	fg_buf_add(&bytes, "\0\0", 3);
	for (unsigned i = 0; i < sections; i++)
		fg_buf_add(&bytes, (const char *)&section, sizeof(section));
	e = fg_elf_open_image(fg_buf_str(&bytes));
	fg_elf_close(e);
	fg_buf_release(&bytes);
	return e;
}

/* We look for sections by name in all of them, so names must end in a NUL. */
static void test_a_program_with_too_many_sections_is_rejected(void **data)
{
	(void)data;
	skip_other_orders();
	assert_true(opens(4096, '\0'));
	assert_false(opens(4097, '\0'));
	assert_false(opens(4096, 'd'));
}

#endif

int main(void)
{
#ifdef FG_HAVE_LIBELF
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols_are_found_by_offset),
		cmocka_unit_test(test_symbols_of_any_size_are_read_when_needed),
		cmocka_unit_test(test_flags_show_type_binding_and_size),
		cmocka_unit_test(test_names_may_be_last_in_a_file),
		cmocka_unit_test(test_a_debug_file_has_the_id_of_its_shared_file),
		cmocka_unit_test(test_entries_of_the_plt_have_names),
		cmocka_unit_test(test_entries_of_the_plt_for_ifuncs_have_names),
		cmocka_unit_test(test_the_bytes_of_names_have_a_limit),
		cmocka_unit_test(test_a_program_with_too_many_segments_is_rejected),
		cmocka_unit_test(test_a_program_with_too_many_sections_is_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return skip_without("libelf");
#endif
}
