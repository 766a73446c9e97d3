/* Tests of collapse/symbols/kallsyms.c: the kernel's list of its symbols. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/symbols/kallsyms.h"
#include "tests/unit/support/support.h"

static void load_list(struct fg_kallsyms *k, const char *list, bool want)
{
	fg_kallsyms_init(k);
	k->reference = FG_STR("_text");
	k->reference_at = 0x1000;
	assert_int_equal(fg_kallsyms_parse(k, fg_str_from(list)), want);
}

static void check_listed(struct fg_kallsyms *k, uint64_t address, const char *want)
{
	const struct fg_symbol *s = fg_kallsyms_find(k, address).symbol;
	struct fg_str got = s ? fg_symbol_name(s) : FG_STR("nothing");

	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.ptr, want, got.len);
}

/* When perf recorded, the kernel was at an address that is 0x100000 lower. */
static void test_addresses_are_those_of_the_recorded_kernel(void **data)
{
	struct fg_kallsyms k;

	(void)data;
	load_list(&k,
		  "0000000000101000 T _text\n"
		  "0000000000101010 t do_it\n"
		  "0000000000101010 A skipped\n"
		  "what is this\n"
		  "0000000000101020 W weak\n"
		  "0000000000901000 t in_module\t[snd]\n"
		  "0000000000901010 T last\t[snd]\n"
		  "nothing more\n",
		  true);
	check_listed(&k, 0x100f, "_text");
	check_listed(&k, 0x1015, "do_it");
	check_listed(&k, 0x1020, "weak");
	check_listed(&k, 0x2fff, "weak");
	check_listed(&k, 0x3000, "nothing");
	check_listed(&k, 0x801005, "in_module");
	check_listed(&k, 0x801015, "last");
	assert_int_equal(fg_kallsyms_end(&k), 0x3000);
	fg_kallsyms_release(&k);
}

/*
 * Lists of LINES symbols of 16 bytes each, so that they have many parts. Every seventh
 * is data, not code. Modules are above or below them, in no order.
 */
#define LINES 5000
#define KERNEL UINT64_C(0xffffffff81000000)

static void add_listed(struct fg_buf *text, uint64_t address, char kind, unsigned i)
{
	fg_buf_addf(text, "%016llx %c %s%u", (unsigned long long)address, kind,
		    i % 100 ? "f" : "a_function_whose_name_is_rather_long_", i);
	fg_buf_add_str(text, i < LINES ? FG_STR("\n") : FG_STR("\t[of_a_module]\n"));
}

/*
 * Makes a list. Unless it is 0, the line at `swapped` and the one before it are
 * swapped.
 */
static void make_list(struct fg_buf *text, uint64_t modules, unsigned swapped)
{
	for (unsigned i = 0; i < LINES; i++) {
		unsigned at = swapped && i == swapped	  ? i - 1 :
			      swapped && i + 1 == swapped ? i + 1 :
							    i;

		add_listed(text, KERNEL + UINT64_C(16) * at, at % 7 ? 't' : 'r', at);
	}
	for (unsigned i = LINES; i < LINES + 1000 && modules; i++)
		add_listed(text, modules + UINT64_C(16) * (i ^ 5), 't', i ^ 5);
}

static void check_list(uint64_t modules, unsigned swapped)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_kallsyms k;
	char name[80];

	make_list(&text, modules, swapped);
	load_list(&k, fg_buf_cstr(&text), true);
	check_listed(&k, KERNEL, "nothing"); /* the first one is data */
	for (unsigned i = LINES; i-- > 1;) {
		unsigned named = i % 7 ? i : i - 1;

		snprintf(name, sizeof(name), "%s%u",
			 named % 100 ? "f" : "a_function_whose_name_is_rather_long_",
			 named);
		check_listed(&k, KERNEL + UINT64_C(16) * i + 15, name);
	}
	check_listed(&k, modules + UINT64_C(16) * (LINES + 10) + 7,
		     modules ? "f5010" : "nothing");
	check_listed(&k, modules + UINT64_C(16) * (LINES + 900) + 7,
		     modules ? "a_function_whose_name_is_rather_long_5900" : "nothing");
	assert_true(fg_kallsyms_end(&k) >= KERNEL + UINT64_C(16) * (LINES - 1));
	assert_true(fg_kallsyms_end(&k) <= KERNEL + UINT64_C(16) * LINES + 0x2000);
	fg_kallsyms_release(&k);
	fg_buf_release(&text);
}

static void test_a_long_list_is_found_in_any_order(void **data)
{
	(void)data;
	check_list(0, 0);
	check_list(KERNEL + 0x40000000, 0);
	check_list(UINT64_C(0xffff800000000000), 0);
	check_list(KERNEL + 0x40000000, 2501);
	check_list(UINT64_C(0xffff800000000000), 4999);
}

#define LIST_FOLDER "[kernel.kallsyms]"
#define LIST LIST_FOLDER "/6162/kallsyms"

/* We cut the file after the first look-up, so parts that were not read are gone. */
static void test_only_the_needed_parts_of_a_list_are_read(void **data)
{
	const struct fg_build_id id = { "ab", 2 };
	struct fg_buf text = FG_BUF_INIT;
	struct fg_kallsyms k;
	const struct fg_symbol *early;
	struct folder cache;

	(void)data;
	folder_init(&cache);
	make_list(&text, 0, 0);
	assert_int_equal(mkdir(folder_path(&cache, LIST_FOLDER), 0700), 0);
	assert_int_equal(mkdir(folder_path(&cache, LIST_FOLDER "/6162"), 0700), 0);
	folder_write(&cache, LIST, fg_buf_str(&text));
	fg_kallsyms_init(&k);
	fg_kallsyms_load(&k, fg_str_from(cache.path), &id);
	check_listed(&k, KERNEL + UINT64_C(16) * (LINES - 3), "f4997");
	assert_int_equal(truncate(folder_path(&cache, LIST), 0), 0);
	early = fg_kallsyms_find(&k, KERNEL + UINT64_C(16) * 601).symbol;
	assert_false(early && fg_str_eq(fg_symbol_name(early), FG_STR("f601")));
	check_listed(&k, KERNEL + UINT64_C(16) * (LINES - 3), "f4997");
	fg_kallsyms_release(&k);
	remove(folder_path(&cache, LIST));
	remove(folder_path(&cache, LIST_FOLDER "/6162"));
	folder_release(&cache);
	fg_buf_release(&text);
}

static void test_a_kernel_that_hides_its_addresses_has_no_symbols(void **data)
{
	struct fg_kallsyms k;

	(void)data;
	load_list(&k, "0000000000000000 T _text\n0000000000000000 t f\n", false);
	assert_int_equal(k.size, 0);
	check_listed(&k, 0, "nothing");
	fg_kallsyms_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_are_those_of_the_recorded_kernel),
		cmocka_unit_test(test_a_long_list_is_found_in_any_order),
		cmocka_unit_test(test_only_the_needed_parts_of_a_list_are_read),
		cmocka_unit_test(test_a_kernel_that_hides_its_addresses_has_no_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
