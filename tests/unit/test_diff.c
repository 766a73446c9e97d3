/*
 * Tests of difffolded/diff: which lines are merged at once, and which go on the pile.
 */
#include "difffolded/diff.h"
#include "tests/unit/support/support.h"

struct fixture {
	struct caught caught;
	struct fg_diff diff;
};

static void init(struct fixture *f)
{
	caught_init(&f->caught);
	fg_diff_init(&f->diff, (struct fg_diff_options){ .root = NULL },
		     &f->caught.diag);
}

static void release(struct fixture *f)
{
	fg_diff_release(&f->diff);
	caught_release(&f->caught);
}

static void read(struct fixture *f, const char *lines, unsigned column)
{
	struct fg_reader *r =
		fg_reader_open_memory(fg_str_from(lines), "input", &f->caught.diag);

	assert_int_equal(fg_diff_read(&f->diff, r, "input", column), 0);
	fg_reader_close(r);
}

static void check_written(struct fixture *f, const char *lines)
{
	struct fg_out out;

	fg_out_init_memory(&out);
	assert_int_equal(fg_diff_write(&f->diff, &out), 0);
	assert_str_is(fg_buf_str(&out.buf), fg_str_from(lines));
	fg_out_close(&out);
}

static void first_profile_of_a_column_is_merged_at_once(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	read(&f, "a;b 1\na;c 2\n", FG_BEFORE);
	read(&f, "a;b 3\na;d 4\n", FG_AFTER);
	assert_int_equal(f.diff.pile.count, 0);
	check_written(&f, "a;b 1 3\na;c 2 0\na;d 0 4\n");
	release(&f);
}

/* Each profile that is merged walks everything that is merged already. */
static void later_profiles_of_a_column_go_on_the_pile(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	read(&f, "a;b 1\na;d 2\n", FG_BEFORE);
	for (size_t i = 1; i <= 3; i++) {
		read(&f, "a;b 1\na;c 4\n", FG_BEFORE);
		assert_int_equal(f.diff.pile.count, 2 * i);
	}
	read(&f, "a;c 5\n", FG_AFTER);
	read(&f, "a;b 3\n", FG_AFTER);
	check_written(&f, "a;b 1 1.5\na;c 3 2.5\na;d 0.5 0\n");
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_profile_of_a_column_is_merged_at_once),
		cmocka_unit_test(later_profiles_of_a_column_go_on_the_pile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
