/* Opens, reads and writes, in spite of signals and non-blocking descriptors. */
#define _GNU_SOURCE /* for F_SETPIPE_SZ, if there is one */

#include "lib/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

/* The size to which we widen pipes. */
#define PIPE_SIZE (1024 * 1024)

/*
 * Returns true if a failed call should be repeated. If the descriptor was not ready,
 * waits until it is.
 */
static bool try_again(int fd, short events)
{
	struct pollfd ready = { .fd = fd, .events = events };

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

int fg_io_move_up(int fd)
{
	int moved, error;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	error = errno;
	close(fd);
	errno = error;
	return moved;
}

int fg_io_pipe(int fds[2])
{
	int low[2];
	int error;

	if (pipe(low) < 0)
		return -1;
	fds[0] = fcntl(low[0], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	fds[1] = fcntl(low[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	error = errno;
	close(low[0]);
	close(low[1]);
	if (fds[0] >= 0 && fds[1] >= 0)
		return 0;
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
	errno = error;
	return -1;
}

int fg_io_open(const char *name)
{
	int fd;

	do
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	while (fd < 0 && errno == EINTR);
	return fg_io_move_up(fd);
}

void fg_io_allow_more_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void fg_io_widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	int size = fcntl(fd, F_GETPIPE_SZ);

	if (size >= 0 && size < PIPE_SIZE)
		fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#else
	(void)fd;
#endif
}

ssize_t fg_io_read(int fd, void *to, size_t size)
{
	ssize_t got;

	do
		got = read(fd, to, size);
	while (got < 0 && try_again(fd, POLLIN));
	return got;
}

ssize_t fg_io_read_at(int fd, void *to, size_t size, off_t at)
{
	ssize_t got;

	do
		got = pread(fd, to, size, at);
	while (got < 0 && try_again(fd, POLLIN));
	return got;
}

static ssize_t write_some(int fd, const void *bytes, size_t size)
{
	ssize_t wrote;

	do
		wrote = write(fd, bytes, size);
	while (wrote < 0 && try_again(fd, POLLOUT));
	return wrote;
}

int fg_io_write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t wrote = write_some(fd, bytes, size);

		if (wrote < 0)
			return errno;
		bytes += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

bool fg_io_is_folder(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode);
}

#ifdef __linux__
bool fg_io_is_of_kernel(int fd)
{
	/*
	 * the numbers of statfs(2), because not all systems have headers with all of
	 * them
	 */
	static const uint32_t kinds[] = {
		0x9fa0, /* proc */
		0x62656572, /* sysfs */
		0x74726163, /* tracefs */
		0x64626720, /* debugfs */
		0x73636673, /* securityfs */
		0xf97cff8c, /* selinuxfs */
		0x43415d53, /* smackfs */
		0x5a3c69f0, /* apparmorfs */
		0x0027e0eb, /* cgroup */
		0x63677270, /* cgroup2 */
		0x62656570, /* configfs */
		0xcafe4a11, /* bpf */
		0x6165676c, /* pstore */
		0xde5e81e4, /* efivarfs */
		0x6e736673, /* nsfs */
		0x42494e4d, /* binfmt_misc */
		0x07655821, /* resctrl */
		0x65735543, /* fusectl */
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if ((uint32_t)fs.f_type == kinds[i])
			return true;
	return false;
}
#else
bool fg_io_is_of_kernel(int fd)
{
	(void)fd;
	return false;
}
#endif
