/* Reads SVG files through a child process, flamepipe-svg. */
#include "lib/svg/svgchild.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/child.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

struct svgchild {
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_child child;
	int error; /* errno if the child could not be started */
	bool failed; /* reported */
};

struct record {
	char kind;
	size_t size;
};

bool fg_svg_starts(struct fg_str bytes)
{
	bytes = fg_utf8_skip_mark(bytes);
	if (fg_str_starts(bytes, FG_STR("<?xml")))
		return true;
	return fg_str_starts(bytes, FG_STR("<svg")) && bytes.len > 4 &&
	       (fg_is_space(bytes.ptr[4]) || bytes.ptr[4] == '>');
}

static void *open_child(const char *input, struct fg_diag *diag)
{
	struct svgchild *s = fg_xcalloc(1, sizeof(*s));
	struct fg_buf path = FG_BUF_INIT;
	const char *args[] = { NULL, FG_VERSION, diag->program, input, NULL };

	s->diag = diag;
	s->at.input = input;
	fg_child_find_own(FG_SVGCHILD_PROGRAM, &path);
	args[0] = fg_buf_cstr(&path);
	s->error = fg_child_start(&s->child, args);
	fg_buf_release(&path);
	return s;
}

static void close_child(void *state)
{
	struct svgchild *s = state;

	if (!s)
		return;
	fg_child_end(&s->child, CHILD_KILL);
	free(s);
}

static int report_start(struct svgchild *s)
{
	if (fg_child_is_missing(s->error))
		return fg_error(
			s->diag, &s->at,
			"this SVG cannot be read: the program " FG_SVGCHILD_PROGRAM
			" is neither beside this program nor on PATH");
	return fg_error(s->diag, &s->at,
			"this SVG cannot be read: cannot start " FG_SVGCHILD_PROGRAM
			": %s",
			strerror(s->error));
}

static int report_early_end(struct svgchild *s)
{
	return fg_error(s->diag, &s->at,
			"this SVG cannot be read: " FG_SVGCHILD_PROGRAM " ended early");
}

/*
 * Reads the head of a record. If the child breaks the protocol, treats that like its
 * end.
 */
static enum fg_reading read_record(struct svgchild *s, struct record *record)
{
	struct fg_str line;
	uint64_t size;

	if (fg_child_line(&s->child, &line) != READ_LINE)
		return READ_END;
	if (line.len < 3 || line.ptr[1] != ' ' ||
	    fg_str_u64(fg_str_from_pos(line, 2), &size) || size > SIZE_MAX)
		return READ_END;
	record->kind = line.ptr[0];
	record->size = (size_t)size;
	return READ_LINE;
}

static enum fg_reading read_bytes(struct svgchild *s, size_t size, struct fg_buf *to)
{
	while (size) {
		struct fg_str part;

		if (fg_child_part(&s->child, size, &part) != READ_LINE)
			return READ_END;
		fg_buf_add_str(to, part);
		size -= part.len;
	}
	return READ_LINE;
}

static int pass_on(struct svgchild *s, const struct record *record)
{
	const bool is_error = record->kind == FG_SVGCHILD_ERROR;
	struct fg_buf message = FG_BUF_INIT;
	enum fg_reading got = read_bytes(s, record->size, &message);

	if (got == READ_LINE)
		fg_diag_pass_on(s->diag, is_error, fg_buf_cstr(&message));
	fg_buf_release(&message);
	if (got == READ_LINE)
		return is_error ? -1 : 0;
	return report_early_end(s);
}

/* Appends the next lines. Returns 1, 0 at the end, or -1 after reporting. */
static int read_lines(struct svgchild *s, struct fg_buf *lines)
{
	struct record record;

	while (read_record(s, &record) == READ_LINE) {
		if (record.kind == FG_SVGCHILD_LINES)
			return read_bytes(s, record.size, lines) == READ_LINE ?
				       1 :
				       report_early_end(s);
		if (pass_on(s, &record))
			return -1;
	}
	return fg_child_end(&s->child, CHILD_WAIT) ? report_early_end(s) : 0;
}

/* Closes the child's input, because the child ends only then. */
static void stop_feeding(struct svgchild *s)
{
	if (s->child.to < 0)
		return;
	close(s->child.to);
	s->child.to = -1;
}

static int feed(void *state, struct fg_str bytes)
{
	struct svgchild *s = state;
	struct fg_buf none = FG_BUF_INIT;

	if (s->error) {
		s->failed = true;
		return report_start(s);
	}
	if (!fg_child_write(&s->child, bytes))
		return 0;
	/* the child has stopped reading and may have reported why */
	s->failed = true;
	stop_feeding(s);
	if (read_lines(s, &none) >= 0)
		report_early_end(s);
	fg_buf_release(&none);
	return -1;
}

static int make_lines(void *state, struct fg_buf *lines)
{
	struct svgchild *s = state;
	int status;

	if (s->failed)
		return -1;
	if (!s->child.pid)
		return 0;
	stop_feeding(s);
	status = read_lines(s, lines);
	s->failed = status < 0;
	return status;
}

const struct fg_reader_format fg_svgchild_format = {
	.starts = fg_svg_starts,
	.open = open_child,
	.feed = feed,
	.lines = make_lines,
	.close = close_child,
};
