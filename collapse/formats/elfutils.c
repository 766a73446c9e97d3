/*
 * Reads the stacks that eu-stack prints, once or many times; see print_frames() in
 * src/stack.c of elfutils.
 *
 *     PID 2112 - process
 *     TID 2113:
 *     #0  0x0000558d74b25522 - 1 cmp - /srv/demo/app
 *         /srv/demo/app.cpp:21:108
 *
 * Also reads what pt-eustack-resolver of Percona Toolkit makes from it:
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
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

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

/* The two ids of a stack: "PID 41" and "TID 41". */
enum id { PID, TID, IDS };

struct elfutils {
	struct fg_sink *sink;
	/* maps a line without its number and address to its frames */
	struct fg_frames frames;
	bool shows[IDS];
	uint32_t ids_plus_1[IDS]; /* ids plus 1 of root frames like "PID=41", or 0 */
	struct fg_buf text; /* scratch for a root frame */
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

/*
 * Adds the frame of " - 1 NAME - MODULE   FILE", in which each part may be missing, or
 * of " in NAME ...".
 */
static void add_frame(void *state, struct fg_str text)
{
	struct elfutils *e = state;
	struct fg_str name = fg_str_trim(text), module;
	size_t at;

	if (fg_str_cut_start(&name, FG_STR("in "))) {
		name = elfutils_cut_place(name, &module);
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

/*
 * Reads a line like "PID 41 - process", "TID 41:" or "Thread 41 (LWP 41):". It ends the
 * open stack and sets a root frame. Returns false for any other line.
 */
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

static void read_line(void *state, struct fg_str line)
{
	struct elfutils *e = state;
	bool is_leaf;
	size_t start;

	line = elfutils_skip_quote(line);
	start = elfutils_read_start(line, &is_leaf);
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
