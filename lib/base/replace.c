/* Replaces a file as a whole, or leaves it as it was. */
#define _GNU_SOURCE /* for O_TMPFILE, if there is one */
#include "lib/base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"
#include "lib/base/xalloc.h"

/*
 * The most temporary names that we try to use. Only killed runs leave such files
 * behind, so few names are taken.
 */
#define NAMES_TRIED 1000

#define COPY_SIZE ((size_t)64 * 1024)

#define PERMISSIONS (S_IRWXU | S_IRWXG | S_IRWXO)
#define WRITERS (S_IWUSR | S_IWGRP | S_IWOTH)

static int report(const struct fg_replacement *r)
{
	struct fg_place at = { r->name, 0 };

	return fg_error(r->diag, &at, "cannot write: %s", strerror(errno));
}

/* ---- temporary names */

/*
 * Sets `name` to the temporary name for attempt `n`, in the folder of `target`, and
 * returns it.
 */
static const char *passing_name(const char *target, unsigned n, struct fg_buf *name)
{
	const char *slash = strrchr(target, '/');

	fg_buf_clear(name);
	if (slash)
		fg_buf_add(name, target, (size_t)(slash - target) + 1);
	fg_buf_addf(name, ".flamepipe-%ld-%u", (long)getpid(), n);
	return fg_buf_cstr(name);
}

/*
 * Makes an empty file with a temporary name, which it leaves in `name`. Returns its
 * descriptor, or -1 with errno.
 */
static int create(const char *target, mode_t mode, struct fg_buf *name)
{
	int fd = -1;

	for (unsigned n = 0; n < NAMES_TRIED; n++) {
		fd = open(passing_name(target, n, name),
			  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

/* Blocks the usual signals, so that none ends us while a file has a temporary name. */
static void hold_signals(sigset_t *before)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGHUP);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before)
{
	int error = errno;

	pthread_sigmask(SIG_SETMASK, before, NULL);
	errno = error;
}

/* ---- the start */

/*
 * Opens a file without a name in the folder of `target`. Returns a descriptor, or -1.
 */
static int open_unnamed(const char *target)
{
	struct fg_buf name = FG_BUF_INIT;
	sigset_t before;
	int fd = -1;

#if defined(O_TMPFILE) && !defined(FG_PLAIN_C)
	const char *slash = strrchr(target, '/');

	if (slash)
		fg_buf_add(&name, target, (size_t)(slash - target) + 1);
	fd = open(slash ? fg_buf_cstr(&name) : ".", O_TMPFILE | O_RDWR | O_CLOEXEC,
		  0666);
#endif
	if (fd < 0) {
		hold_signals(&before);
		fd = create(target, 0666, &name);
		if (fd >= 0)
			unlink(fg_buf_cstr(&name));
		release_signals(&before);
	}
	fg_buf_release(&name);
	return fd;
}

/*
 * Gives the new file the owner, group and permissions of the old one. If the group
 * cannot be kept, the new group gets no more rights than all other users.
 */
static void take_over(int fd, const struct stat *old)
{
	mode_t mode = old->st_mode & PERMISSIONS;

	if (fchown(fd, old->st_uid, old->st_gid) && fchown(fd, (uid_t)-1, old->st_gid))
		mode = (mode & ~(mode_t)S_IRWXG) | (mode & S_IRWXO) << 3;
	fchmod(fd, mode);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_open_as(int fd, const struct stat *st)
{
	struct stat open;

	return !fstat(fd, &open) && is_same(&open, st);
}

/*
 * Sets r->target to the path of the file, with links resolved. Returns 0, or -1 with
 * errno. Fails if the path no longer leads to the file of `st`, whose owner the new
 * file will get: somebody who may write in the folder could have replaced the file by a
 * link.
 */
static int find_target(struct fg_replacement *r, const struct stat *st)
{
	struct stat found;

	r->target = realpath(r->name, NULL);
	if (!r->target || lstat(r->target, &found))
		return -1;
	if (is_same(&found, st))
		return 0;
	errno = ESTALE;
	return -1;
}

/*
 * Returns true for a name of a descriptor, like "/dev/fd/3". We write to it directly.
 */
static bool is_descriptor(const char *name)
{
	return !strncmp(name, "/dev/fd/", 8) || !strncmp(name, "/proc/", 6);
}

static int open_directly(const char *name)
{
	return open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
}

static int open_existing(struct fg_replacement *r, const struct stat *st)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (is_open_as(fd, st))
			return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (!S_ISREG(st->st_mode) || is_descriptor(r->name))
		return open_directly(r->name);
	if (!(st->st_mode & WRITERS)) {
		errno = EACCES;
		return -1;
	}
	if (access(r->name, W_OK))
		return -1;
	return find_target(r, st) ? -1 : open_unnamed(r->target);
}

static int open_new(struct fg_replacement *r)
{
	struct stat st;
	size_t size;

	if (!*r->name)
		return -1;
	if (!lstat(r->name, &st))
		return open_directly(r->name);
	size = strlen(r->name) + 1;
	r->target = memcpy(fg_xmalloc(size), r->name, size);
	return open_unnamed(r->target);
}

int fg_replacement_open(struct fg_replacement *r, const char *name,
			struct fg_diag *diag)
{
	struct stat st;
	bool exists;

	memset(r, 0, sizeof(*r));
	r->fd = -1;
	r->name = name;
	r->diag = diag;
	exists = !stat(name, &st);
	if (exists)
		r->fd = open_existing(r, &st);
	else if (errno == ENOENT)
		r->fd = open_new(r);
	/*
	 * if standard error is closed, the file could get descriptor 2 and our messages
	 */
	r->fd = fg_io_move_up(r->fd);
	if (r->fd < 0) {
		report(r);
		fg_replacement_abandon(r);
		return -1;
	}
	if (exists && r->target)
		take_over(r->fd, &st);
	return 0;
}

/* ---- the end */

static int copy_bytes(int from, int to)
{
	char *block = fg_xmalloc(COPY_SIZE);
	ssize_t got = -1;

	if (lseek(from, 0, SEEK_SET) == 0)
		while ((got = fg_io_read(from, block, COPY_SIZE)) > 0)
			if (fg_io_write_all(to, block, (size_t)got))
				break;
	free(block);
	return got ? -1 : 0;
}

/*
 * Copies the new file to one with a temporary name, which it leaves in `name`. This is
 * for systems that cannot give a name to an open file. Returns 0, or -1 with errno.
 */
static int name_copy(const struct fg_replacement *r, struct fg_buf *name)
{
	struct stat st;
	int fd, status;

	if (fstat(r->fd, &st))
		return -1;
	fd = create(r->target, S_IRUSR | S_IWUSR, name);
	if (fd < 0)
		return -1;
	status = copy_bytes(r->fd, fd);
	if (!status)
		take_over(fd, &st);
	if (close(fd) || status) {
		int error = errno;

		unlink(fg_buf_cstr(name));
		errno = error;
		return -1;
	}
	return 0;
}

/* Gives a name to the new file, which has none. Returns 0, or -1 with errno. */
static int link_to(const struct fg_replacement *r, const char *name)
{
	char unnamed[40];

	snprintf(unnamed, sizeof(unnamed), "/proc/self/fd/%d", r->fd);
	return linkat(AT_FDCWD, unnamed, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Gives the new file a temporary name, which it leaves in `name`. */
static int name_file(const struct fg_replacement *r, struct fg_buf *name)
{
	for (unsigned n = 0; n < NAMES_TRIED; n++) {
		if (!link_to(r, passing_name(r->target, n, name)))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return name_copy(r, name);
}

static int put_in_place(const struct fg_replacement *r)
{
	struct fg_buf name = FG_BUF_INIT;
	int status;

	if (!link_to(r, r->target)) /* this works only if there is no old file */
		return 0;
	status = name_file(r, &name);
	if (!status && rename(fg_buf_cstr(&name), r->target)) {
		int error = errno;

		unlink(fg_buf_cstr(&name));
		errno = error;
		status = -1;
	}
	fg_buf_release(&name);
	return status;
}

/* ---- in another process */

/*
 * Runs the helper: it waits for a byte, puts the file in place and exits with 0 or an
 * errno. If the main process ends without sending the byte, the new file is gone.
 * Signals from a terminal are blocked here, because the main process acts on them.
 */
static void help(const struct fg_replacement *r, int from)
{
	char asked;
	ssize_t got;

	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	got = fg_io_read(from, &asked, 1);
	if (got == 1)
		_exit(put_in_place(r) ? errno : 0);
	_exit(got ? errno : ECANCELED);
}

int fg_replacement_delegate(struct fg_replacement *r)
{
	sigset_t before;
	int fds[2];

	if (!r->target)
		return 0;
	if (fg_io_pipe(fds)) {
		report(r);
		return -1;
	}
	signal(SIGCHLD, SIG_DFL); /* if our parent ignored it, we could not wait */
	hold_signals(&before);
	r->helper = fork();
	if (!r->helper) {
		close(fds[1]);
		help(r, fds[0]);
	}
	release_signals(&before);
	close(fds[0]);
	r->to_helper = fds[1];
	if (r->helper > 0)
		return 0;
	r->helper = 0;
	report(r);
	close(r->to_helper);
	return -1;
}

/* Waits for the helper. Returns 0, or -1 with the errno that it exited with. */
static int end_helper(struct fg_replacement *r)
{
	int status;
	pid_t ended;

	close(r->to_helper);
	do
		ended = waitpid(r->helper, &status, 0);
	while (ended < 0 && errno == EINTR);
	r->helper = 0;
	if (ended > 0)
		errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
	return ended > 0 && !errno ? 0 : -1;
}

/* Makes the helper put the file in place. Returns 0, or -1 with errno. */
static int ask_helper(struct fg_replacement *r)
{
	signal(SIGPIPE, SIG_IGN); /* the helper may have died */
	errno = fg_io_write_all(r->to_helper, "", 1);
	return errno ? -1 : end_helper(r);
}

/* ---- finishing */

/*
 * Closes the written file before it is put in place, because some file systems report a
 * failed write only then. Keeps another descriptor of the file, to name it.
 */
static int close_written(struct fg_replacement *r)
{
	int kept = r->target ? fcntl(r->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
	int status = r->target && kept < 0 ? -1 : 0;

	if (close(r->fd))
		status = -1;
	r->fd = kept;
	return status;
}

int fg_replacement_finish(struct fg_replacement *r)
{
	sigset_t before;
	int status = close_written(r);

	if (!status && r->helper) {
		status = ask_helper(r);
	} else if (!status && r->target) {
		hold_signals(&before);
		status = put_in_place(r);
		release_signals(&before);
	}
	if (status)
		report(r);
	fg_replacement_abandon(r);
	return status;
}

void fg_replacement_abandon(struct fg_replacement *r)
{
	if (r->helper)
		(void)end_helper(r);
	if (r->fd >= 0)
		close(r->fd);
	free(r->target);
	memset(r, 0, sizeof(*r));
	r->fd = -1;
}
