/*
 * Reads the tracebacks of Python's faulthandler; see _Py_DumpTracebackThreads() in
 * Python/traceback.c.
 *
 *     Thread 0x00007f1234567700 [worker] (most recent call first):
 *       File "/srv/app.py", line 42 in Klass.work
 *       File "/srv/app.py", line 60 in <module>
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "lib/base/line_prefix.h"
#include "collapse/sink.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/profile/line.h"
#include "lib/recognize/lines.h"

/* The forms of frames. */
enum form {
	FILE_FIRST, /* FILE:LINE:FUNCTION */
	FUNCTION_FIRST, /* FUNCTION:FILE:LINE, like in other formats */
	NO_LINES, /* FILE:FUNCTION */
};

#define OPTIONS struct options
struct options {
	bool threads;
	int form; /* enum form */
};

static const struct fg_opt rows[] = {
	SECTION("Frames"),
	FLAG("threads", threads, "the thread as root frame"),
	SET("lines", form, FUNCTION_FIRST,
	    "FUNCTION:FILE:LINE instead of FILE:LINE:FUNCTION"),
	SET("no-lines", form, NO_LINES, "one frame for a function: FILE:FUNCTION"),
	FG_OPT_END,
};

struct faulthandler {
	struct fg_sink *sink;
	const struct options *options;
	struct fg_frames frames; /* maps the text after `File "` to its frames */
	struct fg_line_prefix prefix;
	uint32_t thread_plus_1; /* id plus 1 of the thread's root frame, or 0 */
	struct fg_buf frame; /* scratch for a name */
	struct fg_buf first_half; /* start of a line that was broken before "line 42" */
	bool halved; /* the last line was a first half */
	bool truncated; /* Python left out callers */
	bool open; /* the last line was a header or a frame */
	bool broken; /* a line of the stack is malformed */
};

/* ---- stacks */

static void end_stack(struct faulthandler *f)
{
	if (f->broken) {
		fg_sink_skip(f->sink, FG_SKIP_DROPPED, 1);
		fg_sink_clear(f->sink);
	} else if (fg_stack_depth(fg_sink_stack(f->sink))) {
		if (f->truncated) {
			fg_sink_frame(f->sink, FG_STR("[truncated]"));
			fg_sink_tally(f->sink)->truncated++;
		}
		if (f->thread_plus_1)
			fg_sink_root_id(f->sink, f->thread_plus_1 - 1);
		fg_sink_add(f->sink, 1);
	}
	f->truncated = f->broken = false;
}

static void add_named(struct faulthandler *f, struct fg_str function,
		      struct fg_str file, struct fg_str line)
{
	struct fg_buf *b = &f->frame;
	uint64_t number;

	fg_buf_clear(b);
	if (f->options->form == FUNCTION_FIRST) {
		fg_buf_add_str(b, function);
		if (!fg_str_u64(line, &number))
			fg_line_add(b, file, number);
	} else {
		fg_buf_add_str(b, file);
		fg_buf_add_char(b, ':');
		if (f->options->form == FILE_FIRST) {
			fg_buf_add_str(b, line);
			fg_buf_add_char(b, ':');
		}
		fg_buf_add_str(b, function);
	}
	fg_sink_frame(f->sink, fg_buf_str(b));
}

/*
 * Adds the frame of `FILE", line LINE in FUNCTION`, the rest of a line; LINE may be
 * "???". Adds nothing if the text is malformed.
 */
static void add_frame(void *state, struct fg_str rest)
{
	struct faulthandler *f = state;
	struct fg_str file, line;
	size_t digits;

	if (!faulthandler_cut_file(&rest, &file))
		return;
	digits =
		fg_str_starts(rest, FG_STR("???")) ? 3 : fg_str_span(rest, fg_is_digit);
	line = fg_str_before(rest, digits);
	rest = fg_str_from_pos(rest, digits);
	if (!digits || !fg_str_starts(rest, FG_STR(" in ")))
		return;
	add_named(f, fg_str_from_pos(rest, 4), file, line);
}

/* ---- lines */

/*
 * Reads a frame of a stack. Returns false if the line is not a frame: programs also
 * print exceptions, with lines like `  File "/srv/app.py", line 42, in work`.
 */
static bool read_frame(struct faulthandler *f, struct fg_str line)
{
	struct fg_str rest = line;
	size_t depth = fg_stack_depth(fg_sink_stack(f->sink));

	if (!faulthandler_cut_start(&rest) ||
	    (!f->open && !fg_str_starts(line, FG_STR("  "))))
		return false;
	fg_frames_add(&f->frames, rest, 0);
	if (fg_stack_depth(fg_sink_stack(f->sink)) == depth) {
		if (!f->open)
			return false;
		fg_sink_malformed(f->sink, line);
		f->broken = true;
	}
	f->open = true;
	return true;
}

static void start_thread(struct faulthandler *f, struct fg_str line)
{
	struct fg_str name = line, id;

	f->thread_plus_1 = 0;
	if (!f->options->threads)
		return;
	name = fg_str_before(line,
			     fg_str_find(line, FG_STR(" (most recent call first")));
	if (!fg_str_cut_start(&name, FG_STR("Current thread ")) &&
	    !fg_str_cut_start(&name, FG_STR("Thread ")))
		return;
	id = fg_str_cut(&name, ' ');
	fg_str_cut_end(&id, FG_STR(":"));
	fg_buf_clear(&f->frame);
	if (fg_str_cut_start(&name, FG_STR("[")) &&
	    fg_str_cut_end(&name, FG_STR("]")) && name.len) {
		fg_buf_add_str(&f->frame, name);
	} else {
		fg_buf_add_str(&f->frame, FG_STR("Thread "));
		fg_buf_add_str(&f->frame, id);
	}
	f->thread_plus_1 = fg_sink_name(f->sink, fg_buf_str(&f->frame)) + 1;
}

/*
 * Returns true if the line says that Python left out callers, or could not read them.
 */
static bool is_truncation(struct fg_str line)
{
	line = fg_str_trim(line);
	return fg_str_eq(line, FG_STR("...")) ||
	       fg_str_starts(line, FG_STR("<truncated")) ||
	       fg_str_starts(line, FG_STR("<invalid frame>"));
}

/*
 * Joins a line that a web page or a chat broke in two, before its "line 42 in work".
 * Returns false if the line is the first half, which is kept for the next call.
 */
static bool join_halves(struct faulthandler *f, struct fg_str *line)
{
	struct fg_str rest = *line, words = fg_str_trim(*line);

	if (f->halved && fg_str_starts(words, FG_STR("line "))) {
		f->halved = false;
		fg_buf_add_char(&f->first_half, ' ');
		fg_buf_add_str(&f->first_half, words);
		*line = fg_buf_str(&f->first_half);
		return true;
	}
	f->halved = f->open && faulthandler_cut_start(&rest) &&
		    fg_str_ends(words, FG_STR("\","));
	fg_buf_clear(&f->first_half);
	fg_buf_add_str(&f->first_half, fg_str_trim_right(*line));
	return !f->halved;
}

/*
 * Returns true if the line may be the start of another frame or thread, cut off by the
 * end of the input.
 */
static bool is_start(struct fg_str line)
{
	static const struct fg_str threads[] = {
		FG_STR_INIT("Current thread 0x"),
		FG_STR_INIT("Thread 0x"),
		FG_STR_INIT("Stack (most "),
	};

	line = fg_str_trim_left(line);
	return fg_str_starts(FG_STR("File \""), line) ||
	       fg_str_starts_any(line, threads, FG_COUNT_OF(threads));
}

static void read_line(void *state, struct fg_str line)
{
	struct faulthandler *f = state;
	size_t at = faulthandler_find_header(line);

	if (at < line.len && fg_line_prefix_set(&f->prefix, line, at))
		end_stack(f);
	fg_line_prefix_cut(&f->prefix, &line);
	/* A traceback from a web page may have an empty line after each line. */
	if (!fg_str_trim(line).len) {
		f->open = f->halved = false;
		return;
	}
	if (!join_halves(f, &line) || read_frame(f, line))
		return;
	if (is_truncation(line) && (f->open || fg_str_starts(line, FG_STR("  ")))) {
		f->truncated = true;
	} else {
		/* this is not the next frame, cut off, so the stack is complete */
		if (!is_start(line))
			fg_sink_set_unended(f->sink, false);
		end_stack(f);
		f->open = faulthandler_is_header(line);
		if (f->open)
			start_thread(f, line);
	}
}

static void end_input(void *state)
{
	struct faulthandler *f = state;

	end_stack(f);
	f->thread_plus_1 = 0;
	fg_buf_clear(&f->prefix.text);
	f->halved = false;
	f->open = false;
}

/* ---- the format */

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
	fg_line_prefix_release(&f->prefix);
	fg_buf_release(&f->frame);
	fg_buf_release(&f->first_half);
	free(f);
}

const struct fg_format fg_format_faulthandler = {
	.kind = &fg_kind_faulthandler,
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
	.open = open_faulthandler,
	.line = read_line,
	.end_input = end_input,
	.close = close_faulthandler,
};
