/* The times of the first and the last sample of regular files. */
#include "collapse/formats/perf/text/span.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/recording.h"
#include "lib/base/inputs.h"
#include "lib/base/io.h"
#include "lib/base/reader.h"
#include "lib/base/xalloc.h"

/* So much of a file is looked at at a time, or as much as a line has. */
#define WINDOW ((size_t)64 * 1024)

/* So much of it tells a recording. */
#define MAGIC_SIZE ((size_t)16)

/* `size` bytes of a file from `start`, as far as they can be read. */
static struct fg_str read_window(int fd, off_t start, size_t size, struct fg_buf *b)
{
	fg_buf_clear(b);
	fg_buf_reserve(b, size);
	while (b->len < size) {
		ssize_t got = fg_io_read_at(fd, b->ptr + b->len, size - b->len,
					    start + (off_t)b->len);

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
		    !perf_header_timed(line, NULL, &h) ||
		    fg_str_has(line, FG_STR("PERF_RECORD_")) || !h.time.ptr ||
		    fg_read_seconds(h.time, ns))
			continue;
		status = 0;
		if (!last)
			break;
	}
	return status;
}

/* Looks at whole lines, window by window from the start on. */
static int find_first(int fd, off_t size, struct fg_buf *b, uint64_t *ns)
{
	size_t window = WINDOW;
	off_t at = 0;

	while (at < size) {
		struct fg_str text = read_window(fd, at, window, b);
		size_t newline = fg_str_rfind_char(text, '\n');

		if (newline < text.len)
			text.len = newline + 1;
		else if (text.len == window) {
			window = fg_size_mul(window, 2);
			continue;
		}
		if (!text.len)
			break;
		if (!time_in(text, false, ns))
			return 0;
		at += (off_t)text.len;
	}
	return -1;
}

/* The same from the end back. */
static int find_last(int fd, off_t size, struct fg_buf *b, uint64_t *ns)
{
	size_t window = WINDOW;

	while (size) {
		size_t len = (off_t)window < size ? window : (size_t)size;
		off_t start = size - (off_t)len;
		struct fg_str text = read_window(fd, start, len, b);
		size_t newline = start ? fg_str_find_char(text, '\n') : 0;

		if (start && newline + 1 >= text.len) {
			window = fg_size_mul(window, 2);
			continue;
		}
		if (start)
			text = fg_str_from_pos(text, newline + 1);
		if (!time_in(text, true, ns))
			return 0;
		size = start ? start + (off_t)newline + 1 : 0;
	}
	return -1;
}

static int find_times(int fd, off_t size, uint64_t *first, uint64_t *last)
{
	struct fg_buf b = FG_BUF_INIT;
	int status;

	if (fg_perfdata_starts(read_window(fd, 0, MAGIC_SIZE, &b))) {
		fg_buf_release(&b);
		return perf_recording_span(fd, first, last);
	}
	status = find_first(fd, size, &b, first);
	if (!status)
		status = find_last(fd, size, &b, last);
	fg_buf_release(&b);
	return status;
}

enum span { SPAN_FOUND, SPAN_NO_TIMES, SPAN_NO_FILE, SPAN_NOT_REGULAR };

static enum span span_of_file(const char *name, uint64_t *first, uint64_t *last)
{
	bool is_stdin = !strcmp(name, "-");
	int fd = is_stdin ? STDIN_FILENO : fg_io_open(name);
	enum span span = SPAN_NO_TIMES;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return SPAN_NO_FILE;
	if (!S_ISREG(st.st_mode))
		span = SPAN_NOT_REGULAR;
	else if (!find_times(fd, st.st_size, first, last))
		span = SPAN_FOUND;
	if (!is_stdin)
		close(fd);
	return span;
}

int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last)
{
	size_t count = files->count;
	const char *const *names = fg_inputs(files->items, &count);
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
	/* a missing file is reported when it is read */
	return found || missing ? 0 : -1;
}
