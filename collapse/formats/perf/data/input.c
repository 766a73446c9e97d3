/* Reads the bytes of a recording, from a file, a pipe or memory. */
#include "collapse/formats/perf/data/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/io.h"

#define READ_SIZE ((size_t)1 << 20)

void fg_pd_input_init(struct fg_pd_input *in, int fd, struct fg_str head)
{
	struct stat st;
	off_t here;

	in->fd = fd;
	in->memory = head;
	fg_buf_init(&in->owned);
	in->at = 0;
	in->size = fd < 0 ? head.len : UINT64_MAX;
	in->base = -1;
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	here = lseek(fd, 0, SEEK_CUR);
	if (here < 0 || (uint64_t)here < head.len || st.st_size < here)
		return;
	in->base = here - (int64_t)head.len;
	in->size = (uint64_t)(st.st_size - in->base);
}

void fg_pd_input_release(struct fg_pd_input *in)
{
	fg_buf_release(&in->owned);
}

static int64_t read_descriptor(struct fg_pd_input *in, char *to, size_t len)
{
	ssize_t n;

	if (in->base < 0)
		n = fg_io_read(in->fd, to, len);
	else
		n = fg_io_read_at(in->fd, to, len, in->base + (off_t)in->at);
	if (n < 0)
		fg_error(in->diag, &in->place, "cannot be read: %s", strerror(errno));
	return n;
}

int64_t fg_pd_input_read(struct fg_pd_input *in, char *to, size_t len)
{
	int64_t n;

	if (in->at < in->memory.len) {
		size_t left = in->memory.len - (size_t)in->at;

		n = (int64_t)(len < left ? len : left);
		memcpy(to, in->memory.ptr + in->at, (size_t)n);
	} else if (in->fd < 0 || (in->base >= 0 && in->at > INT64_MAX / 2)) {
		n = 0;
	} else {
		n = read_descriptor(in, to, len);
	}
	if (n > 0)
		in->at += (uint64_t)n;
	return n;
}

int fg_pd_input_make_seekable(struct fg_pd_input *in, struct fg_str before)
{
	int64_t n;

	if (in->fd < 0 || in->base >= 0)
		return 0;
	fg_buf_add_str(&in->owned, before.len > in->memory.len ? before : in->memory);
	in->at = in->owned.len;
	do {
		fg_buf_reserve(&in->owned, READ_SIZE);
		n = fg_pd_input_read(in, in->owned.ptr + in->owned.len, READ_SIZE);
		if (n > 0)
			in->owned.len += (size_t)n;
	} while (n > 0);
	in->memory = fg_buf_str(&in->owned);
	in->size = in->memory.len;
	in->fd = -1;
	return n < 0 ? -1 : 0;
}

void fg_pd_input_seek(struct fg_pd_input *in, uint64_t at)
{
	in->at = at;
}

int fg_pd_input_section(struct fg_pd_input *in, uint64_t at, uint64_t size,
			struct fg_buf *bytes)
{
	int64_t n = 1;

	fg_buf_clear(bytes);
	fg_pd_input_seek(in, at);
	if (at >= in->size)
		return 0;
	if (size > in->size - at)
		size = in->size - at;
	while (bytes->len < size && n > 0) {
		size_t left = (size_t)(size - bytes->len);
		size_t len = left < READ_SIZE ? left : READ_SIZE;

		fg_buf_reserve(bytes, len);
		n = fg_pd_input_read(in, bytes->ptr + bytes->len, len);
		if (n > 0)
			bytes->len += (size_t)n;
	}
	return n < 0 ? -1 : 0;
}
