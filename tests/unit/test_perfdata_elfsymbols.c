/* Tests of collapse/formats/perf/data: the symbols of ELF files. */
#include <fcntl.h>
#include <string.h>

#include "collapse/formats/perf/data/elfsymbols.h"
#include "tests/unit/support/support.h"

#define FOLDER "tests/data/perfdata/cache/.build-id/e1/"
#define MILL FOLDER "9706c68de223a735e11c3cdd39552b95439eca/elf"
#define GEARS_ALT "tests/data/perfdata/gears-alt.so"
#define GEARS_IBT "tests/data/perfdata/gears-ibt.so"
#define GEARS_LLD "tests/data/perfdata/gears-lld.so"

#define SIZED FG_PD_SYMBOL_SIZED

#ifdef FG_HAVE_LIBELF
struct row {
	uint64_t start, size;
	const char *name;
};

static void check_at(struct fg_pd_symtab *t, uint64_t address, const char *want)
{
	const struct fg_pd_symbol *s = fg_pd_symtab_find(t, address).symbol;
	struct fg_str got = s ? fg_pd_symbol_name(s) : FG_STR("nothing");

	check_str(got, fg_str_from(want), __FILE__, __LINE__);
}

static struct fg_pd_elf *open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fg_pd_elf *e;

	assert_true(fd >= 0);
	e = fg_pd_elf_open(fd);
	assert_non_null(e);
	return e;
}

static void test_symbols_of_an_elf_file(void **data)
{
	struct fg_pd_elf *e = open_file(MILL);
	struct fg_pd_build_id id = fg_pd_elf_build_id(e);
	struct fg_buf text = FG_BUF_INIT;
	struct fg_pd_symtab t;

	(void)data;
	fg_pd_build_id_add(&text, &id, 0);
	assert_str(fg_buf_str(&text), "e19706c68de223a735e11c3cdd39552b95439eca");
	assert_true(fg_pd_elf_has_symtab(e));
	assert_false(fg_pd_elf_has_dynsym(e));
	assert_int_equal(fg_pd_elf_debug_link(e).len, 0);
	fg_pd_symtab_init(&t, FG_PD_SYMTAB_ELF);
	fg_pd_elf_symbols(e, e, &t);
	fg_pd_symtab_finish(&t);
	/* Offsets in the file, which is not where it is mapped. */
	check_at(&t, 0x217, "_ZN4mill5StoneIjE5grindEj");
	check_at(&t, 0x199, "work");
	fg_pd_symtab_release(&t);
	fg_pd_elf_close(e);
	fg_buf_release(&text);
}

/* The offset of a name that stands in a file between NULs. */
static uint64_t name_in(const struct fg_pd_elf *e, const char *name)
{
	size_t len = strlen(name) + 2;
	char bytes[16];

	for (uint64_t at = 0; fg_pd_elf_read(e, at, bytes, len); at++)
		if (!bytes[0] && !strcmp(bytes + 1, name))
			return at + 1;
	fail_msg("the file has no %s", name);
	return 0;
}

/* Whether or not they are held in an item. */
static void test_symbols_of_any_size_are_read_when_asked_for(void **data)
{
	static const uint64_t sizes[] = {
		1,	 (1 << 28) - 2,	    (1 << 28) - 1,
		1 << 28, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1
	};
	struct fg_pd_elf *e = open_file(MILL);
	uint64_t name = name_in(e, "work");
	struct fg_pd_symtab t;

	(void)data;
	for (unsigned names = 0; names < 3; names++) {
		fg_pd_symtab_init(&t, FG_PD_SYMTAB_ELF);
		t.elf = t.runtime = e;
		t.names = names ? name - 1 + (names - 1) * 2 : 0; /* before or behind */
		for (uint64_t i = 0; i < COUNT_OF(sizes); i++)
			fg_pd_symtab_add_unread(&t, i << 40, sizes[i], name, SIZED);
		fg_pd_symtab_finish(&t);
		for (uint64_t i = 0; i < COUNT_OF(sizes); i++) {
			check_at(&t, i << 40, "work");
			check_at(&t, (i << 40) + sizes[i] - 1, "work");
			check_at(&t, (i << 40) + sizes[i], "nothing");
		}
		fg_pd_symtab_release(&t);
	}
	fg_pd_elf_close(e);
}

static void check_plt(const char *path, const struct row *rows, size_t count)
{
	struct fg_pd_elf *e = open_file(path);
	struct fg_pd_symtab t;
	const struct fg_pd_symbol *s;

	fg_pd_symtab_init(&t, FG_PD_SYMTAB_ELF);
	fg_pd_elf_symbols(e, e, &t);
	fg_pd_symtab_finish(&t);
	for (size_t i = 0; i < count; i++) {
		check_at(&t, rows[i].start, rows[i].name);
		check_at(&t, rows[i].start + rows[i].size - 1, rows[i].name);
		s = fg_pd_symtab_find(&t, rows[i].start).symbol;
		assert_int_equal(s ? s->flags & FG_PD_SYMBOL_PLT : 0, FG_PD_SYMBOL_PLT);
	}
	fg_pd_symtab_release(&t);
	fg_pd_elf_close(e);
}

/* As objdump -d names them. */
static void test_calls_by_a_table_have_names(void **data)
{
	static const struct row ibt[] = {
		{ 0x350, 16, "turn" }, /* .plt */
		{ 0x360, 16, "grease" }, { 0x370, 16, "stop" }, /* .plt.got */
		{ 0x380, 16, "turn" }, /* .plt.sec */
		{ 0x390, 16, "grease" },
	};
	static const struct row lld[] = {
		{ 0x430, 16, "stop" },
		{ 0x440, 16, "turn" },
		{ 0x450, 16, "grease" },
	};

	(void)data;
	check_plt(GEARS_IBT, ibt, COUNT_OF(ibt));
	check_plt(GEARS_LLD, lld, COUNT_OF(lld));
}

static void test_a_debug_file_names_the_one_it_shares_with(void **data)
{
	struct fg_pd_elf *e = open_file(GEARS_ALT);
	struct fg_pd_build_id id = fg_pd_elf_shared_id(e);
	struct fg_buf text = FG_BUF_INIT;

	(void)data;
	fg_pd_build_id_add(&text, &id, 0);
	assert_str(fg_buf_str(&text), "0102030405060708090a0b0c0d0e0f1011121314");
	assert_false(fg_pd_elf_has_debug(e));
	fg_pd_elf_close(e);
	fg_buf_release(&text);
}

#endif

int main(void)
{
#ifdef FG_HAVE_LIBELF
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols_of_an_elf_file),
		cmocka_unit_test(test_symbols_of_any_size_are_read_when_asked_for),
		cmocka_unit_test(test_a_debug_file_names_the_one_it_shares_with),
		cmocka_unit_test(test_calls_by_a_table_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
#else
	return 0;
#endif
}
