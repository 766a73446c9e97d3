/*
 * Lets programs that read folded stacks read structured profiles, too: gives the input
 * to collapse-guess, and reads the folded stacks that it writes.
 */
#include "lib/recognize/structured.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/child.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/recognize.h"

#define PROGRAM "collapse-guess"

/* Bytes of folded stacks that are read from the child at a time. */
#define PART ((size_t)64 * 1024)

struct structured {
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_child child;
	int error; /* errno if the child could not be started, else 0 */
	struct fg_buf rest; /* the start of a line whose end is not read yet */
};

/*
 * We look at only this many bytes of an input that is neither JSON nor HTML. That is
 * enough for the other formats, and less time is lost on folded stacks, which match
 * none of them.
 */
#define OTHER_START ((size_t)4096)

static bool starts(struct fg_str bytes)
{
	struct fg_str text = fg_str_trim_left(fg_utf8_skip_mark(bytes));

	if (!text.len || !strchr("{[<", text.ptr[0]))
		bytes = fg_str_before(bytes, OTHER_START);
	for (size_t i = 0; fg_kinds[i]; i++)
		if (fg_kinds[i]->is_structured &&
		    fg_kinds[i]->probe(bytes) == FG_PROBE_YES)
			return true;
	return false;
}

static void *open_child(const char *input, struct fg_diag *diag)
{
	struct structured *g = fg_xcalloc(1, sizeof(*g));
	struct fg_buf path = FG_BUF_INIT;
	const char *args[] = { NULL, "--header", NULL, NULL };

	if (diag->verbosity == FG_QUIET)
		args[2] = "-q";
	g->diag = diag;
	g->at.input = input;
	fg_child_find_own(PROGRAM, &path);
	args[0] = fg_buf_cstr(&path);
	g->error = fg_child_start(&g->child, args);
	fg_buf_release(&path);
	return g;
}

static int report_start(const struct structured *g)
{
	return fg_error(g->diag, &g->at,
			"this input needs the program " PROGRAM ", which %s",
			fg_child_is_missing(g->error) ?
				"is neither beside this program nor on PATH" :
				"cannot be started");
}

static int report_end(const struct structured *g)
{
	return fg_error(g->diag, &g->at, "no stacks came from " PROGRAM);
}

static int feed(void *state, struct fg_str bytes)
{
	struct structured *g = state;

	if (g->error)
		return report_start(g);
	return fg_child_write(&g->child, bytes) ? report_end(g) : 0;
}

/* Appends the whole lines read so far. Returns 1, 0 at the end, -1 after reporting. */
static int read_lines(struct structured *g, struct fg_buf *lines)
{
	for (;;) {
		struct fg_str part, text;
		size_t end;

		if (fg_child_part(&g->child, PART, &part) != READ_LINE)
			break;
		fg_buf_add_str(&g->rest, part);
		end = fg_str_rfind_char(part, '\n');
		if (end == part.len)
			continue; /* no line has ended yet */
		text = fg_buf_str(&g->rest);
		end += text.len - part.len;
		fg_buf_add_str(lines, fg_str_before(text, end + 1));
		text = fg_str_from_pos(text, end + 1);
		memmove(g->rest.ptr, text.ptr, text.len);
		g->rest.len = text.len;
		return 1;
	}
	return fg_child_end(&g->child, CHILD_WAIT) ? report_end(g) : 0;
}

static int make_lines(void *state, struct fg_buf *lines)
{
	struct structured *g = state;

	if (!g->child.pid)
		return 0;
	if (g->child.to >= 0) {
		close(g->child.to);
		g->child.to = -1;
	}
	return read_lines(g, lines);
}

static void close_child(void *state)
{
	struct structured *g = state;

	if (!g)
		return;
	fg_child_end(&g->child, CHILD_KILL);
	fg_buf_release(&g->rest);
	free(g);
}

static const struct fg_reader_format format = {
	.starts = starts,
	.takes_packed = true, /* so that the child sees how small the input is */
	.open = open_child,
	.feed = feed,
	.lines = make_lines,
	.close = close_child,
};

void fg_structured_accept(struct fg_reader *r)
{
	fg_reader_judge_by(r, FG_RECOGNIZE_BYTES);
	fg_reader_accept(r, &format);
}
