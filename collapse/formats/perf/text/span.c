/* Finds the times of the first and the last sample of regular files. */
#include "collapse/formats/perf/text/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/formats/perf/data/perfdata.h"
#include "collapse/formats/perf/text/header.h"
#include "collapse/formats/perf/text/recording.h"
#include "collapse/select.h"
#include "lib/base/inputs.h"
#include "lib/base/io.h"
#include "lib/base/reader.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

/* We read this much of a file at a time, or more if a line is longer. */
#define WINDOW ((size_t)64 * 1024)

/* The first bytes of a file by which a recording is recognised. */
#define MAGIC_SIZE ((size_t)16)

/* A file that is searched for times. */
struct look {
	const char *name;
	int fd;
	off_t size;
	struct fg_buf buf;
	struct fg_diag *diag;
};

/* The result of searching a file. */
enum span { SPAN_FAILED = -1, SPAN_FOUND, SPAN_NO_TIMES, SPAN_NOT_REGULAR };

static enum span failed(const struct look *l, const char *what)
{
	struct fg_place at = { l->name, 0 };

	return fg_error(l->diag, &at, "%s: %s", what, strerror(errno));
}

/*
 * Sets *text to `size` bytes from `start`, or fewer at the end of the file. Returns 0,
 * or -1 after reporting.
 */
static int read_window(struct look *l, off_t start, size_t size, struct fg_str *text)
{
	struct fg_buf *b = &l->buf;
	ssize_t got = 1;

	fg_buf_clear(b);
	fg_buf_reserve(b, size);
	while (got > 0 && b->len < size) {
		got = fg_io_read_at(l->fd, b->ptr + b->len, size - b->len,
				    start + (off_t)b->len);
		if (got > 0)
			b->len += (size_t)got;
	}
	*text = fg_buf_str(b);
	return got < 0 ? failed(l, "cannot read") : 0;
}

/*
 * Sets *ns to the time of the first or last header. Returns false if there are no
 * headers.
 */
static bool find_time(struct fg_str text, bool last, uint64_t *ns)
{
	bool found = false;

	while (text.len && (last || !found)) {
		struct fg_str line = fg_str_cut(&text, '\n');
		struct perf_header h;

		if (!line.len || line.ptr[0] == '\t' ||
		    !perf_header_timed(line, NULL, &h) ||
		    fg_str_has(line, FG_STR("PERF_RECORD_")) || !h.time.ptr ||
		    fg_read_seconds(h.time, ns))
			continue;
		found = true;
	}
	return found;
}

/*
 * Finds the first time in the file. Reads whole lines, window by window from the start.
 */
static enum span find_first(struct look *l, uint64_t *ns)
{
	size_t window = WINDOW;
	off_t at = 0;

	while (at < l->size) {
		struct fg_str text;
		size_t newline;

		if (read_window(l, at, window, &text))
			return SPAN_FAILED;
		newline = fg_str_rfind_char(text, '\n');
		if (newline < text.len)
			text.len = newline + 1;
		else if (text.len == window) {
			window = fg_size_mul(window, 2);
			continue;
		}
		if (!text.len)
			break;
		if (find_time(text, false, ns))
			return SPAN_FOUND;
		at += (off_t)text.len;
	}
	return SPAN_NO_TIMES;
}

/* Finds the last time in the file. Reads window by window, from the end backwards. */
static enum span find_last(struct look *l, uint64_t *ns)
{
	size_t window = WINDOW;
	off_t size = l->size;

	while (size) {
		size_t len = (off_t)window < size ? window : (size_t)size, newline;
		off_t start = size - (off_t)len;
		struct fg_str text;

		if (read_window(l, start, len, &text))
			return SPAN_FAILED;
		newline = start ? fg_str_find_char(text, '\n') : 0;
		if (start && newline + 1 >= text.len) {
			window = fg_size_mul(window, 2);
			continue;
		}
		if (start)
			text = fg_str_from_pos(text, newline + 1);
		if (find_time(text, true, ns))
			return SPAN_FOUND;
		size = start ? start + (off_t)newline + 1 : 0;
	}
	return SPAN_NO_TIMES;
}

static enum span span_of_recording(struct look *l, uint64_t *first, uint64_t *last)
{
	switch (perf_recording_span(l->fd, l->name, first, last, l->diag)) {
	case 0:
		return SPAN_FOUND;
	case FG_SPAN_UNKNOWN:
		return SPAN_NO_TIMES;
	default:
		return SPAN_FAILED;
	}
}

static enum span span_of_open(struct look *l, uint64_t *first, uint64_t *last)
{
	enum span span;
	struct fg_str start;
	struct stat st;

	if (fstat(l->fd, &st))
		return failed(l, "cannot read");
	if (!S_ISREG(st.st_mode))
		return SPAN_NOT_REGULAR;
	l->size = st.st_size;
	if (read_window(l, 0, MAGIC_SIZE, &start))
		return SPAN_FAILED;
	if (perf_data_starts(start))
		return span_of_recording(l, first, last);
	span = find_first(l, first);
	return span == SPAN_FOUND ? find_last(l, last) : span;
}

static enum span span_of_file(const char *name, uint64_t *first, uint64_t *last,
			      struct fg_diag *diag)
{
	bool is_stdin = fg_is_standard_input(name);
	struct look l = { .name = fg_input_name(name),
			  .fd = is_stdin ? STDIN_FILENO : fg_io_open(name),
			  .buf = FG_BUF_INIT,
			  .diag = diag };
	enum span span;

	if (l.fd < 0)
		return failed(&l, "cannot open");
	span = span_of_open(&l, first, last);
	fg_buf_release(&l.buf);
	if (!is_stdin)
		close(l.fd);
	return span;
}

int perf_find_span(const struct fg_opt_list *files, uint64_t *first, uint64_t *last,
		   struct fg_diag *diag)
{
	size_t count = files->count;
	const char *const *names = fg_inputs(files->items, &count);
	bool found = false;

	*first = *last = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t from = 0, to = 0;
		enum span span = span_of_file(names[i], &from, &to, diag);

		if (span == SPAN_FAILED)
			return -1;
		if (span == SPAN_NOT_REGULAR)
			return FG_SPAN_UNKNOWN;
		if (span != SPAN_FOUND)
			continue;
		*first = found && *first < from ? *first : from;
		*last = found && *last > to ? *last : to;
		found = true;
	}
	return found ? 0 : FG_SPAN_UNKNOWN;
}
