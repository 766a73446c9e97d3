/*
 * Reads the stacks that gdb prints, once or many times; see "Backtraces" in its manual.
 *
 *     Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):
 *     #0  0x0000558d74b25522 in calc::run<int> (s="x) at y", n=3) at app.cpp:21
 *     #1  0x00007f44dd1a71f5 in start_thread () from /lib64/libc.so.6
 *
 * gdb also prints a single frame if it opens a core or goes to another frame. That is
 * not a stack, but may look like one of a single frame. So we decide at the next stack
 * whether that frame counts as a stack.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "collapse/names.h"
#include "lib/recognize/gdb.h"
#include "lib/base/line_prefix.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

/* A frame may continue on at most this many lines. */
#define MORE_LINES_MAX 32

#define OPTIONS struct options
struct options {
	bool threads;
};

static const struct fg_opt rows[] = {
	SECTION("Root frame"),
	FLAG("threads", threads, "the thread's name, or its LWP, as root frame"),
	FG_OPT_END,
};

/* The last frame. It may continue on the next lines. */
struct row {
	/* text of the row without its number; empty if there is no frame */
	struct fg_buf text;
	size_t first_line; /* length of its first line */
	unsigned more_lines;
	bool not_in_stack;
};

/*
 * A stack of one frame that we have not counted yet: gdb may have shown it as the place
 * where the program stopped, before it prints the stack with the same leaf.
 */
struct lone {
	struct fg_buf text; /* text of the frame */
	uint64_t seen; /* times in a row that it was printed */
};

/* The stack that is being read. */
struct stack {
	bool open;
	bool headed; /* it is below the header of a thread */
	/* if the stack has one frame, it is not a stack: gdb only showed that frame */
	bool shown;
	bool paused; /* an empty line came after its last frame */
	uint64_t start, last; /* the numbers of its first and last frame */
	uint64_t depth; /* number of its frames, without the one in gdb.row */
	struct fg_buf leaf; /* text of its first frame */
};

struct gdb {
	struct fg_sink *sink;
	struct fg_frames frames; /* maps a row to its frames */
	bool threads;
	struct fg_buf thread; /* the root frame; empty without --threads */
	struct fg_line_prefix prefix;
	struct row row;
	struct lone lone;
	struct stack stack;
	bool header; /* the header of a thread precedes the next stack */
	/* a line was read after which gdb shows a single frame, not a stack */
	bool shows;
	bool any_headed; /* this run of gdb printed the stack of a thread */
	bool in_start; /* the input ends within the start of a row or a header */
};

/* ---- threads */

/*
 * Returns the index in a thread's header at which the system's id of the thread starts.
 */
static size_t find_id(struct fg_str line)
{
	static const struct fg_str starts[] = {
		FG_STR_INIT("LWP "),
		FG_STR_INIT("process "),
		FG_STR_INIT("thread "),
		FG_STR_INIT("(Thread "),
	};

	for (size_t i = 0; i < FG_COUNT_OF(starts); i++) {
		size_t at = fg_str_find(line, starts[i]);

		if (at < line.len)
			return at + (line.ptr[at] == '(');
	}
	return fg_str_has(line, FG_STR(" (")) ? line.len : 0;
}

static struct fg_str thread_name(struct fg_str line)
{
	size_t quote = fg_str_find_char(line, '"'), end = fg_str_rfind_char(line, '"');
	struct fg_str name = fg_str_trim_right(fg_str_from_pos(line, find_id(line)));

	fg_str_cut_end(&name, FG_STR(":"));
	name = fg_str_before(name, fg_str_find_char(name, ')'));
	if (quote < end && end < line.len)
		name = fg_str_before(fg_str_from_pos(line, quote + 1), end - quote - 1);
	return name.len ? name : FG_STR("Thread");
}

/* ---- frames */

/* Returns the name of a row without parameters and version. */
static struct fg_str short_name(const struct gdb_row *row)
{
	struct fg_str name = fg_name_cut_version(row->name);

	return fg_str_before(name, fg_name_length(name));
}

/* Adds the frame of a row without its number. */
static void add_frame(void *state, struct fg_str text)
{
	struct gdb *g = state;
	struct gdb_row row = gdb_row_split(text);
	struct fg_str name = short_name(&row);

	if (!fg_str_eq(name, FG_STR("??")))
		fg_sink_frame(g->sink, name);
	else if (row.library.len)
		fg_sink_module(g->sink, row.library);
	else
		fg_sink_frame(g->sink, FG_STR("[unknown]"));
}

/* Returns the text of a row so far, or only its first line if the row never ended. */
static struct fg_str row_text(const struct row *row)
{
	struct fg_str text = fg_buf_str(&row->text);

	return row->more_lines && !gdb_row_split(text).whole ?
		       fg_str_before(text, row->first_line) :
		       text;
}

static void add_to_row(struct row *row, struct fg_str line)
{
	fg_buf_add_char(&row->text, ' ');
	fg_buf_add_str(&row->text, fg_str_trim(line));
	row->more_lines++;
}

/* ---- stacks of one frame, which may not be stacks */

static void count_lone(struct gdb *g)
{
	for (; g->lone.seen; g->lone.seen--) {
		fg_frames_add(&g->frames, fg_buf_str(&g->lone.text), 0);
		fg_sink_add(g->sink, 1);
	}
}

static bool is_lone(const struct gdb *g, struct fg_str leaf)
{
	return g->lone.seen && fg_str_eq(fg_buf_str(&g->lone.text), leaf);
}

static void keep_lone(struct gdb *g)
{
	if (g->stack.shown || g->any_headed || g->stack.start)
		return;
	fg_buf_clear(&g->lone.text);
	fg_buf_add_str(&g->lone.text, fg_buf_str(&g->stack.leaf));
	g->lone.seen++;
}

/* Starts a stack with its leaf, which gdb may have shown before the stack. */
static void start_frames(struct gdb *g, struct fg_str leaf)
{
	if (g->stack.headed)
		g->lone.seen = 0;
	else if (!is_lone(g, leaf))
		count_lone(g);
	fg_buf_clear(&g->stack.leaf);
	fg_buf_add_str(&g->stack.leaf, leaf);
}

/* ---- stacks */

static void end_row(struct gdb *g)
{
	struct fg_str text = row_text(&g->row);

	if (text.len && !g->row.not_in_stack) {
		if (!g->stack.depth++)
			start_frames(g, text);
		fg_frames_add(&g->frames, text, 0);
	}
	fg_buf_clear(&g->row.text);
}

static void end_stack(struct gdb *g)
{
	struct stack *s = &g->stack;

	end_row(g);
	if (s->depth == 1 && !s->headed) {
		keep_lone(g);
	} else if (s->depth && s->start && !s->headed) {
		fg_sink_skip(g->sink, FG_SKIP_DROPPED, 1);
	} else if (s->depth) {
		g->lone.seen -= is_lone(g, fg_buf_str(&s->leaf));
		if (s->headed && g->thread.len)
			fg_sink_root(g->sink, fg_buf_str(&g->thread));
		fg_sink_add(g->sink, 1);
	}
	fg_sink_clear(g->sink);
	s->open = false;
	s->depth = 0;
}

static void start_stack(struct gdb *g, uint64_t number)
{
	struct stack *s = &g->stack;

	s->open = true;
	s->start = number;
	s->headed = g->header;
	s->shown = g->shows;
	g->any_headed |= g->header;
	g->header = g->shows = false;
}

/* Ends a run of gdb. */
static void end_run(struct gdb *g)
{
	end_stack(g);
	count_lone(g);
	fg_buf_clear(&g->thread);
	g->header = g->shows = g->any_headed = false;
}

/* ---- lines */

/*
 * Reads a row. The numbers of a stack grow by one from 0; `up` and `frame 5` print
 * others.
 */
static void read_row(struct gdb *g, uint64_t number, struct fg_str text)
{
	struct stack *s = &g->stack;

	end_row(g);
	if (!number || !s->open || (s->paused && number != s->last + 1)) {
		end_stack(g);
		start_stack(g, number);
	}
	g->row.not_in_stack = s->depth && number <= s->last;
	s->paused = false;
	if (!g->row.not_in_stack)
		s->last = number;
	fg_buf_add_str(&g->row.text, text);
	g->row.first_line = text.len;
	g->row.more_lines = 0;
}

static void read_thread(struct gdb *g, struct fg_str line)
{
	fg_buf_clear(&g->thread);
	if (g->threads)
		fg_buf_add_str(&g->thread, thread_name(line));
	g->header = true;
}

/*
 * Returns true for "9\tin main.c" below "main () at main.c:9". gdb prints this source
 * line if it only shows a frame.
 */
static bool is_source_of(struct fg_str row, struct fg_str line)
{
	size_t digits = fg_str_span(line, fg_is_digit);

	return digits && digits < line.len && fg_is_blank(line.ptr[digits]) &&
	       digits == fg_str_end_span(row, fg_is_digit) &&
	       fg_str_ends(row, fg_str_before(line, digits));
}

/*
 * Reads a line that is not a frame. It may tell that gdb starts or ends, or that gdb
 * only shows a single frame, which is below or above the line.
 */
static void read_remark(struct gdb *g, struct fg_str line)
{
	static const struct fg_str shows[] = {
		FG_STR_INIT("Core was generated by "),
		FG_STR_INIT("Program terminated with signal "),
		FG_STR_INIT("[Switching to thread "),
		FG_STR_INIT("[Switching to Thread "),
	};

	if (fg_str_starts(line, FG_STR("[Inferior ")) ||
	    fg_str_starts(line, FG_STR("GNU gdb ")))
		end_run(g);
	else if (fg_str_starts(line, FG_STR("[Current thread is ")))
		g->stack.shown = true;
	else if (gdb_is_crash_handler(line))
		g->header = true;
	g->shows |= fg_str_starts_any(line, shows, FG_COUNT_OF(shows));
}

/* Reads a line that does not start a row. It may continue the last row. */
static void read_other(struct gdb *g, struct fg_str line)
{
	struct row *row = &g->row;

	if (fg_str_starts(line, FG_STR("--Type <")) ||
	    fg_str_starts(line, FG_STR("---Type <")))
		return;
	if (is_source_of(fg_buf_str(&row->text), line)) {
		fg_buf_clear(&row->text);
		g->stack.open = g->stack.depth > 0;
	} else if (row->text.len && row->more_lines < MORE_LINES_MAX &&
		   line.ptr[0] != '[' &&
		   gdb_row_goes_on(fg_buf_str(&row->text), line)) {
		add_to_row(row, line);
	} else {
		end_row(g);
		read_remark(g, line);
	}
}

static bool find_prefix(struct gdb *g, struct fg_str line)
{
	size_t length;

	if (g->stack.open && !g->stack.paused)
		return false;
	length = gdb_prefix_length(line);
	return length && fg_line_prefix_set(&g->prefix, line, length);
}

static void read_line(void *state, struct fg_str line)
{
	struct gdb *g = state;
	uint64_t number;
	size_t start;

	if (find_prefix(g, line))
		end_stack(g);
	fg_line_prefix_cut(&g->prefix, &line);
	while (fg_str_cut_start(&line, FG_STR("(gdb)"))) {
		end_stack(g);
		line = fg_str_trim_left(line);
	}
	fg_str_cut_start(&line, FG_STR(">>> ")); /* a tool marks a frame with this */
	start = gdb_row_start(line, &number);
	g->in_start =
		fg_sink_is_unended(g->sink) && (fg_str_starts(line, FG_STR("#")) ||
						fg_str_starts(line, FG_STR("Thread ")));
	if (start) {
		read_row(g, number, fg_str_from_pos(line, start));
	} else if (gdb_thread_is(line)) {
		end_stack(g);
		read_thread(g, line);
	} else if (fg_str_trim(line).len) {
		read_other(g, line);
	} else {
		end_row(g);
		g->stack.paused = true;
	}
}

static bool is_outermost(struct fg_str text)
{
	static const struct fg_str names[] = {
		FG_STR_INIT("main"),   FG_STR_INIT("_start"),
		FG_STR_INIT("clone"),  FG_STR_INIT("start_thread"),
		FG_STR_INIT("clone3"), FG_STR_INIT("__libc_start_main"),
	};
	struct gdb_row row = gdb_row_split(text);
	struct fg_str name = short_name(&row);

	for (size_t i = 0; i < FG_COUNT_OF(names); i++)
		if (fg_str_eq(name, names[i]))
			return true;
	return false;
}

/*
 * Handles an input that ends in the middle of a line. This does not matter if no row is
 * open, or if the row is the outermost function. If the row itself is cut, its stack
 * lacks callers and is dropped.
 */
static void end_last_row(struct gdb *g)
{
	struct fg_str text = fg_buf_str(&g->row.text);

	if (!text.len && g->in_start)
		return;
	if (!text.len || is_outermost(text)) {
		fg_sink_set_unended(g->sink, false);
	} else if (!gdb_row_split(text).whole) {
		fg_sink_skip(g->sink, FG_SKIP_DROPPED, 1);
		fg_buf_clear(&g->row.text);
		fg_sink_clear(g->sink);
		g->stack.open = false;
		g->stack.depth = 0;
	}
}

static void end_input(void *state)
{
	struct gdb *g = state;

	if (fg_sink_is_unended(g->sink))
		end_last_row(g);
	end_run(g);
	fg_buf_clear(&g->prefix.text);
}

/* ---- the format */

static void *open_gdb(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct gdb *g = fg_xcalloc(1, sizeof(*g));

	g->sink = sink;
	g->threads = ((const struct options *)run->own)->threads;
	fg_frames_init(&g->frames, sink, add_frame, g);
	return g;
}

static void close_gdb(void *state)
{
	struct gdb *g = state;

	fg_frames_release(&g->frames);
	fg_buf_release(&g->thread);
	fg_buf_release(&g->row.text);
	fg_buf_release(&g->lone.text);
	fg_buf_release(&g->stack.leaf);
	fg_line_prefix_release(&g->prefix);
	free(g);
}

const struct fg_format fg_format_gdb = {
	.kind = &fg_kind_gdb,
	.summary =
		"Reads the stacks that gdb prints of a program, once or many times,\n"
		"and writes folded stacks.",
	.footer = "Example:\n"
		  "  gdb -batch -ex 'thread apply all bt' -p PID |\n"
		  "    collapse-gdb | flamegraph > flame.svg",
	.hints = { .empty = "did gdb fail?",
		   .not_found =
			   "no stack was found: are these the backtraces of gdb?" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_gdb,
	.line = read_line,
	.end_input = end_input,
	.close = close_gdb,
};
