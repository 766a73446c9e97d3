/*
 * Tests of collapse/symbols: we warn of files that were replaced or written to while
 * perf recorded.
 */
#include "collapse/symbols/dsos.h"

#include "tests/unit/support/support.h"

/*
 * The recording ends at 1,000,000 ns, when its own clock is at 9,000. The file was
 * mapped at 5,000 of that clock, which is 996,000 ns.
 */
static const struct fg_dsos_period period = { .first = 2000,
					      .last = 9000,
					      .end = 1000000 };

/* Returns an unchanged file with symbols. Each test changes some fields. */
static struct fg_dso plain(void)
{
	struct fg_dso dso = { .name = FG_STR("app"), .found_inode = 3 };

	dso.had_symbols = true;
	dso.identity.inode = 3;
	dso.identity.time = 5000;
	dso.found_written = dso.found_changed = 500000;
	return dso;
}

/* Checks the warning for these files; "": there is none. */
static void check(struct fg_dso *list, size_t count, const struct fg_dsos_period *when,
		  const char *want)
{
	const struct fg_dsos d = { .list = list, .count = count };
	struct caught caught;

	caught_init(&caught);
	fg_dsos_report_replaced(&d, &caught.diag, NULL, when);
	check_str(fg_buf_str(&caught.text), fg_str_from(want), __FILE__, __LINE__);
	caught_release(&caught);
}

#define REPLACED \
	"replaced or written to while it ran, so names of functions may be wrong\n"

static void check_one(struct fg_dso dso, bool want)
{
	check(&dso, 1, &period, want ? "prog: app: " REPLACED : "");
}

static void a_file_is_written_to_after_it_was_mapped(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	check_one(dso, false);
	dso.found_written = 996000;
	check_one(dso, false);
	dso.found_written++;
	check_one(dso, true);
	dso.identity.time++;
	check_one(dso, false);
}

/* A file without a time counts as mapped at the first sample. */
static void the_recording_begins_with_its_first_sample(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	dso.identity.time = 0;
	dso.found_written = 993000;
	check_one(dso, false);
	dso.found_written++;
	check_one(dso, true);
}

/* A file that was moved there keeps the time at which it was written. */
static void a_file_is_put_in_the_place_of_another(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	dso.found_changed = 996001;
	check_one(dso, false);
	dso.found_inode = 4;
	check_one(dso, true);
	dso.found_changed--;
	check_one(dso, false);
	dso.found_changed++;
	dso.identity.inode = 0; /* not known */
	check_one(dso, false);
}

static void two_files_of_one_name_were_mapped(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	dso.identity.other = true;
	check_one(dso, true);
	dso.identity.sure = true;
	check_one(dso, false);
}

/* Samples in the new file get the names of the new file. */
static void a_file_in_the_place_of_another_is_another_dso(void **data)
{
	struct fg_dso_mapped app = { .name = FG_STR("/none/app"), .executable = true };
	struct fg_dsos d;
	uint32_t first, second, third;

	(void)data;
	fg_dsos_init(&d, "/none");
	app.identity = (struct fg_dso_identity){ .device = 8, .inode = 3 };
	first = fg_dsos_of(&d, &app);
	app.identity.inode = 4;
	second = fg_dsos_of(&d, &app);
	assert_int_not_equal(first, second);
	assert_true(d.list[first].identity.other);
	assert_false(d.list[second].identity.other);
	assert_int_equal(fg_dsos_of(&d, &app), second);
	app.identity.inode = 3;
	assert_int_equal(fg_dsos_of(&d, &app), first);
	app.identity.inode = 0; /* not known */
	assert_int_equal(fg_dsos_of(&d, &app), first);
	/* on another device */
	app.identity = (struct fg_dso_identity){ .device = 9, .inode = 3 };
	third = fg_dsos_of(&d, &app);
	assert_int_not_equal(third, first);
	assert_int_not_equal(third, second);
	assert_false(d.list[third].identity.other);
	d.list[first].identity.other = false;
	assert_int_equal(fg_dsos_of(&d, &app), third);
	assert_false(d.list[first].identity.other);
	fg_dsos_release(&d);
}

static void files_without_symbols_are_not_reported(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	dso.identity.other = true;
	dso.had_symbols = false;
	check_one(dso, false);
	dso.had_symbols = true;
	dso.found_inode = 0;
	check_one(dso, false);
}

/* A file with the recorded build id is the same one, written once more. */
static void a_file_written_later_is_reported_without_a_build_id(void **data)
{
	struct fg_dso dso = plain();

	(void)data;
	dso.found_written = period.end + 1;
	check_one(dso, true);
	dso.build_id.len = 20;
	check_one(dso, false);
	dso.found_written = period.end;
	check_one(dso, true);
}

static void without_times_nothing_is_reported(void **data)
{
	static const struct fg_dsos_period rows[] = {
		{ .first = 2000, .last = 9000, .end = 0 },
		{ .first = 2000, .last = 4999, .end = 1000000 },
		{ .first = 2000, .last = 5001 + INT64_MAX / 2, .end = 1000000 },
	};
	static const struct fg_dsos_period known[] = {
		{ .first = 2000, .last = 5000, .end = 1000000 },
		{ .first = 2000, .last = 5000 + INT64_MAX / 2, .end = 1000000 },
	};
	struct fg_dso dso = plain();

	(void)data;
	dso.found_written = period.end + 1;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check(&dso, 1, &rows[i], "");
	for (size_t i = 0; i < COUNT_OF(known); i++)
		check(&dso, 1, &known[i], "prog: app: " REPLACED);
}

static void the_first_is_named_and_the_others_are_counted(void **data)
{
	struct fg_dso list[4] = { plain(), plain(), plain(), plain() };

	(void)data;
	list[1].name = FG_STR("second");
	list[1].identity.other = list[2].identity.other = true;
	list[2].name = FG_STR("third");
	check(list, 4, &period, "prog: second and 1 other files: " REPLACED);
	list[3].identity.other = true;
	check(list, 4, &period, "prog: second and 2 other files: " REPLACED);
	check(list, 2, &period, "prog: second: " REPLACED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_written_to_after_it_was_mapped),
		cmocka_unit_test(the_recording_begins_with_its_first_sample),
		cmocka_unit_test(a_file_is_put_in_the_place_of_another),
		cmocka_unit_test(two_files_of_one_name_were_mapped),
		cmocka_unit_test(a_file_in_the_place_of_another_is_another_dso),
		cmocka_unit_test(files_without_symbols_are_not_reported),
		cmocka_unit_test(a_file_written_later_is_reported_without_a_build_id),
		cmocka_unit_test(without_times_nothing_is_reported),
		cmocka_unit_test(the_first_is_named_and_the_others_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
