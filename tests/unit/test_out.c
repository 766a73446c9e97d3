/* Tests of lib/base/out: all bytes arrive, or the close reports once why not. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/out.h"
#include "tests/unit/support/support.h"

static void test_memory_keeps_everything(void **state)
{
	struct fg_out o;

	(void)state;
	fg_out_init_memory(&o);
	fg_out_add(&o, "a\0b", 3);
	fg_out_add_str(&o, FG_STR("\xff"));
	fg_out_add_str(&o, fg_str_of(NULL, 0));
	fg_out_add_char(&o, '\n');
	fg_out_add_u64(&o, UINT64_MAX);
	fg_out_addf(&o, " %d%s", 7, "%");
	assert_str(fg_buf_str(&o.buf), "a\0b\xff\n18446744073709551615 7%");
	for (int i = 0; i < 100000; i++)
		fg_out_add(&o, "0123456789", 10);
	assert_int_equal(o.buf.len, 28 + 1000000);
	assert_int_equal(fg_out_close(&o), 0);
	assert_null(o.buf.ptr);
}

static void test_room_that_is_filled(void **state)
{
	struct fg_buf want = FG_BUF_INIT;
	struct fg_out o;

	(void)state;
	fg_out_init_memory(&o);
	for (size_t size = 1; size < 100000; size *= 2) {
		char *room;

		fg_out_add_char(&o, '<');
		room = fg_out_reserve(&o, size);
		memset(room, 'x', size);
		fg_out_advance(&o, room + size / 2);
		fg_buf_add_char(&want, '<');
		fg_buf_reserve(&want, size);
		memset(want.ptr + want.len, 'x', size);
		want.len += size / 2;
	}
	assert_str_is(fg_buf_str(&o.buf), fg_buf_str(&want));
	fg_buf_release(&want);
	assert_int_equal(fg_out_close(&o), 0);
}

/* Pieces of many sizes that do not divide the size of the buffer. */
static void test_a_file_gets_every_byte(void **state)
{
	struct random random = { 17 };
	struct fg_buf want = FG_BUF_INIT, got = FG_BUF_INIT;
	struct folder folder;
	struct caught c;
	struct fg_out o;
	int fd;

	(void)state;
	folder_init(&folder);
	caught_init(&c);
	fd = open(folder_path(&folder, "out"), O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	fg_out_init(&o, fd, "out", &c.diag);
	for (size_t size = 1; size < 300000; size += size / 3 + 1) {
		size_t start = want.len;

		random_bytes(&random, &want, size, FG_STR(""));
		fg_out_add(&o, want.ptr + start, size);
		fg_out_add_u64(&o, size);
		fg_buf_add_u64(&want, size);
		fg_out_addf(&o, "%x", (unsigned)size);
		fg_buf_addf(&want, "%x", (unsigned)size);
	}
	assert_true(o.buf.len < want.len / 2);
	assert_int_equal(fg_out_close(&o), 0);
	assert_int_equal(close(fd), 0);
	assert_true(file_read(folder_path(&folder, "out"), &got));
	assert_str_is(fg_buf_str(&got), fg_buf_str(&want));
	assert_int_equal(c.text.len, 0);
	fg_buf_release(&want);
	fg_buf_release(&got);
	caught_release(&c);
	folder_release(&folder);
}

/* Nothing, less than a buffer and many buffers are written. */
static const size_t amounts[] = { 0, 1, 1000000 };

static void write_amount(struct fg_out *o, size_t amount)
{
	for (size_t i = 0; i < amount; i++)
		fg_out_add_char(o, 'x');
}

static void test_a_full_disk_is_reported_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(amounts); i++) {
		int fd = open("/dev/full", O_WRONLY);
		struct caught c;
		struct fg_out o;

		if (fd < 0)
			skip();
		caught_init(&c);
		fg_out_init(&o, fd, "(standard output)", &c.diag);
		write_amount(&o, amounts[i]);
		assert_int_equal(c.diag.errors, 0);
		assert_int_equal(fg_out_close(&o), amounts[i] ? -1 : 0);
		assert_int_equal(c.diag.errors, amounts[i] ? 1 : 0);
		if (amounts[i]) {
			assert_has(fg_buf_str(&c.text),
				   "prog: (standard output): cannot write: ");
			assert_has(fg_buf_str(&c.text), strerror(ENOSPC));
		}
		caught_release(&c);
		close(fd);
	}
}

static void test_after_an_error_nothing_is_kept_or_written(void **state)
{
	struct caught c;
	struct fg_out o;
	int ends[2];

	(void)state;
	caught_init(&c);
	assert_int_equal(pipe(ends), 0);
	fg_out_init(&o, ends[0], "out", &c.diag); /* the end for reading */
	write_amount(&o, 100000);
	assert_int_equal(o.error, EBADF);
	o.fd = ends[1];
	write_amount(&o, 1000000);
	assert_true(o.buf.alloc < 500000);
	assert_int_equal(fg_out_close(&o), -1);
	assert_has(fg_buf_str(&c.text), strerror(EBADF));
	close(ends[1]);
	assert_int_equal(read(ends[0], (char[1]){ 0 }, 1), 0);
	close(ends[0]);
	caught_release(&c);
}

static void test_a_closed_pipe_is_a_silent_failure(void **state)
{
	struct sigaction ignore, before;

	(void)state;
	memset(&ignore, 0, sizeof(ignore));
	ignore.sa_handler = SIG_IGN;
	assert_int_equal(sigaction(SIGPIPE, &ignore, &before), 0);
	for (size_t i = 0; i < COUNT_OF(amounts); i++) {
		struct caught c;
		struct fg_out o;
		int ends[2];

		caught_init(&c);
		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		fg_out_init(&o, ends[1], "out", &c.diag);
		write_amount(&o, amounts[i]);
		assert_int_equal(fg_out_close(&o), amounts[i] ? -1 : 0);
		assert_int_equal(c.text.len, 0);
		assert_int_equal(c.diag.errors, 0);
		close(ends[1]);
		caught_release(&c);
	}
	sigaction(SIGPIPE, &before, NULL);
}

static void ignore_signal(int number)
{
	(void)number;
}

#define WORDS 100000

/*
 * Reads a little at a time and interrupts the writer before each read. Exits with 0
 * if every byte came exactly once.
 */
static void read_and_interrupt(int fd)
{
	unsigned char bytes[997];
	uint32_t total = 0;
	bool good = true;
	ssize_t got;

	while ((got = read(fd, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < got; i++, total++)
			good = good &&
			       bytes[i] == (total / 4 >> 8 * (total % 4) & 0xff);
		kill(getppid(), SIGUSR1);
	}
	_exit(good && total == 4 * WORDS ? 0 : 1);
}

/* Writes all in one piece, which is more than a pipe holds. */
static void write_words(int fd)
{
	struct fg_buf words = FG_BUF_INIT;
	struct caught c;
	struct fg_out o;

	for (uint32_t word = 0; word < WORDS; word++)
		for (unsigned byte = 0; byte < 4; byte++)
			fg_buf_add_char(&words, (char)(word >> 8 * byte & 0xff));
	caught_init(&c);
	fg_out_init(&o, fd, "out", &c.diag);
	fg_out_add_str(&o, fg_buf_str(&words));
	assert_int_equal(fg_out_close(&o), 0);
	assert_int_equal(c.text.len, 0);
	caught_release(&c);
	fg_buf_release(&words);
}

static void test_writes_that_are_interrupted_go_on(void **state)
{
	struct sigaction action, before;
	int ends[2], status;
	pid_t child;

	(void)state;
	memset(&action, 0, sizeof(action));
	action.sa_handler = ignore_signal; /* without SA_RESTART */
	assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(ends[1]);
		read_and_interrupt(ends[0]);
	}
	close(ends[0]);
	write_words(ends[1]);
	close(ends[1]);
	while (waitpid(child, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	sigaction(SIGUSR1, &before, NULL);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* Many bytes are written before the close, for readers of a pipe and to save memory. */
static void test_many_bytes_are_written_before_the_close(void **state)
{
	static const char much[1 << 20];
	struct folder folder;
	struct caught caught;
	struct fg_out o;
	const char *path;
	int fd;

	(void)state;
	folder_init(&folder);
	caught_init(&caught);
	path = folder_path(&folder, "file");
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	fg_out_init(&o, fd, "file", &caught.diag);
	fg_out_add(&o, "little", 6);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	for (size_t i = 0; i < 200000; i++) {
		fg_out_add(&o, "0123456789", 10);
		assert_true(o.buf.len < 200000);
	}
	assert_true(lseek(fd, 0, SEEK_END) > 1800000);
	/* all but the last byte, because the run may still fail */
	fg_out_add(&o, much, sizeof(much));
	assert_int_equal(lseek(fd, 0, SEEK_END), 2000006 + sizeof(much) - 1);
	assert_int_equal(fg_out_close(&o), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 2000006 + sizeof(much));
	close(fd);
	caught_release(&caught);
	folder_release(&folder);
}

/* Returns how many of `count` bytes are written before the close. */
static off_t written_of(size_t count, bool fails)
{
	struct folder folder;
	struct caught caught;
	struct fg_out o;
	off_t before, after;
	int fd;

	folder_init(&folder);
	caught_init(&caught);
	fd = open(folder_path(&folder, "file"), O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	fg_out_init(&o, fd, "file", &caught.diag);
	write_amount(&o, count);
	before = lseek(fd, 0, SEEK_END);
	if (fails)
		fg_out_drop(&o);
	assert_int_equal(fg_out_close(&o), 0);
	after = lseek(fd, 0, SEEK_END);
	assert_int_equal(after, fails ? before : (off_t)count);
	close(fd);
	caught_release(&caught);
	folder_release(&folder);
	return before;
}

/* The output of a run that fails never looks complete, whatever its size. */
static void test_the_last_byte_waits_for_the_close(void **state)
{
	(void)state;
	for (size_t count = 65530; count <= 65540; count++)
		for (int fails = 0; fails < 2; fails++)
			assert_true(written_of(count, fails) < (off_t)count);
	assert_true(written_of(1 << 20, true) < 1 << 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_bytes_are_written_before_the_close),
		cmocka_unit_test(test_the_last_byte_waits_for_the_close),
		cmocka_unit_test(test_memory_keeps_everything),
		cmocka_unit_test(test_room_that_is_filled),
		cmocka_unit_test(test_a_file_gets_every_byte),
		cmocka_unit_test(test_a_full_disk_is_reported_once),
		cmocka_unit_test(test_after_an_error_nothing_is_kept_or_written),
		cmocka_unit_test(test_writes_that_are_interrupted_go_on),
		cmocka_unit_test(test_a_closed_pipe_is_a_silent_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
