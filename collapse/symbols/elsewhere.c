/* Opens files as another process sees them, directly or through a helper. */
#define _GNU_SOURCE /* for O_PATH, MSG_CMSG_CLOEXEC */
#include "collapse/symbols/elsewhere.h"

#include <errno.h>

#ifdef __linux__
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"

/* A request to the helper. Only the bytes up to the path's end are sent. */
struct request {
	int32_t pid;
	enum fg_trust trust;
	char path[PATH_MAX]; /* empty: the process's perf-PID.map */
};

/* ---- what a process sees */

/*
 * Calls stat() for a file of a process in /proc, such as "root". If `pid` is 0, it is
 * this process.
 */
static bool look(int32_t pid, const char *name, struct stat *st)
{
	char path[64];

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	else
		snprintf(path, sizeof(path), "/proc/self/%s", name);
	return !stat(path, st);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Returns true if the process exists, we may look into it, and it sees other files. */
static bool sees_others(int32_t pid)
{
	struct stat root, own_root, mounts, own_mounts;

	if (!look(pid, "root", &root) || !look(0, "root", &own_root))
		return false;
	if (!is_same(&root, &own_root))
		return true;
	return look(pid, "ns/mnt", &mounts) && look(0, "ns/mnt", &own_mounts) &&
	       !is_same(&mounts, &own_mounts);
}

/* Returns the PID that the process has in its own namespace, or 0. */
static int32_t inner_pid(int32_t pid)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str line, rest;
	char path[64];
	int32_t inner = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = fg_io_open(path);
	if (fd >= 0)
		fg_trusted_read_all(fd, &text);
	for (rest = fg_buf_str(&text); rest.len;) {
		line = fg_str_cut(&rest, '\n');
		if (!fg_str_cut_start(&line, FG_STR("NSpid:")))
			continue;
		/* the PIDs in all namespaces, the innermost last */
		line = fg_str_from_pos(line, fg_str_rfind_char(line, '\t'));
		if (line.len > 1 && line.len < 12)
			inner = (int32_t)strtol(line.ptr + 1, NULL, 10);
		break;
	}
	fg_buf_release(&text);
	return inner;
}

/* ---- opening */

/*
 * Opens a file below the process's root with O_PATH. Follows no link, because a link
 * there could lead into the root of this process, and the names of mappings have no
 * links. Returns the descriptor, or -1.
 */
static int find(int32_t pid, struct fg_str path)
{
	const int flags = O_PATH | O_CLOEXEC;
	char name[NAME_MAX + 1];
	int at, next;

	snprintf(name, sizeof(name), "/proc/%d/root", (int)pid);
	at = open(name, flags | O_DIRECTORY);
	while (at >= 0 && path.len) {
		struct fg_str part = fg_str_cut(&path, '/');

		if (!part.len)
			continue;
		next = -1;
		errno = ENOENT;
		if (part.len < sizeof(name) && !fg_str_eq(part, FG_STR(".."))) {
			memcpy(name, part.ptr, part.len);
			name[part.len] = '\0';
			next = openat(at, name, flags | O_NOFOLLOW);
		}
		close(at);
		at = next;
	}
	return at;
}

static bool is_trusted(int fd, int32_t pid)
{
	struct stat file, process;

	return !fstat(fd, &file) &&
	       (file.st_uid == geteuid() || file.st_uid == 0 ||
		(look(pid, ".", &process) && file.st_uid == process.st_uid));
}

/* Does what fg_elsewhere_open() says, without a helper. */
static int open_here(const struct request *r)
{
	bool others = r->pid > 0 && sees_others(r->pid);
	char map[64];
	int32_t inner;
	int fd = -1;

	errno = ENOENT;
	if (*r->path && others) {
		fd = fg_trusted_open_place(find(r->pid, fg_str_from(r->path)));
	} else if (!*r->path && r->pid > 0) {
		inner = inner_pid(r->pid);
		errno = ENOENT;
		if (!inner || (!others && inner == r->pid))
			return -1;
		snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)inner);
		fd = fg_trusted_open_place(find(r->pid, fg_str_from(map)));
	}
	if (fd >= 0 && r->trust == FG_TRUST_OWN && !is_trusted(fd, r->pid)) {
		close(fd);
		errno = EPERM;
		return -1;
	}
	return fd;
}

/* ---- the helper */

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* Sends an errno and, if that is 0, a descriptor. */
static bool answer(int socket, int fd, int error)
{
	struct iovec words = { &error, sizeof(error) };
	union control control;
	struct msghdr message = { .msg_iov = &words, .msg_iovlen = 1 };

	if (fd >= 0) {
		memset(&control, 0, sizeof(control));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(error);
}

static void help(int socket)
{
	const size_t head = offsetof(struct request, path);
	struct request r;
	bool goes_on = true;
	ssize_t got;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	/*
	 * signals of the terminal are for the process that started the helper; the
	 * helper ends when that process ends
	 */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (goes_on && (got = fg_io_read(socket, (char *)&r, sizeof(r) - 1)) > 0) {
		int fd;

		if ((size_t)got < head)
			break;
		((char *)&r)[got] = '\0';
		fd = open_here(&r);
		goes_on = answer(socket, fd, fd < 0 ? errno : 0);
		if (fd >= 0)
			close(fd);
	}
}

int fg_elsewhere_start(void (*end)(int status))
{
	int fds[2];
	pid_t helper;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return 0;
	fds[0] = fg_io_move_up(fds[0]);
	fds[1] = fg_io_move_up(fds[1]);
	helper = fds[0] < 0 || fds[1] < 0 ? -1 : fork();
	if (!helper) {
		close(fds[0]);
		help(fds[1]);
		end(0);
	}
	if (fds[1] >= 0)
		close(fds[1]);
	if (helper > 0)
		return fds[0];
	if (fds[0] >= 0)
		close(fds[0]);
	return 0;
}

static int ask(int helper, const struct request *r)
{
	size_t size = offsetof(struct request, path) + strlen(r->path);
	int error = EIO, fd = -1;
	struct iovec words = { &error, sizeof(error) };
	union control control;
	struct msghdr message = {
		.msg_iov = &words,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	const struct cmsghdr *got;
	ssize_t n;

	if (fg_io_write_all(helper, (const char *)r, size))
		return -1;
	do
		n = recvmsg(helper, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	got = n == (ssize_t)sizeof(error) ? CMSG_FIRSTHDR(&message) : NULL;
	if (got && got->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(got), sizeof(fd));
	if (fd < 0)
		errno = error;
	return fd;
}

int fg_elsewhere_open(int helper, int32_t pid, const char *path, enum fg_trust trust)
{
	struct request r = { .pid = pid, .trust = trust };

	if (path && (!*path || strlen(path) >= sizeof(r.path) - 1)) {
		errno = ENOENT;
		return -1;
	}
	if (path)
		memcpy(r.path, path, strlen(path));
	return helper ? ask(helper, &r) : open_here(&r);
}

#else

int fg_elsewhere_start(void (*end)(int status))
{
	(void)end;
	return 0;
}

int fg_elsewhere_open(int helper, int32_t pid, const char *path, enum fg_trust trust)
{
	(void)helper;
	(void)pid;
	(void)path;
	(void)trust;
	errno = ENOENT;
	return -1;
}

#endif
