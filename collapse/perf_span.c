/* The times of the first and the last sample of regular files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/perf.h"
#include "lib/xalloc.h"

#define FIRST_WINDOW ((off_t)64 * 1024)

/* `size` bytes of a file from `start`, as far as they can be read. */
static struct fg_str read_window(int fd, off_t start, size_t size, struct fg_buf *b)
{
	fg_buf_clear(b);
	fg_buf_reserve(b, size);
	while (b->len < size) {
		ssize_t got = pread(fd, b->ptr + b->len, size - b->len,
				    start + (off_t)b->len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		b->len += (size_t)got;
	}
	return fg_buf_str(b);
}

/* The time of the first or the last header in whole lines of `text`: 0 or -1. */
static int time_in(struct fg_str text, bool last, uint64_t *ns)
{
	int status = -1;

	while (text.len) {
		struct fg_str line = fg_str_cut(&text, '\n');
		struct perf_header h;

		if (!line.len || line.ptr[0] == '\t' ||
		    !perf_header_strong(line, NULL, &h) ||
		    fg_str_has(line, FG_STR("PERF_RECORD_")) ||
		    perf_time_ns(h.time, ns))
			continue;
		status = 0;
		if (!last)
			break;
	}
	return status;
}

/* Looks at ever larger pieces of the start or of the end of the file. */
static int find_time(int fd, off_t size, bool last, uint64_t *ns)
{
	off_t window = FIRST_WINDOW;
	struct fg_buf b;
	int status = -1;

	fg_buf_init(&b);
	for (; status; window *= 2) {
		off_t len = window < size ? window : size;
		off_t start = last ? size - len : 0;
		struct fg_str text = read_window(fd, start, (size_t)len, &b);

		if (start)
			fg_str_cut(&text, '\n');
		status = time_in(text, last, ns);
		if (len == size)
			break;
	}
	fg_buf_release(&b);
	return status;
}

enum span { SPAN_FOUND, SPAN_NO_TIMES, SPAN_NO_FILE, SPAN_NOT_REGULAR };

static enum span span_of_file(const char *name, uint64_t *first, uint64_t *last)
{
	bool is_stdin = !strcmp(name, "-");
	int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	enum span span = SPAN_NO_TIMES;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return SPAN_NO_FILE;
	if (!S_ISREG(st.st_mode))
		span = SPAN_NOT_REGULAR;
	else if (!find_time(fd, st.st_size, false, first) &&
		 !find_time(fd, st.st_size, true, last))
		span = SPAN_FOUND;
	if (!is_stdin)
		close(fd);
	return span;
}

int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last)
{
	static const char *standard_input = "-";
	const char *const *names = files->count ? files->items : &standard_input;
	size_t count = files->count ? files->count : 1;
	bool found = false, missing = false;

	*first = *last = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t from, to;
		enum span span = span_of_file(names[i], &from, &to);

		if (span == SPAN_NOT_REGULAR)
			return -1;
		missing |= span == SPAN_NO_FILE;
		if (span != SPAN_FOUND)
			continue;
		*first = found && *first < from ? *first : from;
		*last = found && *last > to ? *last : to;
		found = true;
	}
	/* who reads a file that is not there says so */
	return found || missing ? 0 : -1;
}
