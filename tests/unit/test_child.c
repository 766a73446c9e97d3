/* Tests of programs that are run to their end. */
#include "lib/base/child.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "tests/unit/support/support.h"

static void test_answers(void **state)
{
	static const struct {
		const char *script;
		enum fg_ask_stream stream;
		int status;
		const char *want;
	} table[] = {
		{ "echo out; echo err >&2; exit 3", FG_ASK_OUTPUT, 3, "out\n" },
		{ "echo out; echo err >&2", FG_ASK_ERRORS, 0, "err\n" },
		{ "cat; kill -9 $$", FG_ASK_OUTPUT, 137, "" },
	};
	const char *args[] = { "sh", "-c", NULL, NULL };
	struct fg_ask ask = { .args = args };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		fg_buf_clear(&text);
		args[2] = table[i].script;
		ask.stream = table[i].stream;
		assert_int_equal(fg_ask(&ask, &text), table[i].status);
		assert_str_is(fg_buf_str(&text), fg_str_from(table[i].want));
	}
	args[0] = "/no/such/program";
	assert_int_equal(fg_ask(&ask, &text), 127);
	assert_int_equal(fg_run_program(args), 127);
	args[0] = "no-such-program";
	assert_int_equal(fg_ask(&ask, &text), 127);
	assert_int_equal(fg_run_program(args), 127);
	fg_buf_release(&text);
}

static void test_environment(void **state)
{
	static const char *const variables[] = { "A=1", "AB=2", "NEW=3", NULL };
	const char *const args[] = { "sh", "-c", "echo $A,$AB,$NEW,$ABC,$NE", NULL };
	const struct fg_ask ask = { .args = args, .variables = variables };
	struct fg_buf text = FG_BUF_INIT;

	(void)state;
	setenv("A", "old", 1);
	setenv("ABC", "4", 1);
	setenv("NE", "5", 1);
	assert_int_equal(fg_ask(&ask, &text), 0);
	assert_str(fg_buf_str(&text), "1,2,3,4,5\n");
	assert_string_equal(getenv("A"), "old");
	fg_buf_release(&text);
}

static void test_input(void **state)
{
	const char *const args[] = { "cat", NULL };
	struct fg_ask ask = { .args = args };
	struct fg_buf text = FG_BUF_INIT;
	int fds[2];

	(void)state;
	assert_int_equal(fg_io_pipe(fds), 0);
	assert_int_equal(fg_io_write_all(fds[1], "given", 5), 0);
	close(fds[1]);
	ask.input = fds[0];
	assert_int_equal(fg_ask(&ask, &text), 0);
	close(fds[0]);
	assert_str(fg_buf_str(&text), "given");
	fg_buf_release(&text);
}

static void test_statuses(void **state)
{
	const char *args[] = { "sh", "-c", "exit 3", NULL };

	(void)state;
	assert_int_equal(fg_run_program(args), 3);
	args[2] = "kill -15 $$";
	assert_int_equal(fg_run_program(args), 143);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_input),
		cmocka_unit_test(test_statuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
