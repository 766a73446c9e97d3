/*
 * Tests of lib/base/progress: the line's text, on a terminal, and silence elsewhere.
 */
#define _XOPEN_SOURCE 700 /* for posix_openpt */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/cli.h"
#include "lib/base/progress.h"
#include "tests/unit/support/support.h"

#define NOBODY_ASKS 1000

static void check_text(struct fg_progress_state state, size_t width, const char *want)
{
	struct fg_buf line = FG_BUF_INIT;

	fg_progress_text(&state, width, &line);
	assert_str_is(fg_buf_str(&line), fg_str_from(want));
	fg_buf_release(&line);
}

static void test_text(void **state)
{
	static const struct {
		struct fg_progress_state state;
		const char *want;
	} rows[] = {
		{ { 0, 0, 0, 0 }, "0 B" },
		{ { 999, 0, 0, 0 }, "999 B" },
		{ { 1000, 0, 0, 0 }, "1.0 kB" },
		{ { 999949, 0, 0, 0 }, "999.9 kB" },
		{ { 999950, 0, 0, 0 }, "1.0 MB" },
		{ { 577000000, 0, 0, 1000 }, "577.0 MB  577.0 MB/s" },
		{ { 3000, 0, 1, 2000 }, "3.0 kB  1.5 kB/s  1 sample" },
		{ { 3000, 0, 20, 2000 }, "3.0 kB  1.5 kB/s  20 samples" },
		{ { UINT64_MAX, 0, UINT64_MAX, 1 },
		  "18.4 EB  18446.7 EB/s  18446744073709551615 samples" },
		{ { 25, 100, 0, 1000 }, "25 %  00:03 left  25 B of 100 B  25 B/s" },
		{ { 1000, 61000, 7, 60000 },
		  "1 %  60:00 left  1.0 kB of 61.0 kB  17 B/s  7 samples" },
		{ { 999, 1000, 0, 1000 },
		  "99 %  00:00 left  999 B of 1.0 kB  999 B/s" },
		{ { 1000, 1000, 0, 1000 },
		  "100 %  00:00 left  1.0 kB of 1.0 kB  1.0 kB/s" },
		{ { 2000, 1000, 0, 1000 },
		  "100 %  00:00 left  2.0 kB of 1.0 kB  2.0 kB/s" },
		{ { 0, 1000, 0, 1000 }, "0 %  00:00 left  0 B of 1.0 kB  0 B/s" },
		{ { 1, UINT64_MAX, 0, 1000 }, "0 %  1 B of 18.4 EB  1 B/s" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		check_text(rows[i].state, NOBODY_ASKS, rows[i].want);
}

/* Fields that do not fit are left out, from the end on. */
static void test_width(void **state)
{
	static const struct fg_progress_state s = { 25, 100, 3, 1000 };
	static const char whole[] =
		"25 %  00:03 left  25 B of 100 B  25 B/s  3 samples";
	static const size_t ends[] = { 0, 4, 16, 31, 39, sizeof(whole) - 1 };
	size_t end = 0;

	(void)state;
	for (size_t width = 0; width < sizeof(whole) + 2; width++) {
		char want[sizeof(whole)] = "";

		if (end + 1 < COUNT_OF(ends) && width == ends[end + 1])
			end++;
		memcpy(want, whole, ends[end]);
		check_text(s, width, want);
	}
	assert_int_equal(end, COUNT_OF(ends) - 1);
}

static void test_calls_without_progress(void **state)
{
	(void)state;
	fg_progress_add_bytes(NULL, 1);
	fg_progress_add_samples(NULL, 1);
	fg_progress_clear(NULL);
	fg_progress_lock(NULL);
	fg_progress_unlock(NULL);
	fg_progress_stop(NULL);
}

static void start(void)
{
	static const char *const names[] = { "-" };
	static const struct fg_progress_plan plan = { "prog", names, 1, "waiting" };
	struct fg_progress *p = fg_progress_start(&plan);

	if (p)
		fg_progress_stop(p);
	_exit(p ? 1 : 0);
}

static void test_no_terminal(void **state)
{
	struct fg_buf errors = FG_BUF_INIT;

	(void)state;
	assert_int_equal(run_apart(start, &errors), 0);
	assert_str(fg_buf_str(&errors), "");
	fg_buf_release(&errors);
}

/* ---- on a terminal */

#define LONG_ENOUGH_MS 10000

/* A terminal in place of standard error, and the other side of it. */
struct terminal {
	int other;
	int error_before;
	struct folder folder;
	struct fg_buf shown;
};

static int terminal_setup(void **state)
{
	struct terminal *t = calloc(1, sizeof(*t));
	int terminal;

	assert_non_null(t);
	t->other = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(t->other >= 0 && !grantpt(t->other) && !unlockpt(t->other));
	terminal = open(ptsname(t->other), O_RDWR | O_NOCTTY);
	assert_true(terminal >= 0);
	t->error_before = dup(STDERR_FILENO);
	dup2(terminal, STDERR_FILENO);
	close(terminal);
	folder_init(&t->folder);
	setenv("TERM", "xterm", 1);
	*state = t;
	return 0;
}

static int terminal_teardown(void **state)
{
	struct terminal *t = *state;

	fflush(stderr);
	dup2(t->error_before, STDERR_FILENO);
	close(t->error_before);
	close(t->other);
	folder_release(&t->folder);
	fg_buf_release(&t->shown);
	free(t);
	return 0;
}

/* Returns true if the terminal gets the text before so much time has passed. */
static bool terminal_gets(struct terminal *t, const char *text, int milliseconds)
{
	struct pollfd fd = { .fd = t->other, .events = POLLIN };
	char bytes[200];

	while (!fg_str_has(fg_buf_str(&t->shown), fg_str_from(text))) {
		ssize_t got = 0;

		if (poll(&fd, 1, milliseconds) > 0)
			got = read(t->other, bytes, sizeof(bytes));
		if (got <= 0)
			return false;
		fg_buf_add(&t->shown, bytes, (size_t)got);
	}
	return true;
}

/* A missing file does not count. */
static void test_a_terminal_has_a_line(void **state)
{
	struct terminal *t = *state;
	struct folder *folder = &t->folder;
	char *path = strdup(folder_write(folder, "in", FG_STR("of ten byt")));
	const char *const names[] = { path, "/nowhere/at/all", path };
	const struct fg_progress_plan plan = { "prog", names, COUNT_OF(names), NULL };
	struct fg_progress *p = fg_progress_start(&plan);

	assert_non_null(p);
	fg_progress_add_bytes(p, 5);
	assert_true(terminal_gets(t, "\r25 %", LONG_ENOUGH_MS));
	assert_true(terminal_gets(t, "5 B of 20 B", LONG_ENOUGH_MS));
	fg_buf_clear(&t->shown);
	fg_progress_clear(p);
	assert_true(terminal_gets(t, "\r\033[K", LONG_ENOUGH_MS));
	fg_buf_clear(&t->shown);
	assert_false(terminal_gets(t, "%", 500));
	fg_progress_add_bytes(p, 5);
	assert_true(terminal_gets(t, "\r50 %", LONG_ENOUGH_MS));
	fg_buf_clear(&t->shown);
	fg_progress_stop(p);
	assert_true(terminal_gets(t, "\r\033[K", LONG_ENOUGH_MS));
	free(path);
}

/* We show nothing for a pipe, unless the program waits for one. */
static void test_a_pipe_has_a_line_only_if_the_program_waits(void **state)
{
	const char *const names[] = { "/dev/null" };
	struct fg_progress_plan plan = { "prog", names, COUNT_OF(names), NULL };
	struct fg_progress *p;

	(void)state;
	assert_null(fg_progress_start(&plan));
	plan.waiting = "waiting";
	p = fg_progress_start(&plan);
	assert_non_null(p);
	fg_progress_stop(p);
}

/* With --quiet there are only errors. */
static void test_quiet_has_no_line(void **state)
{
	static const int levels[] = { FG_QUIET, FG_NORMAL, FG_VERBOSE };
	struct fg_cli cli = { .program = "prog" };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(levels); i++) {
		struct fg_diag diag;

		fg_diag_init(&diag, "prog");
		diag.verbosity = levels[i];
		fg_cli_watch(&cli, "waiting", &diag);
		assert_int_equal(diag.progress != NULL, levels[i] > FG_QUIET);
		fg_progress_stop(diag.progress);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_calls_without_progress),
		cmocka_unit_test(test_no_terminal),
		cmocka_unit_test_setup_teardown(test_a_terminal_has_a_line,
						terminal_setup, terminal_teardown),
		cmocka_unit_test_setup_teardown(
			test_a_pipe_has_a_line_only_if_the_program_waits,
			terminal_setup, terminal_teardown),
		cmocka_unit_test_setup_teardown(test_quiet_has_no_line, terminal_setup,
						terminal_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
