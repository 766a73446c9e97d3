/* Finds and opens the output of a recording. */
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/io.h"

/* Samples may hold copies of memory, so only the user may read them. */
#define FILE_MODE 0600

static int report(const struct fg_record_output *o, struct fg_diag *diag)
{
	struct fg_place at = { o->name, 0 };

	return fg_error(diag, &at, "cannot write: %s", strerror(errno));
}

/* Returns the descriptor of a name like /dev/fd/3, or -1. */
static int descriptor_of(const char *name)
{
	struct fg_str number = fg_str_from(name);
	uint64_t fd;

	if (!fg_str_cut_start(&number, FG_STR("/dev/fd/")) &&
	    !fg_str_cut_start(&number, FG_STR("/proc/self/fd/")))
		return strcmp(name, "/dev/stdout") ? -1 : STDOUT_FILENO;
	return fg_str_u64(number, &fd) || fd > INT32_MAX ? -1 : (int)fd;
}

/* Takes an open descriptor for the output. */
static int use_descriptor(struct fg_record_output *o, int fd, struct fg_diag *diag)
{
	int flags = fcntl(fd, F_GETFL);

	o->fd = fd;
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		flags = -1;
	}
	if (flags < 0)
		return report(o, diag);
	if (fd > STDERR_FILENO && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return report(o, diag);
	return 0;
}

int fg_record_output_find(struct fg_record_output *o, const char *name,
			  struct fg_diag *diag)
{
	int fd = STDOUT_FILENO;

	o->fd = -1;
	o->name = name;
	if (!name || !strcmp(name, "-"))
		o->name = "(standard output)";
	else
		fd = descriptor_of(name);
	o->is_standard = fd == STDOUT_FILENO;
	if (fd >= 0 && use_descriptor(o, fd, diag))
		return -1;
	if (fd >= 0 && isatty(fd))
		return fg_error(diag, NULL,
				"a recording is not text for a terminal: write it to a "
				"file with -o FILE, or to a pipe: record-perf ... | "
				"collapse-perf");
	return 0;
}

/* Renames an older file. One that is empty, a link or a device is left alone. */
static int keep_older(const struct fg_record_output *o, struct fg_diag *diag)
{
	struct fg_buf older = FG_BUF_INIT;
	struct stat st;
	int status = 0;

	if (lstat(o->name, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	fg_buf_addf(&older, "%s.old", o->name);
	if (rename(o->name, fg_buf_cstr(&older)))
		status = report(o, diag);
	fg_buf_release(&older);
	return status;
}

int fg_record_output_open(struct fg_record_output *o, struct fg_diag *diag)
{
	if (o->fd >= 0)
		return 0;
	if (keep_older(o, diag))
		return -1;
	o->fd = fg_io_move_up(open(o->name,
				   O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
				   FILE_MODE));
	return o->fd < 0 ? report(o, diag) : 0;
}
