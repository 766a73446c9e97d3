/*
 * What is nearly a golden input of a collapser, or a recording of tests/data, is read
 * as before: each is changed in a place, by a byte that is missing, added, another or
 * one more or less. tests/unit/support/near.h says what is compared.
 */
#include <string.h>

#include "collapse/formats/perf/data/elf.h"
#include "tests/unit/support/collapse.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/near.h"
#include "tests/unit/support/recording.h"

/* What is longer takes too long; perf has as many goldens as all others together. */
#define INPUT_MAX 8192
#define PAIRS 12
#define PAIRS_OF_PERF 4
#define PAIRS_OF_RECORDINGS 100

static void read_profile(const void *format, struct fg_str text, const char *arguments,
			 struct fg_buf *result)
{
	struct collapsed got;

	collapse_format(format, text, (struct collapse_how){ arguments, 0 }, &got);
	fg_buf_clear(result);
	fg_buf_add_str(result, fg_buf_str(&got.out.buf));
	fg_buf_add_str(result, fg_buf_str(&got.caught.text));
	fg_buf_addf(result, "status %d\n", got.status ? 1 : 0);
	collapsed_release(&got);
}

static void read_recording(const void *data, struct fg_str text, const char *arguments,
			   struct fg_buf *result)
{
	struct fg_perfdata pd = { .fd = -1, .head = text, .no_symbols = true };
	int status;

	(void)data;
	(void)arguments;
	fg_buf_clear(result);
	status = recording_hear(&pd, result);
	fg_buf_addf(result, "status %d\n", status ? 1 : 0);
}

/* Whether the run was tried: a struct golden_visit. */
static bool check_run(const struct golden_run *run, void *data)
{
	/* What asks other programs, needs regular files or writes some. */
	static const char *const except[] = { "--inline", "--symbols", "%", "--split",
					      NULL };
	struct near *n = data;
	struct fg_buf text = FG_BUF_INIT, arguments = FG_BUF_INIT, name = FG_BUF_INIT;
	bool usable = golden_read(run->folder, "input", &text) && text.len &&
		      text.len <= INPUT_MAX &&
		      !fg_str_starts(fg_buf_str(&text), FG_STR("\x1f\x8b")) &&
		      golden_arguments(run, except, &arguments);

	if (usable) {
		fg_buf_addf(&name, "%s%s", run->folder + strlen("tests/golden/"),
			    run->args + strlen("args"));
		near_try(n, &(struct near_input){ fg_buf_cstr(&name), fg_buf_str(&text),
						  fg_buf_cstr(&arguments),
						  n->data == &fg_format_perf ?
							  PAIRS_OF_PERF :
							  PAIRS });
	}
	fg_buf_release(&text);
	fg_buf_release(&arguments);
	fg_buf_release(&name);
	return usable;
}

/* That of xctrace is XML, of which versions of libxml2 say different things. */
static void what_is_nearly_a_golden_input_is_read_as_before(void **state)
{
	struct near n = { .path = "goldens", .read = read_profile };

	(void)state;
	near_start(&n);
	for (size_t i = 0; fg_formats[i]; i++) {
		n.data = fg_formats[i];
		if (fg_formats[i] != &fg_format_xctrace)
			golden_visit(fg_formats[i]->kind->name, check_run, &n);
	}
	near_end(&n);
}

/* Of those that need libelf only. */
static void what_is_nearly_a_recording_is_read_as_before(void **state)
{
	static const char *const names[] = { "frames.data",   "fork.data",
					     "fields.data",   "events.data",
					     "flat.data",     "switch.data",
					     "mmap-ids.data", "pipe.stream" };
	struct near n = { .path = "recordings", .read = read_recording };
	struct fg_buf bytes = FG_BUF_INIT;

	(void)state;
	/* They are of a machine whose low byte comes first. */
	if (!fg_pd_elf_is_here() || !*(const unsigned char *)&(uint16_t){ 1 })
		skip();
	near_start(&n);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_true(golden_read("tests/data/perfdata", names[i], &bytes));
		near_try(&n, &(struct near_input){ names[i], fg_buf_str(&bytes), "",
						   PAIRS_OF_RECORDINGS });
	}
	near_end(&n);
	fg_buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_nearly_a_golden_input_is_read_as_before),
		cmocka_unit_test(what_is_nearly_a_recording_is_read_as_before),
	};

	return cmocka_run_group_tests_name("near_goldens", tests, NULL, NULL);
}
