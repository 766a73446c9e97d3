/* Tests of lib/base/intern: dense ids in the order of first appearance. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/intern.h"
#include "tests/unit/support/support.h"

static void test_empty(void **state)
{
	struct fg_intern t;

	(void)state;
	memset(&t, 0, sizeof(t));
	fg_intern_release(&t);
	fg_intern_init(&t);
	assert_int_equal(t.count, 0);
	fg_intern_release(&t);
	fg_intern_release(&t);
}

static void test_ids_are_dense_and_names_are_bytes(void **state)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("a"),    { NULL, 0 },	  FG_STR_INIT("A"),
		FG_STR_INIT("\0"),   FG_STR_INIT("a\0"),  FG_STR_INIT("a\0b"),
		FG_STR_INIT("a\0c"), FG_STR_INIT("\xff"), FG_STR_INIT("a "),
	};
	struct fg_intern t;

	(void)state;
	fg_intern_init(&t);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < COUNT_OF(names); i++) {
			assert_int_equal(fg_intern(&t, names[i]), i);
			assert_str_is(fg_intern_name(&t, i), names[i]);
		}
	assert_int_equal(t.count, COUNT_OF(names));
	fg_intern_release(&t);
	fg_intern_init(&t);
	assert_int_equal(fg_intern(&t, names[4]), 0);
	fg_intern_release(&t);
}

static void test_names_are_made_visible(void **state)
{
	struct fg_intern t;

	(void)state;
	fg_intern_init_visible(&t);
	assert_int_equal(fg_intern(&t, FG_STR("a\tb")), 0);
	assert_int_equal(fg_intern(&t, FG_STR("a\nb")), 1);
	assert_int_equal(fg_intern(&t, FG_STR("a\\nb")), 1);
	assert_int_equal(fg_intern(&t, FG_STR("a\nb")), 1);
	assert_str(fg_intern_name(&t, 1), "a\\nb");
	fg_intern_trim(&t);
	assert_int_equal(fg_intern(&t, FG_STR("\r")), 2);
	fg_intern_release(&t);
	assert_int_equal(fg_intern(&t, FG_STR("\r")), 0);
	assert_str(fg_intern_name(&t, 0), "\\x0d");
	fg_intern_release(&t);
}

static void test_the_name_is_copied(void **state)
{
	char name[] = "main";
	struct fg_intern t;

	(void)state;
	fg_intern_init(&t);
	assert_int_equal(fg_intern(&t, fg_str_of(name, 4)), 0);
	name[0] = 'p';
	assert_int_equal(fg_intern(&t, fg_str_of(name, 4)), 1);
	assert_str(fg_intern_name(&t, 0), "main");
	assert_str(fg_intern_name(&t, 1), "pain");
	fg_intern_release(&t);
}

/* More names than the table starts with slots for, several times over. */
static void test_many_names(void **state)
{
	enum { NAMES = 20000 };
	struct fg_intern t;
	struct fg_buf name = FG_BUF_INIT;
	const char *first;

	(void)state;
	fg_intern_init(&t);
	for (int round = 0; round < 3; round++)
		for (uint32_t i = 0; i < NAMES; i++) {
			fg_buf_clear(&name);
			fg_buf_addf(&name, "frame%x", (unsigned)i);
			assert_int_equal(fg_intern(&t, fg_buf_str(&name)), i);
			if (!round && !i)
				first = fg_intern_name(&t, 0).ptr;
			assert_str_is(fg_intern_name(&t, i), fg_buf_str(&name));
		}
	assert_int_equal(t.count, NAMES);
	assert_ptr_equal(fg_intern_name(&t, 0).ptr, first);
	fg_buf_release(&name);
	fg_intern_release(&t);
}

/* Names that were made to have equal hashes are still different names. */
static void test_colliding_names(void **state)
{
	const uint64_t start = FG_HASH_K1;
	struct fg_intern t;
	char name[16] = { 0 };

	(void)state;
	memcpy(name, &start, sizeof(start));
	fg_intern_init(&t);
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 200; i++) {
			name[15] = (char)i;
			assert_int_equal(fg_hash_bytes(name, 16, 0), 0);
			assert_int_equal(fg_intern(&t, fg_str_of(name, 16)), i);
		}
	fg_intern_release(&t);
}

/* After a trim, the table still knows its names, and new ones get new ids. */
static void test_trimming(void **state)
{
	enum { NAMES = 1000 };
	struct fg_intern t;

	(void)state;
	fg_intern_init(&t);
	for (int round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < NAMES + (uint32_t)round; i++)
			assert_int_equal(
				fg_intern(&t, fg_str_of((const char *)&i, sizeof(i))),
				i);
		fg_intern_trim(&t);
		assert_null(t.slots.at);
	}
	assert_int_equal(t.count, NAMES + 2);
	fg_intern_release(&t);
}

/* Names that are cut to the same name share its id, and so does that name itself. */
static void test_long_names_are_cut(void **state)
{
	struct fg_intern t;

	(void)state;
	fg_intern_init_visible(&t);
	t.longest = 8;
	assert_int_equal(fg_intern(&t, FG_STR("12345678")), 0);
	assert_int_equal(t.cut, 0);
	assert_int_equal(fg_intern(&t, FG_STR("123456789")), 1);
	assert_str(fg_intern_name(&t, 1), "12345...");
	assert_int_equal(fg_intern(&t, FG_STR("12345----")), 1);
	assert_int_equal(fg_intern(&t, FG_STR("12345...")), 1);
	assert_int_equal(t.cut, 1);
	assert_int_equal(fg_intern(&t, FG_STR("1234\xc3\xa9 and more")), 2);
	assert_str(fg_intern_name(&t, 2), "1234...");
	assert_int_equal(fg_intern(&t, FG_STR("1\n3456789")), 3);
	assert_str(fg_intern_name(&t, 3), "1\\n34...");
	assert_int_equal(fg_intern(&t, FG_STR("1\n\n\n\n")), 4);
	assert_str(fg_intern_name(&t, 4), "1\\n\\n...");
	assert_int_equal(t.cut, 4);
	t.visible = false;
	assert_int_equal(fg_intern(&t, FG_STR("a\nb456789")), 5);
	assert_str(fg_intern_name(&t, 5), "a\nb45...");
	t.longest = 0;
	assert_int_equal(fg_intern(&t, FG_STR("123456789")), 6);
	assert_str(fg_intern_name(&t, 6), "123456789");
	fg_intern_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_ids_are_dense_and_names_are_bytes),
		cmocka_unit_test(test_names_are_made_visible),
		cmocka_unit_test(test_the_name_is_copied),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_colliding_names),
		cmocka_unit_test(test_trimming),
		cmocka_unit_test(test_long_names_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
