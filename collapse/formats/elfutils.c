/*
 * What eu-stack prints of the stacks of a program, once or many times; see print_frames
 * in src/stack.c of elfutils.
 *
 *     PID 2112 - process
 *     TID 2113:
 *     #0  0x0000558d74b25522 - 1 cmp - /srv/demo/app
 *         /srv/demo/app.cpp:21:108
 *
 * and what pt-eustack-resolver of Percona Toolkit makes of it:
 *
 *     Thread 2113 (LWP 2113):
 *     #0 0x0000558d74b25522 in cmp at app.cpp:21:108
 */
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "collapse/names.h"
#include "collapse/sink.h"
#include "lib/base/optrows.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	bool pid;
	bool tid;
};

static const struct fg_opt rows[] = {
	SECTION("Root frame"),
	FLAG("pid", pid, "the process as root frame: PID=41"),
	FLAG("tid", tid, "the thread as root frame: TID=41"),
	FG_OPT_END,
};

/* "PID 41" and "TID 41" of the stack. */
enum id { PID, TID, IDS };

struct elfutils {
	struct fg_sink *sink;
	struct fg_frames frames; /* of lines without number and address */
	bool shows[IDS];
	uint32_t ids_plus_1[IDS]; /* frames "PID=41"; 0 where it is not shown */
	struct fg_buf text; /* room for one */
};

/* ---- frames */

static size_t find_module(struct fg_str text)
{
	static const struct fg_str starts[] = { FG_STR_INIT("- /"),
						FG_STR_INIT("- [") };

	for (size_t at = 0; at < text.len; at++)
		if (text.ptr[at] == '-' && (!at || text.ptr[at - 1] == ' ') &&
		    fg_str_starts_any(fg_str_from_pos(text, at), starts,
				      FG_COUNT_OF(starts)))
			return at;
	return text.len;
}

static bool is_nameless(struct fg_str name)
{
	fg_str_cut_end(&name, FG_STR("()"));
	return fg_str_eq(name, FG_STR("??"));
}

static void add_function(struct elfutils *e, struct fg_str name, struct fg_str module)
{
	name = fg_name_cut_version(fg_str_trim(name));
	if (is_nameless(name))
		name = fg_str_before(name, 0);
	if (module.len && !name.len)
		fg_sink_module(e->sink, module);
	else
		fg_sink_frame(e->sink, name);
}

/* Where the last `word` is; text.len for none. */
static size_t rfind(struct fg_str text, struct fg_str word)
{
	for (size_t at = text.len; at-- > 0;)
		if (fg_str_starts(fg_str_from_pos(text, at), word))
			return at;
	return text.len;
}

/* The name in "NAME at FILE:LINE" or "NAME from LIB", and that library. */
static struct fg_str cut_place(struct fg_str text, struct fg_str *module)
{
	size_t at = rfind(text, FG_STR(" at ")), from = rfind(text, FG_STR(" from /"));

	*module = fg_str_from_pos(text, from + strlen(" from "));
	return fg_str_before(text, at < from ? at : from);
}

/* " - 1 NAME - MODULE   FILE", each part of which may be missing; or " in NAME ..." */
static void add_frame(void *state, struct fg_str text)
{
	struct elfutils *e = state;
	struct fg_str name = fg_str_trim(text), module;
	size_t at;

	if (fg_str_cut_start(&name, FG_STR("in "))) {
		name = cut_place(name, &module);
		add_function(e, name, module);
		return;
	}
	if (fg_str_starts_part(name, FG_STR("- 1"), ' '))
		name = fg_str_trim_left(fg_str_from_pos(name, 3));
	at = find_module(name);
	module = fg_str_from_pos(name, at + strlen("- "));
	module = fg_str_before(module, fg_str_find(module, FG_STR("   ")));
	add_function(e, fg_str_before(name, at), module);
}

/* ---- stacks */

static void end_stack(struct elfutils *e)
{
	if (!fg_stack_depth(fg_sink_stack(e->sink)))
		return;
	for (int i = 0; i < IDS; i++)
		if (e->ids_plus_1[i])
			fg_sink_root_id(e->sink, e->ids_plus_1[i] - 1);
	fg_sink_add(e->sink, 1);
}

/* "PID 41 - process", "TID 41:", "Thread 41 (LWP 41):": whether it is one of them. */
static bool read_id(struct elfutils *e, struct fg_str line)
{
	static const char *const names[IDS] = { [PID] = "PID", [TID] = "TID" };
	struct fg_str number = line;
	int id = fg_str_cut_start(&number, FG_STR("PID ")) ? PID : TID;

	if (id == TID && !fg_str_cut_start(&number, FG_STR("TID ")) &&
	    !fg_str_cut_start(&number, FG_STR("Thread ")))
		return false;
	number = fg_str_before(number, fg_str_span(number, fg_is_digit));
	if (!number.len)
		return false;
	end_stack(e);
	e->ids_plus_1[id] = 0;
	if (e->shows[id]) {
		fg_buf_clear(&e->text);
		fg_buf_addf(&e->text, "%s=", names[id]);
		fg_buf_add_str(&e->text, number);
		e->ids_plus_1[id] = fg_sink_name(e->sink, fg_buf_str(&e->text)) + 1;
	}
	return true;
}

/* "#0  0x0000558d74b25522": its length, and whether it is the leaf; or 0. */
static size_t read_start(struct fg_str line, bool *is_leaf)
{
	struct fg_str rest = fg_str_from_pos(line, 1);
	size_t number = fg_str_span(rest, fg_is_digit), digits;

	*is_leaf = number == 1 && rest.ptr[0] == '0';
	rest = fg_str_trim_left(fg_str_from_pos(rest, number));
	if (!number || line.ptr[0] != '#' || !fg_str_starts(rest, FG_STR("0x")))
		return 0;
	rest = fg_str_from_pos(rest, 2);
	digits = fg_str_span(rest, fg_is_hex);
	return digits ? (size_t)(rest.ptr + digits - line.ptr) : 0;
}

static bool is_quote(char c)
{
	return fg_is_blank(c) || c == '>';
}

/* Stacks may be quoted; the rows that matter start with no blank of their own. */
static struct fg_str skip_quote(struct fg_str line)
{
	return fg_str_from_pos(line, fg_str_span(line, is_quote));
}

static void read_line(void *state, struct fg_str line)
{
	struct elfutils *e = state;
	bool is_leaf;
	size_t start;

	line = skip_quote(line);
	start = read_start(line, &is_leaf);
	if (start) {
		if (is_leaf)
			end_stack(e);
		fg_frames_add(&e->frames, fg_str_from_pos(line, start), 0);
	} else if (!read_id(e, line) && !fg_str_trim(line).len) {
		end_stack(e);
	}
}

static void end_input(void *state)
{
	struct elfutils *e = state;

	end_stack(e);
	for (int i = 0; i < IDS; i++)
		e->ids_plus_1[i] = 0;
}

/* ---- the format */

/* gdb has a blank before the arguments, which is where the last parenthesis closes. */
static bool has_arguments(struct fg_str name)
{
	size_t at = name.len, depth = 0;

	if (!fg_str_ends(name, FG_STR(")")))
		return false;
	do {
		at--;
		depth += name.ptr[at] == ')';
		depth -= name.ptr[at] == '(';
	} while (at && depth);
	return at && name.ptr[at - 1] == ' ';
}

/* Whether gdb went on in the next line, as it does where a terminal is narrow. */
static bool is_wrapped(struct fg_str text)
{
	size_t open = 0, closed = 0;

	for (size_t i = 0; i < text.len; i++) {
		open += text.ptr[i] == '(';
		closed += text.ptr[i] == ')';
	}
	return open > closed || fg_str_ends(text, FG_STR(" in")) ||
	       fg_str_ends(text, FG_STR(" at")) || fg_str_ends(text, FG_STR(" from"));
}

/* coredumpctl's "poll (libc.so.6 + 0x10d9f6)". */
static bool is_of_coredump(struct fg_str text)
{
	return fg_str_ends(text, FG_STR(")")) && fg_str_has(text, FG_STR(" + 0x"));
}

/* Whether what follows the address of a leaf is of eu-stack, or of its resolver. */
static bool is_leaf_text(struct fg_str text)
{
	struct fg_str module;

	text = fg_str_trim_right(text);
	if (is_wrapped(text) || is_of_coredump(text))
		return false;
	return !fg_str_cut_start(&text, FG_STR(" in ")) ||
	       !has_arguments(cut_place(text, &module));
}

static bool is_thread(struct fg_str line)
{
	return (fg_str_starts(line, FG_STR("TID ")) ||
		(fg_str_starts(line, FG_STR("Thread ")) &&
		 fg_str_has(line, FG_STR(" (LWP ")))) &&
	       fg_str_ends(fg_str_trim_right(line), FG_STR(":"));
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_frame = false, any_thread = false;

	while (rest.len) {
		struct fg_str line = skip_quote(fg_str_cut(&rest, '\n'));
		bool is_leaf;
		size_t start = read_start(line, &is_leaf);

		if (fg_str_has(line, FG_STR("Sanitizer: ")))
			return FG_PROBE_NO; /* of a fault, not a moment */
		any_frame |=
			start && is_leaf && is_leaf_text(fg_str_from_pos(line, start));
		any_thread |= is_thread(line);
	}
	return !any_frame ? FG_PROBE_NO : any_thread ? FG_PROBE_YES : FG_PROBE_MAYBE;
}

static void *open_elfutils(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct elfutils *e = fg_xcalloc(1, sizeof(*e));
	const struct options *o = run->own;

	e->sink = sink;
	e->shows[PID] = o->pid;
	e->shows[TID] = o->tid;
	fg_frames_init(&e->frames, sink, add_frame, e);
	return e;
}

static void close_elfutils(void *state)
{
	struct elfutils *e = state;

	fg_frames_release(&e->frames);
	fg_buf_release(&e->text);
	free(e);
}

const struct fg_kind fg_kind_elfutils = {
	.name = "elfutils",
	.input = "the stacks of eu-stack",
	.probe = probe,
};

const struct fg_format fg_format_elfutils = {
	.kind = &fg_kind_elfutils,
	.summary = "Reads the stacks that eu-stack prints of a program, once or many\n"
		   "times, and writes folded stacks.",
	.footer =
		"Example: eu-stack -p PID | collapse-elfutils | flamegraph > flame.svg",
	.hints = { .empty = "did eu-stack fail?",
		   .not_found = "no stack was found: is this the output of eu-stack?" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_elfutils,
	.line = read_line,
	.end_input = end_input,
	.close = close_elfutils,
};
