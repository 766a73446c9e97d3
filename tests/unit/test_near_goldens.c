/*
 * Golden inputs of the collapsers, changed in one place, are read alike in blocks of
 * any size. See tests/unit/support/near.h.
 */
#include <string.h>

#include "tests/unit/support/collapse.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/near.h"

/*
 * Longer inputs take too long. perf has as many goldens as all others together, so it
 * gets fewer changes.
 */
#define INPUT_MAX 8192
#define CHANGES 24
#define CHANGES_OF_PERF 8

static void read_profile(const void *format, struct fg_str text, const char *arguments,
			 size_t block_size, struct fg_buf *result)
{
	struct collapsed got;

	collapse_format(format, text, (struct collapse_how){ arguments, block_size },
			&got);
	fg_buf_clear(result);
	fg_buf_add_str(result, fg_buf_str(&got.out.buf));
	fg_buf_add_str(result, fg_buf_str(&got.caught.text));
	fg_buf_addf(result, "status %d\n", got.status ? 1 : 0);
	collapsed_release(&got);
}

/* Tries one run of a golden case; a golden_visit. Returns false if it is not for us. */
static bool check_run(const struct golden_run *run, void *data)
{
	/* Options that run other programs, need regular files or write some. */
	static const char *const except[] = { "--inline", "--symbols", "%", "--split",
					      NULL };
	const struct fg_format *format = data;
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT, name = FG_BUF_INIT;
	bool usable = golden_read(run->folder, "input", &text) && text.len &&
		      text.len <= INPUT_MAX &&
		      !fg_str_starts(fg_buf_str(&text), FG_STR("\x1f\x8b")) &&
		      golden_arguments(run, except, &arguments);

	if (usable) {
		fg_buf_addf(&name, "%s%s", run->folder + strlen("tests/golden/"),
			    run->args + strlen("args"));
		near_try(fg_buf_cstr(&name), fg_buf_str(&text), fg_buf_cstr(&arguments),
			 format == &fg_format_perf ? CHANGES_OF_PERF : CHANGES,
			 read_profile, format);
	}
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	fg_buf_release(&name);
	return usable;
}

static void changed_goldens_are_read_alike_in_blocks_of_any_size(void **state)
{
	(void)state;
	for (size_t i = 0; fg_formats[i]; i++)
		golden_visit(fg_formats[i]->kind->name, check_run,
			     (void *)(uintptr_t)fg_formats[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_goldens_are_read_alike_in_blocks_of_any_size),
	};

	return cmocka_run_group_tests_name("near_goldens", tests, NULL, NULL);
}
