/* Opens files that a recording names, without trusting those who made them. */
#define _GNU_SOURCE /* for O_PATH */
#include "collapse/symbols/trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/base/xalloc.h"

#define READ_SIZE ((size_t)1 << 20)

#define READING (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() || st->st_uid == 0;
}

/* Returns true if only this user and root can put a file into the folder of `path`. */
static bool folder_is_ours(const char *path)
{
	struct fg_str whole = fg_str_from(path);
	struct fg_buf folder = FG_BUF_INIT;
	struct stat st;
	bool ours;

	fg_buf_add_str(&folder, fg_str_before(whole, fg_str_rfind_char(whole, '/')));
	if (!folder.len || folder.len == whole.len)
		fg_buf_add_char(&folder, '/');
	ours = !stat(fg_buf_cstr(&folder), &st) && is_ours(&st) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
	fg_buf_release(&folder);
	return ours;
}

static int refuse(int fd, int error)
{
	if (fd >= 0)
		close(fd);
	errno = error;
	return -1;
}

#if defined(__linux__) && defined(O_PATH)
/* Like fg_trusted_open_place(), but leaves the place open. */
static int open_as_file(int place, int flags)
{
	char name[32];
	struct stat st;

	if (place < 0 || fstat(place, &st))
		return -1;
	if (!S_ISREG(st.st_mode) || fg_io_is_of_kernel(place)) {
		errno = S_ISLNK(st.st_mode) ? ELOOP : EINVAL;
		return -1;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	return open(name, flags & ~O_NOFOLLOW);
}

/*
 * Opening some devices has side effects, and the owner of a folder can replace a file
 * by a link to one. So we first open the file with O_PATH, which has no side effects,
 * then check it, and then open that same file.
 */
static int open_regular(const char *path, int flags)
{
	int place = open(path, O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW));
	int fd = open_as_file(place, flags);

	if (place >= 0 && fd < 0 && errno == ENOENT) /* /proc is not mounted */
		fd = open(path, flags);
	refuse(place, errno);
	return fd;
}

int fg_trusted_open_place(int place)
{
	int fd = open_as_file(place, READING);

	refuse(place, errno);
	return fd;
}
#else
int fg_trusted_open_place(int place)
{
	return refuse(place, ENOTSUP);
}

static int open_regular(const char *path, int flags)
{
	struct stat st;

	if (stat(path, &st))
		return -1;
	return S_ISREG(st.st_mode) ? open(path, flags) : refuse(-1, EINVAL);
}
#endif

int fg_trusted_open(const char *path, enum fg_trust trust)
{
	int flags = READING;
	struct stat st;
	int fd;

	if (trust == FG_TRUST_OWN && !folder_is_ours(path))
		flags |= O_NOFOLLOW;
	fd = open_regular(path, flags);
	if (fd < 0 || fstat(fd, &st))
		return refuse(fd, errno);
	if (!S_ISREG(st.st_mode))
		return refuse(fd, EINVAL);
	if (trust == FG_TRUST_OWN && !is_ours(&st))
		return refuse(fd, EPERM);
	return fd;
}

static void close_file(void *fd)
{
	close((int)(intptr_t)fd);
}

int fg_trusted_read_all(int fd, struct fg_buf *text)
{
	void *held = (void *)(intptr_t)fd;
	ssize_t n;

	fg_hold(close_file, held);
	do {
		fg_buf_reserve(text, READ_SIZE);
		n = fg_io_read(fd, text->ptr + text->len, READ_SIZE);
		if (n > 0)
			text->len += (size_t)n;
	} while (n > 0);
	fg_let_go(held);
	if (n < 0)
		return refuse(fd, errno);
	close(fd);
	return 0;
}
