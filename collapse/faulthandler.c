/*
 * Tracebacks of Python's faulthandler: Python/traceback.c, _Py_DumpTracebackThreads.
 *
 *     Thread 0x00007f1234567700 [worker] (most recent call first):
 *       File "/srv/app.py", line 42 in Klass.work
 *       File "/srv/app.py", line 60 in <module>
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "lib/optrows.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

#define OPTIONS struct options
struct options {
	bool threads;
	bool no_lines;
};

static const struct fg_opt rows[] = {
	SECTION("Frames"),
	FLAG("threads", threads, "the thread as root frame"),
	FLAG("no-lines", no_lines, "one frame for a function: FILE:FUNCTION"),
	FG_OPT_END,
};

struct faulthandler {
	struct fg_sink *sink;
	const struct options *options;
	struct fg_frames frames; /* of what is behind `  File "` */
	struct fg_buf thread; /* its root frame; empty before the first */
	struct fg_buf frame; /* room for one */
	bool truncated; /* Python left out callers */
	bool open; /* a header or a frame was the line before */
	bool broken; /* a line of the stack was not understood */
};

/* ---- stacks */

static void end_stack(struct faulthandler *f)
{
	if (f->broken) {
		f->sink->tally.samples++;
		f->sink->tally.dropped++;
		fg_sink_clear(f->sink);
	} else if (fg_stack_depth(&f->sink->stack)) {
		if (f->truncated)
			fg_sink_frame(f->sink, FG_STR("[truncated]"));
		if (f->options->threads && f->thread.len)
			fg_sink_root(f->sink, fg_buf_str(&f->thread));
		fg_sink_add(f->sink, 1);
	}
	f->truncated = f->broken = false;
}

/* What is between `"` and `", line `, the last such text, as file names may hold it. */
static bool cut_file(struct fg_str *rest, struct fg_str *file)
{
	static const struct fg_str end = FG_STR_INIT("\", line ");

	for (size_t at = rest->len; at-- > 0;) {
		if (rest->ptr[at] != '"' ||
		    !fg_str_starts(fg_str_from_pos(*rest, at), end))
			continue;
		*file = fg_str_before(*rest, at);
		*rest = fg_str_from_pos(*rest, at + end.len);
		return true;
	}
	return false;
}

/*
 * The rest of `  File "FILE", line LINE in FUNCTION`; LINE may be "???". What is not
 * understood is no frame.
 */
static void add_frame(void *state, struct fg_str rest)
{
	struct faulthandler *f = state;
	struct fg_str file, line;
	size_t digits;

	if (!cut_file(&rest, &file))
		return;
	digits =
		fg_str_starts(rest, FG_STR("???")) ? 3 : fg_str_span(rest, fg_is_digit);
	line = fg_str_before(rest, digits);
	rest = fg_str_from_pos(rest, digits);
	if (!digits || !fg_str_starts(rest, FG_STR(" in ")))
		return;
	fg_buf_clear(&f->frame);
	fg_buf_add_str(&f->frame, file);
	fg_buf_add_char(&f->frame, ':');
	if (!f->options->no_lines) {
		fg_buf_add_str(&f->frame, line);
		fg_buf_add_char(&f->frame, ':');
	}
	fg_buf_add_str(&f->frame, fg_str_from_pos(rest, 4));
	fg_sink_frame(f->sink, fg_buf_str(&f->frame));
}

/* ---- lines */

/*
 * A line of a stack; false where it is none. Exceptions, which programs print among
 * the tracebacks, have lines such as `  File "/srv/app.py", line 42, in work`.
 */
static bool read_frame(struct faulthandler *f, struct fg_str line)
{
	struct fg_str rest = line;
	size_t depth = fg_stack_depth(&f->sink->stack);

	if (!fg_str_cut_start(&rest, FG_STR("  File \"")))
		return false;
	fg_frames_add(&f->frames, rest, 0);
	if (fg_stack_depth(&f->sink->stack) == depth) {
		if (!f->open)
			return false;
		fg_sink_odd_line(f->sink, f->sink->at, line);
		f->broken = true;
	}
	f->open = true;
	return true;
}

/* "Thread 0x00007f12 [worker] (most recent call first):", or "Current thread 0x..." */
static bool is_header(struct fg_str line)
{
	size_t at = fg_str_find(line, FG_STR(" (most recent call first"));

	return at < line.len && (fg_str_starts(line, FG_STR("Thread 0x")) ||
				 fg_str_starts(line, FG_STR("Current thread 0x")) ||
				 fg_str_starts(line, FG_STR("Stack")));
}

static void start_thread(struct faulthandler *f, struct fg_str line)
{
	struct fg_str name = line, id;

	fg_buf_clear(&f->thread);
	name = fg_str_before(line,
			     fg_str_find(line, FG_STR(" (most recent call first")));
	if (!fg_str_cut_start(&name, FG_STR("Current thread ")) &&
	    !fg_str_cut_start(&name, FG_STR("Thread ")))
		return;
	id = fg_str_cut(&name, ' ');
	if (fg_str_cut_start(&name, FG_STR("[")) &&
	    fg_str_cut_end(&name, FG_STR("]")) && name.len) {
		fg_buf_add_str(&f->thread, name);
	} else {
		fg_buf_add_str(&f->thread, FG_STR("Thread "));
		fg_buf_add_str(&f->thread, id);
	}
}

/* Python left out the callers, or could not read them. */
static bool is_truncation(struct fg_str line)
{
	return fg_str_eq(fg_str_trim_right(line), FG_STR("  ...")) ||
	       fg_str_starts(line, FG_STR("  <truncated")) ||
	       fg_str_starts(line, FG_STR("  <invalid frame>"));
}

static void read_line(void *state, struct fg_str line)
{
	struct faulthandler *f = state;

	if (read_frame(f, line))
		return;
	if (is_truncation(line)) {
		f->truncated = true;
	} else {
		end_stack(f);
		f->open = is_header(line);
		if (f->open)
			start_thread(f, line);
	}
}

static void end_input(void *state)
{
	struct faulthandler *f = state;

	end_stack(f);
	fg_buf_clear(&f->thread);
}

/* ---- the format */

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_header = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n'), file;

		any_header |= is_header(line);
		if (any_header && fg_str_cut_start(&line, FG_STR("  File \"")) &&
		    cut_file(&line, &file) && fg_str_has(line, FG_STR(" in ")))
			return FG_PROBE_YES;
	}
	return any_header ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

static void *open_faulthandler(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct faulthandler *f = fg_xcalloc(1, sizeof(*f));

	f->sink = sink;
	f->options = run->own;
	fg_frames_init(&f->frames, sink, add_frame, f);
	return f;
}

static void close_faulthandler(void *state)
{
	struct faulthandler *f = state;

	fg_frames_release(&f->frames);
	fg_buf_release(&f->thread);
	fg_buf_release(&f->frame);
	free(f);
}

const struct fg_format fg_format_faulthandler = {
	.name = "faulthandler",
	.input = "the output of Python's faulthandler",
	.summary =
		"Reads the tracebacks that Python's faulthandler writes, and writes\n"
		"folded stacks.",
	.footer = "Example:\n"
		  "  python3 -X faulthandler app.py 2> tracebacks.txt\n"
		  "  collapse-faulthandler tracebacks.txt | flamegraph > flame.svg",
	.hints = { .empty = "did faulthandler write to another file?",
		   .not_found =
			   "no traceback was found: is this the output of Python's "
			   "faulthandler?" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.probe = probe,
	.open = open_faulthandler,
	.line = read_line,
	.end_input = end_input,
	.close = close_faulthandler,
};
