/* Tests of lib/base/io: reads and writes wait until the descriptor is ready. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collapse/formats/perf/data/input.h"
#include "lib/base/io.h"
#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "tests/unit/support/support.h"

/* Ends a child that waits forever. */
#define CHILD_SECONDS 60

#define LINES 20000
#define LINE "a;b;c 7\n"

/* Waits until the pipe has at most, or at least, so many bytes. */
static void wait_for(int fd, int limit, bool at_most)
{
	int held;

	do
		assert_int_equal(ioctl(fd, FIONREAD, &held), 0);
	while (at_most ? held > limit : held < limit);
}

static void set_non_blocking(int fd)
{
	assert_int_equal(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK), 0);
}

static void join(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Writes half a line at a time, the next when the pipe has been empty for a while. */
static void write_halves(int fd)
{
	for (int i = 0; i < 5; i++) {
		if (write(fd, "a;b", 3) != 3)
			_exit(1);
		wait_for(fd, 0, true);
		poll(NULL, 0, 5);
		if (write(fd, " 5\n", 3) != 3)
			_exit(1);
	}
	_exit(0);
}

/* Reading without lines waits, too. */
static void test_a_recording_waits_for_its_input(void **state)
{
	struct fg_pd_input in = { .diag = NULL };
	char text[100];
	size_t len = 0;
	int64_t got;
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(CHILD_SECONDS);
		write_halves(ends[1]);
	}
	close(ends[1]);
	set_non_blocking(ends[0]);
	fg_pd_input_init(&in, ends[0], FG_STR("head"));
	while ((got = fg_pd_input_read(&in, text + len, sizeof(text) - len)) > 0)
		len += (size_t)got;
	assert_int_equal(got, 0);
	assert_int_equal(len, strlen("head") + 5 * strlen("a;b 5\n"));
	fg_pd_input_release(&in);
	close(ends[0]);
	join(child);
}

static void test_a_reader_waits_for_its_input(void **state)
{
	int ends[2], before = dup(STDIN_FILENO);
	struct fg_reader *r;
	struct fg_place at;
	struct fg_str line;
	struct caught c;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(CHILD_SECONDS);
		write_halves(ends[1]);
	}
	close(ends[1]);
	set_non_blocking(ends[0]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	caught_init(&c);
	r = fg_reader_open(NULL, 0, &c.diag);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(fg_reader_line(r, &line, &at), 1);
		assert_str(line, "a;b 5");
	}
	assert_int_equal(fg_reader_line(r, &line, &at), 0);
	assert_int_equal(c.text.len, 0);
	fg_reader_close(r);
	assert_int_equal(dup2(before, STDIN_FILENO), STDIN_FILENO);
	close(before);
	join(child);
	caught_release(&c);
}

/* Reads nothing until the pipe is full, so that its writer must wait. */
static void read_late(int fd)
{
	size_t total = 0;
	char bytes[4096];
	ssize_t got;

	wait_for(fd, 4096, false);
	poll(NULL, 0, 5);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		total += (size_t)got;
	_exit(total == LINES * (sizeof(LINE) - 1) ? 0 : 1);
}

static void test_a_writer_waits_for_its_reader(void **state)
{
	struct caught c;
	struct fg_out o;
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(CHILD_SECONDS);
		close(ends[1]);
		read_late(ends[0]);
	}
	close(ends[0]);
	set_non_blocking(ends[1]);
	caught_init(&c);
	fg_out_init(&o, ends[1], "out", &c.diag);
	for (int i = 0; i < LINES; i++)
		fg_out_add_str(&o, FG_STR(LINE));
	assert_int_equal(fg_out_close(&o), 0);
	assert_int_equal(c.text.len, 0);
	close(ends[1]);
	join(child);
	caught_release(&c);
}

static void ignore(int number)
{
	(void)number;
}

/* Interrupts the reader of the pipe, while the pipe is empty. */
static void write_after_signals(int fd)
{
	for (int i = 0; i < 20; i++) {
		kill(getppid(), SIGUSR1);
		poll(NULL, 0, 2);
	}
	_exit(write(fd, "a", 1) == 1 ? 0 : 1);
}

static void test_a_read_that_is_interrupted_goes_on(void **state)
{
	struct sigaction action = { .sa_handler = ignore }, before; /* no SA_RESTART */
	char byte = 0;
	int ends[2];
	pid_t child;

	(void)state;
	assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		write_after_signals(ends[1]);
	close(ends[1]);
	assert_int_equal(fg_io_read(ends[0], &byte, 1), 1);
	assert_int_equal(byte, 'a');
	assert_int_equal(fg_io_read(ends[0], &byte, 1), 0);
	close(ends[0]);
	join(child);
	sigaction(SIGUSR1, &before, NULL);
}

static void test_other_errors_are_returned(void **state)
{
	char byte = 'x';

	(void)state;
	assert_int_equal(fg_io_read(-1, &byte, 1), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(fg_io_write_all(-1, &byte, 1), EBADF);
	assert_int_equal(fg_io_write_all(-1, &byte, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_recording_waits_for_its_input),
		cmocka_unit_test(test_a_reader_waits_for_its_input),
		cmocka_unit_test(test_a_writer_waits_for_its_reader),
		cmocka_unit_test(test_a_read_that_is_interrupted_goes_on),
		cmocka_unit_test(test_other_errors_are_returned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
