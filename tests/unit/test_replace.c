/*
 * Tests of lib/base/replace: there is the old file or the new one, and no other.
 */
#define _GNU_SOURCE /* for syscall */
#include "lib/base/replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/support/support.h"

/* A folder with the file "it", which holds "old". */
struct fixture {
	struct folder folder;
	struct caught caught;
	struct fg_replacement r;
};

static void set_up(struct fixture *f)
{
	folder_init(&f->folder);
	caught_init(&f->caught);
	folder_write(&f->folder, "it", FG_STR("old"));
	assert_int_equal(chdir(f->folder.path), 0);
	umask(022);
}

static void tear_down(struct fixture *f)
{
	assert_int_equal(chdir("/"), 0);
	caught_release(&f->caught);
	folder_release(&f->folder);
}

static int start(struct fixture *f, const char *name)
{
	return fg_replacement_open(&f->r, name, &f->caught.diag);
}

static void write_new(struct fixture *f)
{
	assert_int_equal(write(f->r.fd, "new", 3), 3);
}

static void replace(struct fixture *f, const char *name)
{
	assert_int_equal(start(f, name), 0);
	write_new(f);
	assert_int_equal(fg_replacement_finish(&f->r), 0);
	assert_int_equal(f->caught.text.len, 0);
}

#define assert_holds(name, text) check_holds((name), FG_STR(text), __FILE__, __LINE__)
static void check_holds(const char *name, struct fg_str want, const char *file,
			int line)
{
	struct fg_buf bytes = FG_BUF_INIT;

	assert_true(file_read(name, &bytes));
	check_str(fg_buf_str(&bytes), want, file, line);
	fg_buf_release(&bytes);
}

static unsigned mode_of(const char *name)
{
	struct stat st;

	assert_int_equal(lstat(name, &st), 0);
	return st.st_mode & 07777;
}

/* Returns the number of files in the folder. */
static size_t count_files(void)
{
	DIR *folder = opendir(".");
	size_t count = 0;

	assert_non_null(folder);
	for (struct dirent *e; (e = readdir(folder));)
		count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	closedir(folder);
	return count;
}

static void a_file_is_replaced_at_the_end(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(start(&f, "it"), 0);
	write_new(&f);
	assert_holds("it", "old");
	assert_int_equal(count_files(), 1);
	assert_int_equal(fg_replacement_finish(&f.r), 0);
	assert_holds("it", "new");
	replace(&f, "another");
	assert_holds("another", "new");
	assert_int_equal(mode_of("another"), 0644);
	replace(&f, "./again");
	assert_holds("again", "new");
	assert_int_equal(count_files(), 3);
	tear_down(&f);
}

static void an_abandoned_file_is_as_it_was(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(start(&f, "it"), 0);
	write_new(&f);
	fg_replacement_abandon(&f.r);
	assert_holds("it", "old");
	assert_int_equal(start(&f, "another"), 0);
	write_new(&f);
	fg_replacement_abandon(&f.r);
	assert_int_equal(count_files(), 1);
	tear_down(&f);
}

static void permissions_and_owner_stay(void **state)
{
	struct fixture f;
	struct stat st;

	(void)state;
	set_up(&f);
	assert_int_equal(chmod("it", 0620), 0);
	if (!geteuid())
		assert_int_equal(chown("it", 12345, 12346), 0);
	replace(&f, "it");
	assert_int_equal(mode_of("it"), 0620);
	assert_int_equal(stat("it", &st), 0);
	if (!geteuid()) {
		assert_int_equal(st.st_uid, 12345);
		assert_int_equal(st.st_gid, 12346);
	}
	tear_down(&f);
}

static void a_link_stays_a_link(void **state)
{
	struct fixture f;
	struct stat st;

	(void)state;
	set_up(&f);
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(symlink("../it", "folder/link"), 0);
	replace(&f, "folder/link");
	assert_int_equal(lstat("folder/link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_holds("it", "new");
	assert_int_equal(symlink("none", "dangling"), 0);
	replace(&f, "dangling");
	assert_holds("none", "new");
	assert_int_equal(unlink("folder/link"), 0);
	assert_int_equal(rmdir("folder"), 0);
	tear_down(&f);
}

/*
 * Puts, in turns, a file that all may read and a link to a secret one in place of the
 * file, until the test has ended.
 */
static void change_what_is_there(pid_t test)
{
	while (getppid() == test) {
		int fd = open("next", O_WRONLY | O_CREAT, 0644);

		if (fd < 0 || close(fd) || rename("next", "it") ||
		    symlink("secret", "next") || rename("next", "it"))
			break;
	}
	_exit(0);
}

/* The new file has the permissions of the file it replaces, whatever `it` became. */
static void a_link_that_comes_in_between_is_not_followed(void **state)
{
	struct fixture f;
	struct stat st;
	pid_t pid, test = getpid();

	(void)state;
	set_up(&f);
	folder_write(&f.folder, "secret", FG_STR("secret"));
	assert_int_equal(chmod("secret", 0600), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		change_what_is_there(test);
	for (int i = 0; i < 3000; i++) {
		if (!start(&f, "it"))
			assert_int_equal(fg_replacement_finish(&f.r), 0);
		assert_int_equal(stat("secret", &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink("next");
	tear_down(&f);
}

static void read_only_files_are_left_alone(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(chmod("it", 0444), 0);
	assert_int_equal(start(&f, "it"), -1);
	assert_str(fg_buf_str(&f.caught.text),
		   "prog: it: cannot write: Permission denied\n");
	assert_int_equal(chmod("it", 0600), 0);
	assert_holds("it", "old");
	tear_down(&f);
}

/* Each of these fails at the start, with its own message. */
static void impossible_names_are_reported(void **state)
{
	static const struct {
		const char *name;
		int error;
	} cases[] = {
		{ "", ENOENT },
		{ ".", EISDIR },
		{ "no-such/file", ENOENT },
		{ "it/file", ENOTDIR },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct fixture f;

		set_up(&f);
		assert_int_equal(start(&f, cases[i].name), -1);
		assert_int_equal(f.caught.diag.errors, 1);
		assert_has(fg_buf_str(&f.caught.text), strerror(cases[i].error));
		assert_int_equal(count_files(), 1);
		tear_down(&f);
	}
}

/* The end fails if a folder has taken the name. */
static void a_failure_at_the_end_leaves_nothing(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(start(&f, "another"), 0);
	write_new(&f);
	assert_int_equal(mkdir("another", 0700), 0);
	assert_int_equal(fg_replacement_finish(&f.r), -1);
	assert_int_equal(f.caught.diag.errors, 1);
	assert_has(fg_buf_str(&f.caught.text), "prog: another: cannot write: ");
	assert_int_equal(rmdir("another"), 0);
	assert_int_equal(count_files(), 1);
	tear_down(&f);
}

static void a_fifo_is_written_to(void **state)
{
	struct fixture f;
	char bytes[4];
	int fd;

	(void)state;
	set_up(&f);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	fd = open("fifo", O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	replace(&f, "fifo");
	assert_int_equal(read(fd, bytes, sizeof(bytes)), 3);
	close(fd);
	assert_int_equal(count_files(), 2);
	tear_down(&f);
}

static void an_open_file_is_written_to(void **state)
{
	struct fixture f;
	char name[40];
	int fd;

	(void)state;
	set_up(&f);
	fd = open("it", O_WRONLY | O_APPEND);
	assert_true(fd >= 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	if (access(name, W_OK))
		skip();
	replace(&f, name);
	assert_holds("it", "oldnew");
	close(fd);
	tear_down(&f);
}

/* Other text in the file, such as messages, stays. */
static void standard_error_is_written_to(void **state)
{
	struct fixture f;
	int error = dup(STDERR_FILENO);
	int fd, status;

	(void)state;
	set_up(&f);
	fd = open("it", O_WRONLY | O_TRUNC);
	assert_true(fd >= 0 && error >= 0);
	dup2(fd, STDERR_FILENO);
	status = start(&f, "it");
	dprintf(STDERR_FILENO, "say ");
	dprintf(f.r.fd, "new");
	fg_replacement_finish(&f.r);
	dprintf(STDERR_FILENO, " say");
	dup2(error, STDERR_FILENO);
	assert_int_equal(status, 0);
	assert_holds("it", "say new say");
	close(fd);
	close(error);
	tear_down(&f);
}

/* Text for a closed standard stream does not end up in the file. */
static void a_closed_stream_is_not_the_file(void **state)
{
	struct fixture f;
	int kept, fd;

	(void)state;
	set_up(&f);
	kept = dup(STDERR_FILENO);
	close(STDERR_FILENO);
	assert_int_equal(start(&f, "it"), 0);
	fd = f.r.fd;
	fg_replacement_abandon(&f.r);
	assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
	close(kept);
	assert_true(fd > STDERR_FILENO);
	tear_down(&f);
}

static void temporary_names_that_are_taken_stay(void **state)
{
	struct fixture f;
	char name[100];

	(void)state;
	set_up(&f);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), ".flamepipe-%ld-%d", (long)getpid(), i);
		folder_write(&f.folder, name, FG_STR("theirs"));
	}
	replace(&f, "it");
	assert_holds("it", "new");
	assert_holds(name, "theirs");
	assert_int_equal(count_files(), 4);
	tear_down(&f);
}

static void a_signal_leaves_nothing(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGKILL };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		struct fixture f;
		pid_t child;
		int status;

		set_up(&f);
		child = fork();
		if (!child) {
			/* a background run may ignore the signal */
			if (numbers[i] != SIGKILL)
				signal(numbers[i], SIG_DFL);
			if (!start(&f, "it")) {
				write_new(&f);
				raise(numbers[i]);
			}
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_holds("it", "old");
		assert_int_equal(count_files(), 1);
		tear_down(&f);
	}
}

#ifdef __linux__
/* Replaces libc's close(): some file systems report a full disk only there. */
static int closes_until_failure;

int close(int fd)
{
	int status = (int)syscall(SYS_close, fd);

	if (!closes_until_failure || --closes_until_failure)
		return status;
	errno = EDQUOT;
	return -1;
}

static void test_a_failed_close_leaves_the_old_file(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(start(&f, "it"), 0);
	write_new(&f);
	closes_until_failure = 1;
	assert_int_equal(fg_replacement_finish(&f.r), -1);
	assert_holds("it", "old");
	assert_true(fg_str_has(fg_buf_str(&f.caught.text), FG_STR("cannot write")));
	tear_down(&f);
}
#endif

#ifdef __linux__
/*
 * Replaces libc's rename() and unlink(): sends a signal that ends the process, while
 * the new file has a temporary name.
 */
static int signal_at_name;

static void send_signal(void)
{
	if (signal_at_name)
		raise(signal_at_name);
}

int rename(const char *from, const char *to)
{
	send_signal();
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *name)
{
	send_signal();
	return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

/* Replaces libc's open(): like a file system without nameless files. */
static bool has_names_only;

int open(const char *name, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	if (!has_names_only || (flags & O_TMPFILE) != O_TMPFILE)
		return (int)syscall(SYS_openat, AT_FDCWD, name, flags, mode);
	errno = EOPNOTSUPP;
	return -1;
}

/* The signal still ends the process, but the temporary name is gone. */
static void a_signal_waits_while_a_file_has_a_passing_name(void **state)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGTERM };

	(void)state;
	for (size_t i = 0; i < 2 * COUNT_OF(numbers); i++) {
		struct fg_buf bytes = FG_BUF_INIT;
		struct fixture f;
		int status;
		pid_t child;

		set_up(&f);
		child = fork();
		if (!child) {
			signal(numbers[i / 2], SIG_DFL);
			signal_at_name = numbers[i / 2];
			has_names_only = i % 2;
			start(&f, "it");
			write_new(&f);
			fg_replacement_finish(&f.r);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i / 2]);
		assert_true(file_read("it", &bytes));
		assert_true(fg_str_eq(fg_buf_str(&bytes), FG_STR("old")) ||
			    fg_str_eq(fg_buf_str(&bytes), FG_STR("new")));
		fg_buf_release(&bytes);
		assert_int_equal(count_files(), 1);
		tear_down(&f);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __linux__
		cmocka_unit_test(a_signal_waits_while_a_file_has_a_passing_name),
		cmocka_unit_test(test_a_failed_close_leaves_the_old_file),
#endif
		cmocka_unit_test(a_file_is_replaced_at_the_end),
		cmocka_unit_test(an_abandoned_file_is_as_it_was),
		cmocka_unit_test(permissions_and_owner_stay),
		cmocka_unit_test(a_link_stays_a_link),
		cmocka_unit_test(a_link_that_comes_in_between_is_not_followed),
		cmocka_unit_test(read_only_files_are_left_alone),
		cmocka_unit_test(impossible_names_are_reported),
		cmocka_unit_test(a_failure_at_the_end_leaves_nothing),
		cmocka_unit_test(a_fifo_is_written_to),
		cmocka_unit_test(an_open_file_is_written_to),
		cmocka_unit_test(standard_error_is_written_to),
		cmocka_unit_test(a_closed_stream_is_not_the_file),
		cmocka_unit_test(temporary_names_that_are_taken_stay),
		cmocka_unit_test(a_signal_leaves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
