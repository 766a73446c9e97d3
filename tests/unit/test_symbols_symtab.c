/* Tests of collapse/symbols: the symbol at an address, and the sources of symbols. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/symtab.h"
#include "collapse/symbols/buildid.h"
#include "collapse/symbols/jitmap.h"
#include "collapse/formats/perf/data/resolve.h"
#include "collapse/symbols/trusted.h"
#include "tests/unit/support/recording.h"
#include "tests/unit/support/support.h"

#include <stdio.h>

#define SIZED FG_SYMBOL_SIZED
#define GLOBAL FG_SYMBOL_GLOBAL
#define LABEL FG_SYMBOL_UNTYPED
#define WEAK FG_SYMBOL_WEAK

struct row {
	uint64_t start, size;
	const char *name;
	uint32_t flags;
};

static void fill(struct fg_symtab *t, const struct row *rows, size_t count)
{
	fg_symtab_init(t, FG_SYMTAB_ELF);
	for (size_t i = 0; i < count; i++)
		fg_symtab_add(t, rows[i].start, rows[i].size, rows[i].name,
			      rows[i].flags);
	fg_symtab_finish(t);
}

static void check_at(struct fg_symtab *t, uint64_t address, const char *want)
{
	const struct fg_symbol *s = fg_symtab_find(t, address).symbol;
	struct fg_str got = s ? fg_symbol_name(s) : FG_STR("nothing");

	check_str(got, fg_str_from(want), __FILE__, __LINE__);
}

static void test_a_symbol_ends_after_its_size(void **data)
{
	static const struct row rows[] = { { 30, 10, "second", SIZED },
					   { 10, 10, "first", SIZED } };
	struct fg_symtab t;

	(void)data;
	fill(&t, rows, COUNT_OF(rows));
	check_at(&t, 9, "nothing");
	check_at(&t, 10, "first");
	check_at(&t, 19, "first");
	check_at(&t, 20, "nothing");
	check_at(&t, 39, "second");
	check_at(&t, 40, "nothing");
	fg_symtab_release(&t);
}

/* Random tables, so small that symbols overlap, repeat and contain each other. */
static void test_addresses_share_an_answer_up_to_its_end(void **data)
{
	enum { TABLES = 300, ROWS = 12, ADDRESSES = 80 };
	static const uint32_t flags[] = { SIZED, SIZED | FG_SYMBOL_UNTYPED, 0,
					  FG_SYMBOL_UNTYPED, SIZED };
	uint32_t seed = 7;

	(void)data;
	for (size_t n = 0; n < TABLES; n++) {
		struct row rows[ROWS];
		struct fg_symtab t;

		for (size_t i = 0; i < ROWS; i++) {
			seed = seed * 1664525 + 1013904223;
			rows[i] = (struct row){ seed >> 8 & 63, seed >> 16 & 15, "name",
						flags[(seed >> 24) % 5] };
		}
		fill(&t, rows, ROWS);
		for (uint64_t at = 0; at < ADDRESSES; at++) {
			struct fg_symtab_found found = fg_symtab_find(&t, at);

			assert_true(found.until > at);
			for (uint64_t i = at; i < found.until && i < ADDRESSES; i++)
				assert_ptr_equal(fg_symtab_find(&t, i).symbol,
						 found.symbol);
		}
		fg_symtab_release(&t);
	}
}

/* It ends at the next symbol, or where its section or page ends, whatever is first. */
static void test_a_symbol_without_a_size_ends_at_the_next(void **data)
{
	static const struct row rows[] = { { 10, 0, "open", 0 },
					   { 20, 5, "sized", SIZED },
					   { 30, 4, "_init", 0 },
					   { 50, 0, "last", 0 } };
	struct fg_symtab t;

	(void)data;
	fill(&t, rows, COUNT_OF(rows));
	check_at(&t, 19, "open");
	check_at(&t, 24, "sized");
	check_at(&t, 25, "nothing");
	check_at(&t, 33, "_init");
	check_at(&t, 34, "nothing");
	check_at(&t, 8191, "last");
	check_at(&t, 8192, "nothing");
	fg_symtab_release(&t);
}

static void test_the_best_of_two_symbols_is_found(void **data)
{
	static const struct {
		struct row rows[2];
		const char *best;
	} cases[] = {
		{ { { 10, 0, "unsized", GLOBAL }, { 10, 5, "a", SIZED | WEAK } }, "a" },
		{ { { 10, 5, "longer", SIZED | LABEL }, { 10, 5, "f", SIZED } }, "f" },
		{ { { 10, 5, "weaker", SIZED | WEAK }, { 10, 5, "f", SIZED } }, "f" },
		{ { { 10, 5, "global", SIZED | GLOBAL },
		    { 10, 5, "local_one", SIZED } },
		  "global" },
		{ { { 10, 5, "__read", SIZED }, { 10, 5, "read", SIZED } }, "read" },
		{ { { 10, 5, "rd", SIZED }, { 10, 5, "read", SIZED } }, "read" },
		{ { { 10, 5, "same", SIZED }, { 10, 5, "emas", SIZED } }, "same" },
		{ { { 10, 5, "SyS_read", SIZED }, { 10, 5, "sys_read", SIZED } },
		  "sys_read" },
		/* _Z1fv is printed as "f", which is shorter. */
		{ { { 10, 5, "_Z1fv", SIZED }, { 10, 5, "ff", SIZED } }, "ff" },
	};

	(void)data;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fg_symtab t;

		fill(&t, cases[i].rows, 2);
		check_at(&t, 12, cases[i].best);
		fg_symtab_release(&t);
	}
}

/* The length of a name is kept, so comparing with many others costs little. */
static void test_a_name_is_read_once(void **data)
{
	struct fg_symbol_candidate best = { .symbol = { .end = 1,
							.name = "long_name" } };
	struct fg_symbol_candidate next = { .symbol = { .end = 1, .name = "name" } };

	(void)data;
	assert_false(fg_symbol_is_better(NULL, &best, &next));
	best.symbol.name = "x";
	assert_false(fg_symbol_is_better(NULL, &best, &next));
}

/* If the function of an entry of the PLT has no name, the entry has its offset. */
static void test_a_symbol_without_a_name_is_unknown(void **data)
{
	static const struct row rows[] = { { 10, 10, "", SIZED },
					   { 20, 10, "", SIZED | FG_SYMBOL_PLT },
					   { 30, 10, "f", SIZED | FG_SYMBOL_PLT } };
	static const char *const names[] = { "[unknown]", "offset_0x14@plt", "f@plt" };
	const struct fg_dso_mapped mapped = { .name = FG_STR("/opt/mill"),
					      .executable = true };
	struct fg_pd_map map = { .start = 0, .end = 100 };
	struct fg_pd_resolver r;
	struct fg_pd_maps maps = { 0 };
	struct fg_dsos dsos;
	struct fg_dso *dso;

	(void)data;
	fg_dsos_init(&dsos, NULL);
	fg_pd_resolver_init(&r, &dsos);
	map.dso = fg_dsos_of(&dsos, &mapped);
	fg_pd_maps_insert(&maps, &map);
	dso = &dsos.list[map.dso];
	fg_symtab_release(&dso->symtab);
	fill(&dso->symtab, rows, COUNT_OF(rows));
	dso->loaded = true;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint32_t id = fg_pd_resolve(&r, &maps, rows[i].start).frame;
		struct fg_str got = r.frames[id].symbol;

		check_str(got, fg_str_from(names[i]), __FILE__, __LINE__);
	}
	fg_pd_maps_release(&maps);
	fg_pd_resolver_release(&r);
	fg_dsos_release(&dsos);
}

/* In the map of a runtime, a later line replaces an earlier one. */
static void test_many_symbols_may_have_one_address(void **data)
{
	enum { NAMES = 300 };
	struct fg_symtab t;
	const char *const wants[] = { "function", "f" };

	(void)data;
	for (size_t jit = 0; jit < 2; jit++) {
		fg_symtab_init(&t, jit ? FG_SYMTAB_JIT : FG_SYMTAB_ELF);
		fg_symtab_add(&t, 5, 200, "outer", SIZED);
		for (size_t i = 0; i < NAMES; i++)
			fg_symtab_add(&t, 10, 100, i == NAMES / 2 ? "function" : "f",
				      SIZED);
		fg_symtab_add(&t, 20, 10, "inner", SIZED);
		fg_symtab_finish(&t);
		for (uint64_t at = 30; at < 100; at++)
			check_at(&t, at, wants[jit]);
		check_at(&t, 10, wants[jit]);
		check_at(&t, 29, "inner");
		check_at(&t, 110, "outer");
		fg_symtab_add(&t, 12, 2, "new", SIZED);
		fg_symtab_finish(&t);
		check_at(&t, 11, wants[jit]);
		check_at(&t, 13, "new");
		fg_symtab_release(&t);
	}
}

static void test_the_innermost_symbol_is_found_but_no_label(void **data)
{
	static const struct row rows[] = {
		{ 10, 90, "outer", SIZED },	  { 20, 10, "inner", SIZED },
		{ 22, 2, "innermost", SIZED },	  { 40, 0, "label", LABEL },
		{ 95, 20, "overlapping", SIZED }, { 150, 0, "free_label", LABEL },
	};
	struct fg_symtab t;

	(void)data;
	fill(&t, rows, COUNT_OF(rows));
	check_at(&t, 15, "outer");
	check_at(&t, 21, "inner");
	check_at(&t, 23, "innermost");
	check_at(&t, 25, "inner");
	check_at(&t, 35, "outer");
	check_at(&t, 50, "outer");
	check_at(&t, 97, "overlapping");
	check_at(&t, 110, "overlapping");
	check_at(&t, 160, "free_label");
	fg_symtab_release(&t);
}

enum { MANY = 400, ADDRESSES = 600 };

/*
 * Returns the symbol that starts last of those around an address and, if several start
 * there, was added first.
 */
static const char *around(const struct row *rows, uint64_t address)
{
	const struct row *best = NULL;

	for (uint64_t start = address + 1; start-- > 0 && !best;) {
		const struct row *first = NULL;

		for (size_t i = 0; i < MANY && !first; i++)
			first = rows[i].start == start ? &rows[i] : NULL;
		if (first && address - start < first->size)
			best = first;
	}
	return best ? best->name : "nothing";
}

static void test_nested_symbols_are_found(void **data)
{
	static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
	struct random random = { 29 };
	struct row rows[MANY];
	struct fg_symtab t;

	(void)data;
	for (uint64_t largest = 2; largest < 2 * ADDRESSES; largest *= 3) {
		fg_symtab_init(&t, FG_SYMTAB_JIT);
		for (size_t i = 0; i < MANY; i++) {
			rows[i].start = random_below(&random, ADDRESSES);
			rows[i].size = random_below(&random, (size_t)largest);
			rows[i].name = names[random_below(&random, COUNT_OF(names))];
			fg_symtab_add(&t, rows[i].start, rows[i].size, rows[i].name,
				      SIZED);
		}
		fg_symtab_finish(&t);
		for (size_t i = 0; i < 4 * (size_t)ADDRESSES; i++) {
			uint64_t address = random_below(&random, ADDRESSES + 20);

			check_at(&t, address, around(rows, address));
		}
		fg_symtab_release(&t);
	}
}

static void test_radix_sort_is_stable(void **data)
{
	struct random random = { 77 };
	struct fg_symtab_item keys[500], other[500];

	(void)data;
	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		keys[i].key = random_below(&random, 60) << (i % 3 * 20);
		keys[i].index = (uint32_t)i;
	}
	fg_symtab_sort(keys, COUNT_OF(keys), other);
	for (size_t i = 1; i < COUNT_OF(keys); i++)
		assert_true(keys[i - 1].key < keys[i].key ||
			    (keys[i - 1].key == keys[i].key &&
			     keys[i - 1].index < keys[i].index));
}

static void test_maps_of_runtimes_are_read(void **data)
{
	struct fg_jitmap map = { .size = 0 };
	struct fg_symtab t;

	(void)data;
	fg_symtab_init(&t, FG_SYMTAB_JIT);
	fg_jitmap_parse(&map,
			FG_STR("1000 10 JS:*run file.js:1\r\n"
			       "0x1010 0x8 Interpreter\n"
			       "nonsense\n"
			       "1020 x y\n"
			       "1030 4 \n"
			       "1040 4 last"),
			&t);
	fg_symtab_finish(&t);
	check_at(&t, 0x100f, "JS:*run file.js:1");
	check_at(&t, 0x1017, "Interpreter");
	check_at(&t, 0x1018, "nothing");
	check_at(&t, 0x1030, "nothing");
	check_at(&t, 0x1043, "last");
	fg_symtab_release(&t);
	fg_jitmap_release(&map);
}

static void test_build_ids_are_found_among_notes(void **data)
{
	struct fg_buf notes = FG_BUF_INIT, text = FG_BUF_INIT;
	struct fg_build_id id;

	(void)data;
	put32(&notes, 5);
	put32(&notes, 3);
	put32(&notes, 1);
	fg_buf_add(&notes, "Linux\0\0\0abc", 12);
	put32(&notes, 4);
	put32(&notes, 3);
	put32(&notes, 3);
	assert_false(fg_build_id_from_notes(&id, fg_buf_str(&notes)));
	fg_buf_add(&notes, "GNU\0\xab\xcd\xef", 7);
	assert_true(fg_build_id_from_notes(&id, fg_buf_str(&notes)));
	fg_build_id_add(&text, &id, '/');
	assert_str(fg_buf_str(&text), "ab/cdef");
	fg_buf_release(&notes);
	fg_buf_release(&text);
}

static void test_only_trusted_files_are_opened(void **data)
{
	struct folder folder;
	const char *link;
	int fd;

	(void)data;
	folder_init(&folder);
	folder_write(&folder, "map", FG_STR("text"));
	link = folder_path(&folder, "link");
	assert_int_equal(symlink("map", link), 0);
	fd = fg_trusted_open(link, FG_TRUST_OWN);
	assert_true(fd >= 0);
	close(fd);
	/* From now on, others can put links into the folder. */
	assert_int_equal(chmod(folder.path, 0777), 0);
	assert_int_equal(fg_trusted_open(link, FG_TRUST_OWN), -1);
	fd = fg_trusted_open(link, FG_TRUST_ANY_OWNER);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(mkfifo(folder_path(&folder, "fifo"), 0600), 0);
	assert_int_equal(
		fg_trusted_open(folder_path(&folder, "fifo"), FG_TRUST_ANY_OWNER), -1);
	assert_int_equal(fg_trusted_open(folder.path, FG_TRUST_ANY_OWNER), -1);
	assert_int_equal(fg_trusted_open("/dev/null", FG_TRUST_ANY_OWNER), -1);
	folder_release(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_symbol_ends_after_its_size),
		cmocka_unit_test(test_addresses_share_an_answer_up_to_its_end),
		cmocka_unit_test(test_a_symbol_without_a_size_ends_at_the_next),
		cmocka_unit_test(test_the_best_of_two_symbols_is_found),
		cmocka_unit_test(test_a_name_is_read_once),
		cmocka_unit_test(test_a_symbol_without_a_name_is_unknown),
		cmocka_unit_test(test_many_symbols_may_have_one_address),
		cmocka_unit_test(test_the_innermost_symbol_is_found_but_no_label),
		cmocka_unit_test(test_nested_symbols_are_found),
		cmocka_unit_test(test_radix_sort_is_stable),
		cmocka_unit_test(test_maps_of_runtimes_are_read),
		cmocka_unit_test(test_build_ids_are_found_among_notes),
		cmocka_unit_test(test_only_trusted_files_are_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
