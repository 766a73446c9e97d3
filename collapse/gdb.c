/*
 * What gdb prints of the stacks of a program, once or many times; see "Backtraces" in
 * its manual.
 *
 *     Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):
 *     #0  0x0000558d74b25522 in calc::run<int> (s="x) at y", n=3) at app.cpp:21
 *     #1  0x00007f44dd1a71f5 in start_thread () from /lib64/libc.so.6
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "collapse/names.h"
#include "lib/optrows.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

#define OPTIONS struct options
struct options {
	bool threads;
};

static const struct fg_opt rows[] = {
	SECTION("Root frame"),
	FLAG("threads", threads, "the thread's name, or its LWP, as root frame"),
	FG_OPT_END,
};

struct gdb {
	struct fg_sink *sink;
	struct fg_frames frames; /* of lines without their number */
	bool threads;
	struct fg_buf thread; /* the root frame; empty where none is wanted */
	struct fg_buf name; /* room for a library's */
	bool nameless; /* the last frame was "??"; the next line may have its library */
};

/* ---- frames */

/* Past the string or character constant at `at`. */
static size_t skip_quoted(struct fg_str s, size_t at)
{
	char quote = s.ptr[at++];

	while (at < s.len && s.ptr[at] != quote)
		at += s.ptr[at] == '\\' ? 2 : 1;
	return at < s.len ? at + 1 : s.len;
}

/* Past the parenthesis that matches the one at `at`; 0 where the line ends before. */
static size_t skip_list(struct fg_str s, size_t at)
{
	size_t depth = 0;

	while (at < s.len) {
		if (s.ptr[at] == '"' || s.ptr[at] == '\'') {
			at = skip_quoted(s, at);
			continue;
		}
		depth += s.ptr[at] == '(';
		depth -= s.ptr[at] == ')';
		at++;
		if (!depth)
			return at;
	}
	return 0;
}

static bool is_of_argument(char c)
{
	return fg_is_word(c) || fg_str_has_char(FG_STR("$.:#@"), c);
}

/* Whether a list of arguments starts here: "()", "(...)", "(argc=1". */
static bool is_list(struct fg_str s)
{
	size_t word = fg_str_span(fg_str_from_pos(s, 1), is_of_argument);

	return fg_str_starts(s, FG_STR("()")) || fg_str_starts(s, FG_STR("(...)")) ||
	       (word && !fg_is_digit(s.ptr[1]) && word + 1 < s.len &&
		s.ptr[word + 1] == '=');
}

/*
 * Cuts the arguments, and what follows them, off a frame; that is a place in the
 * source, a library or nothing, by which arguments are told from other parentheses.
 */
static struct fg_str cut_arguments(struct fg_str *frame)
{
	struct fg_str rest = { NULL, 0 };
	size_t at = 0;

	while ((at += fg_str_find(fg_str_from_pos(*frame, at), FG_STR(" ("))) <
	       frame->len) {
		size_t end = is_list(fg_str_from_pos(*frame, at + 1)) ?
				     skip_list(*frame, at + 1) :
				     at + 1;

		rest = fg_str_from_pos(*frame, end);
		if (!end || (end > at + 1 && (!fg_str_trim(rest).len ||
					      fg_str_starts(rest, FG_STR(" at ")) ||
					      fg_str_starts(rest, FG_STR(" from "))))) {
			*frame = fg_str_before(*frame, at);
			break;
		}
		at = end;
	}
	return rest;
}

static void add_library(struct gdb *g, struct fg_str path)
{
	fg_buf_clear(&g->name);
	fg_buf_addf(&g->name, "[");
	fg_buf_add_str(&g->name, fg_str_basename(fg_str_trim(path)));
	fg_buf_addf(&g->name, "]");
	fg_sink_frame(g->sink, fg_buf_str(&g->name));
}

/* The text without "0x0000558d74b25522 in ". */
static struct fg_str skip_address(struct fg_str text)
{
	size_t in = fg_str_find(text, FG_STR(" in "));

	return fg_str_starts(text, FG_STR("0x")) && in < text.len ?
		       fg_str_from_pos(text, in + 4) :
		       text;
}

/* A line without its number. A function without name and library is no frame yet. */
static void add_frame(void *state, struct fg_str text)
{
	struct gdb *g = state;
	struct fg_str name = skip_address(text);
	struct fg_str rest = cut_arguments(&name);

	name = fg_name_cut_version(fg_str_trim(name));
	if (!fg_str_eq(name, FG_STR("??")))
		fg_sink_frame(g->sink, fg_str_before(name, fg_name_length(name)));
	else if (fg_str_starts(rest, FG_STR(" from ")))
		add_library(g, fg_str_from_pos(rest, 6));
}

/* ---- stacks */

static void end_frame(struct gdb *g)
{
	if (g->nameless)
		fg_sink_frame(g->sink, FG_STR("[unknown]"));
	g->nameless = false;
}

static void end_stack(struct gdb *g)
{
	end_frame(g);
	if (!fg_stack_depth(&g->sink->stack))
		return;
	if (g->thread.len)
		fg_sink_root(g->sink, fg_buf_str(&g->thread));
	fg_sink_add(g->sink, 1);
}

/* "#3  ": its length, and the number; 0 for other lines. */
static size_t read_number(struct fg_str line, struct fg_str *number)
{
	size_t digits = fg_str_span(fg_str_from_pos(line, 1), fg_is_digit);
	size_t blanks = fg_str_span(fg_str_from_pos(line, digits + 1), fg_is_blank);

	*number = fg_str_before(fg_str_from_pos(line, 1), digits);
	return fg_str_starts(line, FG_STR("#")) && digits && blanks ?
		       1 + digits + blanks :
		       0;
}

static void read_frame(struct gdb *g, struct fg_str text)
{
	size_t depth = fg_stack_depth(&g->sink->stack);

	fg_frames_add(&g->frames, text, 0);
	g->nameless = fg_stack_depth(&g->sink->stack) == depth;
}

/* "Thread 2 (Thread 0x7f44dd11d6c0 (LWP 2113) "worker"):", "Thread 1 (process 42):" */
static void read_thread(struct gdb *g, struct fg_str line)
{
	size_t quote = fg_str_find_char(line, '"'), end = fg_str_rfind_char(line, '"');
	size_t lwp = fg_str_find(line, FG_STR("LWP "));
	size_t start = lwp < line.len ? lwp : fg_str_find(line, FG_STR("process "));
	struct fg_str name = fg_str_from_pos(line, start);

	name = fg_str_before(name, fg_str_find_char(name, ')'));
	if (quote < end && end < line.len)
		name = fg_str_before(fg_str_from_pos(line, quote + 1), end - quote - 1);
	fg_buf_clear(&g->thread);
	if (g->threads)
		fg_buf_add_str(&g->thread, name.len ? name : FG_STR("Thread"));
}

static bool is_thread(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("Thread ")) && line.len > 7 &&
	       fg_is_digit(line.ptr[7]);
}

static void read_line(void *state, struct fg_str line)
{
	struct gdb *g = state;
	struct fg_str number, text;
	size_t start = read_number(line, &number);

	if (start) {
		if (fg_str_eq(number, FG_STR("0")))
			end_stack(g);
		end_frame(g);
		read_frame(g, fg_str_from_pos(line, start));
	} else if (g->nameless && fg_str_starts(line, FG_STR("    from "))) {
		add_library(g, fg_str_from_pos(line, 9));
		g->nameless = false;
	} else if (is_thread(line)) {
		end_stack(g);
		read_thread(g, line);
	} else {
		text = fg_str_trim(line);
		if (!text.len || fg_str_starts(text, FG_STR("[Inferior ")))
			end_stack(g);
	}
}

static void end_input(void *state)
{
	struct gdb *g = state;

	end_stack(g);
	fg_buf_clear(&g->thread);
}

/* ---- the format */

/* "#0  main () at main.c:3" or "#0  0x0000558d74b25522 in main ()" */
static bool is_frame(struct fg_str line, const char *wanted)
{
	struct fg_str number, frame;
	size_t start = read_number(line, &number);

	frame = skip_address(fg_str_from_pos(line, start));
	return start && fg_str_eq(number, fg_str_from(wanted)) &&
	       !fg_str_starts(frame, FG_STR("0x")) &&
	       !fg_str_starts(frame, FG_STR("\"")) &&
	       (fg_str_has(frame, FG_STR(" (")) || fg_str_starts(frame, FG_STR("<")));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool first = false, more = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');

		first |= is_frame(line, "0");
		more |= is_frame(line, "1") ||
			(is_thread(line) && fg_str_has(line, FG_STR(" (")));
	}
	return !first ? FG_PROBE_NO : more ? FG_PROBE_YES : FG_PROBE_MAYBE;
}

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
	fg_buf_release(&g->name);
	free(g);
}

const struct fg_format fg_format_gdb = {
	.name = "gdb",
	.input = "the backtraces of gdb",
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
	.probe = probe,
	.open = open_gdb,
	.line = read_line,
	.end_input = end_input,
	.close = close_gdb,
};
