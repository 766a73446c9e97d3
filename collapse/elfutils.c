/*
 * What eu-stack prints of the stacks of a program, once or many times; see print_frames
 * in src/stack.c of elfutils.
 *
 *     PID 2112 - process
 *     TID 2113:
 *     #0  0x0000558d74b25522 - 1 cmp - /srv/demo/app
 *         /srv/demo/app.cpp:21:108
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
	struct fg_buf ids[IDS]; /* "PID=41"; empty where it is not shown */
	struct fg_buf name; /* room for a library's */
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

/* " - 1 NAME - MODULE", each part of which may be missing. */
static void add_frame(void *state, struct fg_str text)
{
	struct elfutils *e = state;
	struct fg_str name = fg_str_trim(text), module;
	size_t at;

	if (fg_str_starts_part(name, FG_STR("- 1"), ' '))
		name = fg_str_trim_left(fg_str_from_pos(name, 3));
	at = find_module(name);
	module = fg_str_basename(fg_str_from_pos(name, at));
	name = fg_name_cut_version(fg_str_trim(fg_str_before(name, at)));
	if (name.len || !module.len) {
		fg_sink_frame(e->sink, name);
		return;
	}
	if (fg_str_starts(module, FG_STR("- [")))
		module = fg_str_from_pos(module, 3);
	fg_str_cut_end(&module, FG_STR("]"));
	fg_buf_clear(&e->name);
	fg_buf_addf(&e->name, "[");
	fg_buf_add_str(&e->name, module);
	fg_buf_addf(&e->name, "]");
	fg_sink_frame(e->sink, fg_buf_str(&e->name));
}

/* ---- stacks */

static void end_stack(struct elfutils *e)
{
	if (!fg_stack_depth(&e->sink->stack))
		return;
	for (int i = 0; i < IDS; i++)
		if (e->ids[i].len)
			fg_sink_root(e->sink, fg_buf_str(&e->ids[i]));
	fg_sink_add(e->sink, 1);
}

/* "PID 41 - process" or "TID 41:"; whether the line is one of them. */
static bool read_id(struct elfutils *e, struct fg_str line)
{
	static const char *const names[IDS] = { [PID] = "PID", [TID] = "TID" };
	struct fg_str rest = fg_str_from_pos(line, 4);
	struct fg_str number = fg_str_before(rest, fg_str_span(rest, fg_is_digit));
	int id = fg_str_starts(line, FG_STR("TID ")) ? TID : PID;

	if (!number.len || (id == PID && !fg_str_starts(line, FG_STR("PID "))))
		return false;
	end_stack(e);
	fg_buf_clear(&e->ids[id]);
	if (e->shows[id]) {
		fg_buf_addf(&e->ids[id], "%s=", names[id]);
		fg_buf_add_str(&e->ids[id], number);
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
	digits = fg_str_span(rest, fg_is_lower_hex);
	return digits ? (size_t)(rest.ptr + digits - line.ptr) : 0;
}

static void read_line(void *state, struct fg_str line)
{
	struct elfutils *e = state;
	bool is_leaf;
	size_t start = read_start(line, &is_leaf);

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
		fg_buf_clear(&e->ids[i]);
}

/* ---- the format */

static enum fg_probe probe(struct fg_str first_bytes)
{
	struct fg_str rest = fg_utf8_skip_mark(first_bytes);
	bool any_frame = false, any_thread = false;

	while (rest.len) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		bool is_leaf;
		size_t start = read_start(line, &is_leaf);
		struct fg_str name = fg_str_from_pos(line, start);

		any_frame |= start && is_leaf && !fg_str_starts(name, FG_STR(" in "));
		any_thread |= fg_str_starts(line, FG_STR("TID ")) &&
			      fg_str_ends(fg_str_trim_right(line), FG_STR(":"));
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
	for (int i = 0; i < IDS; i++)
		fg_buf_release(&e->ids[i]);
	fg_buf_release(&e->name);
	free(e);
}

const struct fg_format fg_format_elfutils = {
	.name = "elfutils",
	.input = "the stacks of eu-stack",
	.summary = "Reads the stacks that eu-stack prints of a program, once or many\n"
		   "times, and writes folded stacks.",
	.footer =
		"Example: eu-stack -p PID | collapse-elfutils | flamegraph > flame.svg",
	.hints = { .empty = "did eu-stack fail?",
		   .not_found = "no stack was found: is this the output of eu-stack?" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.probe = probe,
	.open = open_elfutils,
	.line = read_line,
	.end_input = end_input,
	.close = close_elfutils,
};
