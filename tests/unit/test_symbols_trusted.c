/* Tests of collapse/symbols/trusted.c: the files that we open, and those we do not. */
#define _GNU_SOURCE /* for chroot */
#include "collapse/symbols/trusted.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

#include "collapse/symbols/elsewhere.h"
#include "tests/unit/support/support.h"

static void check(const char *path, enum fg_trust trust, int error)
{
	int fd = fg_trusted_open(path, trust);

	if (error) {
		assert_int_equal(fd, -1);
		assert_int_equal(errno, error);
		return;
	}
	assert_true(fd >= 0);
	close(fd);
}

static void check_both(const char *path, int error)
{
	check(path, FG_TRUST_ANY_OWNER, error);
	check(path, FG_TRUST_OWN, error);
}

static void only_regular_files_are_opened(void **state)
{
	struct folder folder;

	(void)state;
	folder_init(&folder);
	check_both(folder_write(&folder, "file", FG_STR("abc")), 0);
	check_both(folder_path(&folder, "none"), ENOENT);
	check_both(folder.path, EINVAL);
	check_both("/dev/null", EINVAL);
	assert_int_equal(mkfifo(folder_path(&folder, "pipe"), 0600), 0);
	check_both(folder_path(&folder, "pipe"), EINVAL);
	folder_release(&folder);
}

#ifdef __linux__
/*
 * These are regular files, but opening or closing one may have effects, like with
 * free_buffer in tracefs.
 */
static void no_file_of_the_kernel_is_opened(void **state)
{
	static const char *const paths[] = {
		"/proc/self/status",
		"/proc/kmsg",
		"/proc/self/pagemap",
		"/sys/kernel/notes",
		"/sys/kernel/tracing/free_buffer",
	};

	(void)state;
	for (size_t i = 0; i < FG_COUNT_OF(paths); i++) {
		struct stat st;

		if (stat(paths[i], &st))
			print_message("%s is not here\n", paths[i]);
		else
			check_both(paths[i], EINVAL);
	}
}

/* It sees the same files as we do, so there is no other place to look. */
static void a_process_with_our_files_is_not_elsewhere(void **state)
{
	int helper = fg_elsewhere_start(_exit);

	(void)state;
	assert_true(helper > STDERR_FILENO);
	for (int i = 0; i < 2; i++) {
		int via = i ? helper : 0;

		assert_int_equal(
			fg_elsewhere_open(via, getpid(), "/bin/sh", FG_TRUST_ANY_OWNER),
			-1);
		assert_int_equal(errno, ENOENT);
		assert_int_equal(fg_elsewhere_open(via, getpid(), NULL, FG_TRUST_OWN),
				 -1);
		assert_int_equal(errno, ENOENT);
		assert_int_equal(fg_elsewhere_open(via, 0, "/bin/sh", FG_TRUST_OWN),
				 -1);
	}
	close(helper);
}

/*
 * Starts a process whose root is the folder. Returns its pid, or -1 if this user may
 * not do that.
 */
static pid_t start_behind(const struct folder *folder)
{
	pid_t child;
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (!child) {
		if (!chroot(folder->path) && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		waitpid(child, NULL, 0);
		child = -1;
	}
	close(ready[0]);
	return child;
}

static void check_elsewhere(int helper, pid_t pid, const char *path, int error)
{
	int fd = fg_elsewhere_open(helper, pid, path, FG_TRUST_OWN);
	char text[4] = "";

	if (error) {
		assert_int_equal(fd, -1);
		assert_int_equal(errno, error);
		return;
	}
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, 3), 3);
	assert_string_equal(text, "abc");
	close(fd);
}

/* The result is the same with the helper and without it. */
static void a_file_elsewhere_is_opened_without_links(void **state)
{
	struct folder folder;
	int helper = fg_elsewhere_start(_exit);
	pid_t pid;

	(void)state;
	folder_init(&folder);
	folder_write(&folder, "file", FG_STR("abc"));
	folder_write(&folder, "theirs", FG_STR("abc"));
	assert_int_equal(symlink("file", folder_path(&folder, "link")), 0);
	assert_int_equal(symlink("/", folder_path(&folder, "up")), 0);
	assert_int_equal(mkfifo(folder_path(&folder, "pipe"), 0600), 0);
	pid = start_behind(&folder);
	if (pid < 0) {
		close(helper);
		folder_release(&folder);
		print_message("only root may call chroot\n");
		skip();
	}
	assert_int_equal(chown(folder_path(&folder, "theirs"), 12345, 12345), 0);
	for (int i = 0; i < 2; i++) {
		int via = i ? helper : 0;

		check_elsewhere(via, pid, "/file", 0);
		check_elsewhere(via, pid, "/none", ENOENT);
		check_elsewhere(via, pid, "/file/file", ENOTDIR);
		check_elsewhere(via, pid, "/link", ELOOP);
		check_elsewhere(via, pid, "/up/etc/passwd", ENOTDIR);
		check_elsewhere(via, pid, "/../etc/passwd", ENOENT);
		check_elsewhere(via, pid, "/pipe", EINVAL);
		check_elsewhere(via, pid, "/", EINVAL);
		check_elsewhere(via, pid, "/theirs", EPERM);
		check_elsewhere(via, pid, NULL, ENOENT); /* it has no map */
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check_elsewhere(helper, pid, "/file", ENOENT);
	close(helper);
	folder_release(&folder);
}
#endif

/* A link that others can make may lead anywhere. */
static void a_link_is_followed_if_only_we_can_make_it(void **state)
{
	struct folder folder;
	char target[256];

	(void)state;
	folder_init(&folder);
	snprintf(target, sizeof(target), "%s",
		 folder_write(&folder, "file", FG_STR("abc")));
	assert_int_equal(symlink(target, folder_path(&folder, "link")), 0);
	check_both(folder_path(&folder, "link"), 0);
	for (mode_t others = S_IWGRP; others;
	     others = others == S_IWGRP ? S_IWOTH : 0) {
		assert_int_equal(chmod(folder.path, 0700 | others), 0);
		check(folder_path(&folder, "link"), FG_TRUST_ANY_OWNER, 0);
		check(folder_path(&folder, "link"), FG_TRUST_OWN, ELOOP);
		check_both(folder_path(&folder, "file"), 0);
	}
	assert_int_equal(chmod(folder.path, 0700), 0);
	folder_release(&folder);
}

#ifdef __linux__
/* Makes a link lead to a file and a pipe in turn, until it is killed. */
static void change(const char *link, const char *next)
{
	for (;;) {
		if (symlink("pipe", next) || rename(next, link) ||
		    symlink("file", next) || rename(next, link))
			_exit(1);
	}
}

/* Not even if a pipe replaces the file between our check and opening it. */
static void a_pipe_is_never_opened(void **state)
{
	char link[256], next[256], event[4096];
	struct folder folder;
	pid_t child;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	(void)state;
	folder_init(&folder);
	folder_write(&folder, "file", FG_STR("abc"));
	assert_int_equal(mkfifo(folder_path(&folder, "pipe"), 0600), 0);
	snprintf(link, sizeof(link), "%s", folder_path(&folder, "link"));
	snprintf(next, sizeof(next), "%s", folder_path(&folder, "next"));
	assert_int_equal(symlink("file", link), 0);
	assert_true(inotify_add_watch(watch, folder_path(&folder, "pipe"), IN_OPEN) >=
		    0);
	child = fork();
	if (!child)
		change(link, next);
	for (int i = 0; i < 20000; i++) {
		int fd = fg_trusted_open(link, FG_TRUST_ANY_OWNER);

		if (fd >= 0)
			close(fd);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	unlink(next);
	assert_int_equal(read(watch, event, sizeof(event)), -1);
	assert_int_equal(errno, EAGAIN);
	close(watch);
	folder_release(&folder);
}
#endif

#define SOMEBODY 12345
#define SOMEBODY_ELSE 12346

static void own(const char *path, uid_t owner)
{
	assert_int_equal(chown(path, owner, (gid_t)-1), 0);
}

/* Anybody who can write to /tmp can put a map of symbols or a debug file there. */
static void guessed_files_must_belong_to_us_or_root(void **state)
{
	struct folder folder;
	const char *file;

	(void)state;
	if (geteuid()) {
		print_message("only root can give files away\n");
		skip();
	}
	folder_init(&folder);
	file = folder_write(&folder, "file", FG_STR("abc"));
	check_both(file, 0);
	own(file, SOMEBODY);
	check(file, FG_TRUST_ANY_OWNER, 0);
	check(file, FG_TRUST_OWN, EPERM);
	own(folder.path, SOMEBODY);
	assert_int_equal(seteuid(SOMEBODY), 0);
	check_both(file, 0);
	assert_int_equal(chmod(file, 0644), 0);
	assert_int_equal(seteuid(0), 0);
	own(file, SOMEBODY_ELSE);
	assert_int_equal(seteuid(SOMEBODY), 0);
	check(file, FG_TRUST_ANY_OWNER, 0);
	check(file, FG_TRUST_OWN, EPERM);
	assert_int_equal(seteuid(0), 0);
	own(file, 0);
	assert_int_equal(seteuid(SOMEBODY), 0);
	check_both(file, 0);
	assert_int_equal(seteuid(0), 0);
	own(folder.path, 0);
	folder_release(&folder);
}

static void a_name_without_a_folder_is_in_the_current_one(void **state)
{
	(void)state;
	check_both("Makefile", 0);
	check_both("/", EINVAL);
}

static void a_whole_file_is_read(void **state)
{
	struct fg_buf text = FG_BUF_INIT;
	struct folder folder;

	(void)state;
	folder_init(&folder);
	fg_buf_add(&text, "before ", 7);
	assert_int_equal(
		fg_trusted_read_all(
			fg_trusted_open(folder_write(&folder, "file", FG_STR("abc")),
					FG_TRUST_OWN),
			&text),
		0);
	assert_str(fg_buf_str(&text), "before abc");
	assert_int_equal(fg_trusted_read_all(-1, &text), -1);
	assert_int_equal(errno, EBADF);
	assert_str(fg_buf_str(&text), "before abc");
	fg_buf_release(&text);
	folder_release(&folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_regular_files_are_opened),
		cmocka_unit_test(a_link_is_followed_if_only_we_can_make_it),
#ifdef __linux__
		cmocka_unit_test(a_pipe_is_never_opened),
		cmocka_unit_test(no_file_of_the_kernel_is_opened),
		cmocka_unit_test(a_process_with_our_files_is_not_elsewhere),
		cmocka_unit_test(a_file_elsewhere_is_opened_without_links),
#endif
		cmocka_unit_test(guessed_files_must_belong_to_us_or_root),
		cmocka_unit_test(a_name_without_a_folder_is_in_the_current_one),
		cmocka_unit_test(a_whole_file_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
