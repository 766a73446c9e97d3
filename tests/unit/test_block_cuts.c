/*
 * Tests that blocks of the input may end anywhere: the golden inputs of every format,
 * cut at each place, give the same lines and messages.
 */
#include <string.h>

#include "tests/unit/support/collapse.h"
#include "tests/unit/support/golden.h"

/* Longer inputs take too long to cut everywhere. */
#define INPUT_MAX 65536
#define CUTS_MAX 60

static void check_same(const struct collapsed *part, const struct collapsed *whole)
{
	assert_int_equal(part->status, whole->status);
	assert_str_is(fg_buf_str(&part->out.buf), fg_buf_str(&whole->out.buf));
	assert_str_is(fg_buf_str(&part->caught.text), fg_buf_str(&whole->caught.text));
}

static void check_cut(const struct fg_format *format, struct fg_str text,
		      struct collapse_how how, const struct collapsed *whole)
{
	struct collapsed part;

	collapse_format(format, text, how, &part);
	check_same(&part, whole);
	collapsed_release(&part);
}

/* Blocks of some sizes, and the first block ending at lines from start to end. */
static void check_text(const struct fg_format *format, struct fg_str text,
		       const char *arguments)
{
	static const size_t sizes[] = { 1, 7, 4096 };
	size_t step = text.len / CUTS_MAX + 1;
	struct collapsed whole;

	collapse_format(format, text, (struct collapse_how){ arguments, 0 }, &whole);
	for (size_t i = 0; i < COUNT_OF(sizes); i++)
		check_cut(format, text, (struct collapse_how){ arguments, sizes[i] },
			  &whole);
	for (size_t at = 0; at < text.len; at += step) {
		at += fg_str_find_char(fg_str_from_pos(text, at), '\n');
		check_cut(format, text, (struct collapse_how){ arguments, at + 1 },
			  &whole);
	}
	collapsed_release(&whole);
}

/* Checks a golden, as a struct golden_visit. Returns true if it was checked. */
static bool check_run(const struct golden_run *run, void *data)
{
	/* a "%" may ask for the time of a regular file */
	static const char *const except[] = { "%", NULL };
	const struct fg_format *format = data;
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT;
	bool usable;

	usable = golden_read(run->folder, "input", &text) && text.len &&
		 text.len <= INPUT_MAX && golden_arguments(run, except, &arguments);
	if (usable)
		check_text(format, fg_buf_str(&text), fg_buf_cstr(&arguments));
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	return usable;
}

static void goldens_can_be_cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++)
		assert_true(golden_visit(fg_formats[i]->kind->name, check_run,
					 (void *)fg_formats[i]) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(goldens_can_be_cut_anywhere),
	};

	return cmocka_run_group_tests_name("block_cuts", tests, NULL, NULL);
}
