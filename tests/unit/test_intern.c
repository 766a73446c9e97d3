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
	struct fg_buf taken = FG_BUF_INIT;
	struct fg_intern t;

	(void)state;
	fg_intern_init_visible(&t);
	assert_int_equal(fg_intern(&t, FG_STR("a\tb")), 0);
	assert_int_equal(fg_intern(&t, FG_STR("a\nb")), 1);
	assert_int_equal(fg_intern(&t, FG_STR("a\\nb")), 1);
	assert_int_equal(fg_intern(&t, FG_STR("a\nb")), 1);
	assert_str(fg_intern_name(&t, 1), "a\\nb");
	fg_buf_add_str(&taken, FG_STR("a\nb"));
	assert_int_equal(fg_intern_take(&t, &taken), 1);
	assert_null(taken.ptr);
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

/* Names made so that their hashes are equal are different names still. */
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

/* What was known before is known after, and what comes then is new. */
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

static void test_taking_a_name(void **state)
{
	struct fg_intern t;
	struct fg_buf name = FG_BUF_INIT;

	(void)state;
	fg_intern_init(&t);
	for (int round = 0; round < 2; round++) {
		fg_buf_add_str(&name, FG_STR("long name"));
		assert_int_equal(fg_intern_take(&t, &name), 0);
		assert_null(name.ptr);
		assert_int_equal(name.len, 0);
	}
	assert_int_equal(t.count, 1);
	assert_str_is(fg_intern_name(&t, 0), FG_STR("long name"));
	assert_int_equal(fg_intern(&t, FG_STR("long name")), 0);
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
		cmocka_unit_test(test_taking_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
