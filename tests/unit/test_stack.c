/* Tests of collapse/stack: frames are added leaf first and read root first. */
#include "collapse/stack.h"
#include "tests/unit/support/support.h"

static void test_empty(void **state)
{
	struct fg_stack s = { NULL, 0, 0 };

	(void)state;
	assert_int_equal(fg_stack_depth(&s), 0);
	assert_null(fg_stack_ids(&s));
	fg_stack_clear(&s);
	assert_int_equal(fg_stack_depth(&s), 0);
	fg_stack_release(&s);
	fg_stack_release(&s);
}

/* Checks the stack after each frame, because the array grows in between. */
static void test_the_last_added_is_the_root(void **state)
{
	struct fg_stack s = { NULL, 0, 0 };

	(void)state;
	for (uint32_t depth = 1; depth <= 600; depth++) {
		const uint32_t *ids;

		fg_stack_add_root(&s, depth);
		assert_int_equal(fg_stack_depth(&s), depth);
		ids = fg_stack_ids(&s);
		for (uint32_t i = 0; i < depth; i++)
			assert_int_equal(ids[i], depth - i);
	}
	fg_stack_release(&s);
	assert_int_equal(fg_stack_depth(&s), 0);
}

static void test_clearing_keeps_the_array(void **state)
{
	struct fg_stack s = { NULL, 0, 0 };
	size_t alloc;

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		fg_stack_add_root(&s, i);
	alloc = s.alloc;
	fg_stack_clear(&s);
	assert_int_equal(fg_stack_depth(&s), 0);
	for (uint32_t i = 0; i < 100; i++)
		fg_stack_add_root(&s, UINT32_MAX - i);
	assert_int_equal(s.alloc, alloc);
	assert_int_equal(fg_stack_ids(&s)[0], UINT32_MAX - 99);
	assert_int_equal(fg_stack_ids(&s)[99], UINT32_MAX);
	fg_stack_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_the_last_added_is_the_root),
		cmocka_unit_test(test_clearing_keeps_the_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
