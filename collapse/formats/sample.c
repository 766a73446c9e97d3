/*
 * Reads the report of `sample`, the profiler that comes with macOS; see its manual
 * page. The call graph is an outline, from the threads to the leaves:
 *
 *     Call graph:
 *         40 Thread_11   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 40 main  (in demo) + 61  [0x10a279f5d]
 *         +   12 -[NSView(Drawing) draw:]  (in AppKit) + 100  [0x7fff1]
 *         +   ! 12 memcpy  (in libsystem_platform.dylib) + 1  [0x7fff2]
 *
 *     Total number in stack (recursive counted multiple, when >=5):
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "lib/base/line_prefix.h"
#include "collapse/memo.h"
#include "collapse/names.h"
#include "collapse/outline.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

#define OPTIONS struct options
struct options {
	bool idle;
	bool no_modules;
};

static const struct fg_opt rows[] = {
	SECTION("Call graph"),
	FLAG("idle", idle, "count threads that wait in the kernel, too"),
	FLAG("no-modules", no_modules, "show functions without their modules"),
	FG_OPT_END,
};

struct sample {
	struct fg_sink *sink;
	const struct options *options;
	struct fg_outline outline;
	bool in_graph;
	struct fg_line_prefix quote;
	/*
	 * frames, indexed by the text of the row before "+ 123"; the flag of a value is
	 * set if the frame is idle
	 */
	struct fg_memo names;
	struct fg_buf name;
};

static void *open_sample(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct sample *s = fg_xcalloc(1, sizeof(*s));

	s->sink = sink;
	s->options = run->own;
	fg_outline_init(&s->outline, sink, true);
	fg_memo_init(&s->names);
	return s;
}

static void close_sample(void *state)
{
	struct sample *s = state;

	fg_outline_release(&s->outline);
	fg_memo_release(&s->names);
	fg_line_prefix_release(&s->quote);
	fg_buf_release(&s->name);
	free(s);
}

/* ---- names */

/*
 * Returns true for a function in which a thread waits. Each may also end in _nocancel.
 */
static bool is_idle(struct fg_str name)
{
	static const struct fg_str waits[] = {
		FG_STR_INIT("mach_msg_trap"),
		FG_STR_INIT("mach_msg2_trap"),
		FG_STR_INIT("__psynch_cvwait"),
		FG_STR_INIT("__psynch_mutexwait"),
		FG_STR_INIT("__select"),
		FG_STR_INIT("__semwait_signal"),
		FG_STR_INIT("__ulock_wait"),
		FG_STR_INIT("__ulock_wait2"),
		FG_STR_INIT("__wait4"),
		FG_STR_INIT("__workq_kernreturn"),
		FG_STR_INIT("kevent"),
		FG_STR_INIT("kevent_id"),
		FG_STR_INIT("kevent_qos"),
		FG_STR_INIT("kevent64"),
		FG_STR_INIT("read"),
		FG_STR_INIT("semaphore_wait_trap"),
		FG_STR_INIT("semaphore_timedwait_trap"),
		FG_STR_INIT("poll"),
		FG_STR_INIT("__sigwait"),
		FG_STR_INIT("__sigsuspend"),
	};

	fg_str_cut_end(&name, FG_STR("_nocancel"));
	for (size_t i = 0; i < FG_COUNT_OF(waits); i++)
		if (fg_str_eq(name, waits[i]))
			return true;
	return false;
}

/* Returns the index of the ')' that matches the '(' at `at`, or s.len. */
static size_t matching_paren(struct fg_str s, size_t at)
{
	size_t open = 0;

	for (; at < s.len; at++) {
		open += s.ptr[at] == '(';
		if (s.ptr[at] == ')' && --open == 0)
			break;
	}
	return at;
}

/*
 * Splits "NAME  (in MODULE)" and drops the text after it. Returns false if there is no
 * module. Some reports have no space between the two.
 */
static bool find_module(struct fg_str *name, struct fg_str *module)
{
	static const struct fg_str in = FG_STR_INIT("(in ");
	struct fg_str text = *name;
	size_t at = 0;

	while ((at += fg_str_find(fg_str_from_pos(text, at), in)) < text.len) {
		size_t end = matching_paren(text, at);
		size_t start = at + in.len;

		if (end == text.len)
			/* the parenthesis is never closed, so there is no module */
			return false;
		if (end + 1 < text.len && !fg_is_blank(text.ptr[end + 1])) {
			at = end;
			continue;
		}
		*name = fg_str_trim(fg_str_before(text, at));
		*module = fg_str_of(text.ptr + start, end - start);
		return true;
	}
	return false;
}

static bool is_offset(char c)
{
	return fg_is_digit(c) || c == ',' || c == '.';
}

/*
 * Cuts off the part after the name and the module, like "  (serial)" or " + 7,9
 * [0x1]". Returns the rest.
 */
static struct fg_str cut_rest(struct fg_str text)
{
	struct fg_str rest;
	size_t bracket;

	text = fg_str_trim_right(text);
	if (fg_str_cut_end(&text, FG_STR("(serial)")) ||
	    fg_str_cut_end(&text, FG_STR("(concurrent)")))
		return fg_str_trim_right(text);
	if (!fg_str_ends(text, FG_STR("]")))
		return text;
	bracket = fg_str_rfind_char(text, '[');
	rest = fg_str_from_pos(text, bracket);
	if (!fg_str_starts(rest, FG_STR("[0x")))
		return text;
	text = fg_str_trim_right(fg_str_before(text, bracket));
	rest = fg_str_before(text, text.len - fg_str_end_span(text, is_offset));
	return fg_str_cut_end(&rest, FG_STR(" + ")) ? rest : text;
}

static void add_function(struct fg_buf *b, struct fg_str name)
{
	size_t start = b->len;

	if (fg_name_is_rust(name))
		fg_add_rust_name(b, name);
	else
		fg_buf_add_str(b, name);
	b->len = start + fg_name_length(fg_str_from_pos(fg_buf_str(b), start));
}

/* Returns the frame for a text from cut_rest(). The flag is set if it is idle. */
static struct fg_memo_value read_name(struct sample *s, struct fg_str name)
{
	struct fg_str module;

	fg_buf_clear(&s->name);
	if (find_module(&name, &module)) {
		fg_str_cut_end(&module, FG_STR(".dylib"));
		if (module.len && !s->options->no_modules) {
			fg_buf_add_str(&s->name, module);
			fg_buf_add_char(&s->name, '`');
		}
		add_function(&s->name, name);
	} else {
		fg_buf_add_str(&s->name, name);
	}
	return (struct fg_memo_value){ fg_sink_name(s->sink, fg_buf_str(&s->name)),
				       !s->options->idle && is_idle(name) };
}

static struct fg_memo_value name_of(struct sample *s, struct fg_str text)
{
	const struct fg_memo_key key = fg_memo_key(&s->names, cut_rest(text), 0);
	const struct fg_memo_entry *known = fg_memo_find(&s->names, &key);
	struct fg_memo_value value;

	if (known)
		return fg_memo_value(known);
	value = read_name(s, key.text);
	fg_memo_add(&s->names, &key, value);
	return value;
}

/* ---- lines */

static bool is_indent(char c)
{
	static const bool signs[256] = {
		[' '] = true, ['\t'] = true, ['+'] = true,
		['!'] = true, [':'] = true,  ['|'] = true,
	};

	return signs[(unsigned char)c];
}

/*
 * Reads a row: four spaces, two characters for each level, a count, a space and the
 * text. Returns false if it is malformed.
 */
static bool read_row(struct sample *s, struct fg_str line)
{
	struct fg_str rest = fg_str_from_pos(line, 4);
	size_t indent = fg_str_span(rest, is_indent), digits;
	struct fg_outline_row row = { .depth = indent / 2 };
	struct fg_memo_value name;

	rest = fg_str_from_pos(rest, indent);
	digits = fg_str_span(rest, fg_is_digit);
	if (!fg_str_starts(line, FG_STR("    ")) || rest.len <= digits + 1 ||
	    rest.ptr[digits] != ' ' ||
	    fg_str_u64(fg_str_before(rest, digits), &row.sum.low))
		return false;
	name = name_of(s, fg_str_from_pos(rest, digits + 1));
	row.name = name.id;
	row.idle = name.flags && row.depth;
	fg_outline_add(&s->outline, &row);
	return true;
}

static bool ends_graph(struct fg_str line)
{
	return fg_str_starts(line, FG_STR("Total number in stack")) ||
	       fg_str_starts(line, FG_STR("Sort by top of stack"));
}

static void read_line(void *state, struct fg_str line)
{
	struct sample *s = state;

	if (sample_starts_graph(line)) {
		fg_outline_end(&s->outline);
		fg_line_prefix_set_quote(&s->quote, line);
		s->in_graph = true;
		return;
	}
	if (!s->in_graph)
		return;
	fg_line_prefix_cut(&s->quote, &line);
	if (ends_graph(line)) {
		fg_outline_end(&s->outline);
		s->in_graph = false;
	} else if (!read_row(s, line) && fg_str_trim(line).len) {
		fg_sink_malformed(s->sink, line);
	}
}

static void end_input(void *state)
{
	struct sample *s = state;

	if (s->in_graph) {
		fg_sink_set_cut(s->sink);
		fg_warn(fg_sink_diag(s->sink), fg_sink_at(s->sink),
			"the end of the call graph is missing: the input was cut "
			"short");
	}
	fg_outline_end(&s->outline);
	s->in_graph = false;
}

/* ---- the format */

const struct fg_format fg_format_sample = {
	.kind = &fg_kind_sample,
	.summary = "Reads the report of sample, the profiler of macOS, and writes\n"
		   "folded stacks.",
	.footer = "Example:\n"
		  "  sample 41 10 -file report.txt\n"
		  "  collapse-sample report.txt | flamegraph > flame.svg",
	.hints = { .empty = "did sample fail?",
		   .not_found =
			   "no call graph was found: is this the report of sample?",
		   .idle = "they wait in the kernel; --idle keeps them" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_sample,
	.line = read_line,
	.end_input = end_input,
	.close = close_sample,
};
