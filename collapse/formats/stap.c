/*
 * Reads what SystemTap's print_stack() and print_ustack() print, with a count after
 * each stack; see "Context functions" in its tapset reference.
 *
 *      0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *      0xffffffff81013236 : cpu_idle+0xd6/0x120 [kernel] (inexact)
 *     	2404
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "lib/base/line_prefix.h"
#include "collapse/names.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/lines.h"

struct stap {
	struct fg_sink *sink;
	struct fg_frames frames; /* maps a line to its frames */
	bool any_frame; /* at least one line of the stack is surely a frame */
};

/* ---- frames */

/* Cuts " [MODULE]" and " (inexact)" off the end; returns the module. */
static struct fg_str cut_module(struct fg_str *text)
{
	struct fg_str rest = *text, module;
	size_t at;

	if (fg_str_cut_end(&rest, FG_STR("(inexact)")))
		rest = fg_str_trim_right(rest);
	at = fg_str_find(rest, FG_STR(" ["));
	if (at == rest.len || !fg_str_ends(rest, FG_STR("]"))) {
		*text = rest;
		return fg_str_before(rest, 0);
	}
	module = fg_str_from_pos(rest, at + 2);
	*text = fg_str_trim(fg_str_before(rest, at));
	return fg_str_before(module, module.len - 1);
}

static void add_frame(void *state, struct fg_str line)
{
	struct stap *s = state;
	struct fg_str text = fg_str_trim(line);
	size_t start = stap_address_length(text);
	struct fg_str name = fg_str_from_pos(text, start);
	struct fg_str module = cut_module(&name);
	uint64_t address;

	name = fg_name_cut_offset(name);
	if (start || fg_str_0x(name, &address))
		fg_sink_frame(s->sink, name);
	else if (module.len)
		fg_sink_module(
			s->sink,
			fg_str_before(module, fg_str_find(module, FG_STR("+0x"))));
	else
		fg_sink_frame(s->sink, FG_STR("[unknown]"));
}

/* ---- stacks */

/*
 * Counts the stack. With `minus`, the number had a minus sign, because sums can be
 * negative.
 */
static void end_stack(struct stap *s, struct fg_str number, bool minus)
{
	struct fg_sum weight = { 0, 0 };

	if (fg_str_u64(number, &weight.low)) {
		fg_sink_malformed(s->sink, number);
		fg_sink_clear(s->sink);
	} else {
		if (!fg_stack_depth(fg_sink_stack(s->sink)))
			fg_sink_frame(s->sink, FG_STR("[unknown]"));
		(minus ? fg_sink_subtract_sum : fg_sink_add_sum)(s->sink, weight, 0);
	}
	s->any_frame = false;
}

static void read_line(void *state, struct fg_str line)
{
	struct stap *s = state;
	struct fg_str text, digits;
	bool minus;

	line = fg_line_skip_interrupt(line);
	if (s->any_frame && fg_frames_add_known(&s->frames, line, 0))
		return;
	text = fg_str_trim(line);
	digits = text;
	minus = fg_str_cut_start(&digits, FG_STR("-"));
	if (fg_str_all(digits, fg_is_digit)) {
		end_stack(s, digits, minus);
	} else if (text.len) {
		s->any_frame |= fg_str_starts(text, FG_STR("0x"));
		fg_frames_add(&s->frames, line, 0);
	}
}

static void end_input(void *state)
{
	struct stap *s = state;

	if (s->any_frame) {
		fg_sink_skip(s->sink, FG_SKIP_DROPPED, 1);
	} else if (fg_stack_depth(fg_sink_stack(s->sink))) {
		fg_sink_malformed(
			s->sink,
			fg_intern_name(fg_sink_names(s->sink),
				       fg_stack_ids(fg_sink_stack(s->sink))[0]));
	}
	s->any_frame = false;
	fg_sink_clear(s->sink);
}

/* ---- the format */

static void *open_stap(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct stap *s = fg_xcalloc(1, sizeof(*s));

	(void)run;
	s->sink = sink;
	fg_frames_init(&s->frames, sink, add_frame, s);
	return s;
}

static void close_stap(void *state)
{
	struct stap *s = state;

	fg_frames_release(&s->frames);
	free(s);
}

const struct fg_format fg_format_stap = {
	.kind = &fg_kind_stap,
	.summary =
		"Reads the stacks that SystemTap prints, with a count after each, and\n"
		"writes folded stacks.",
	.footer = "Example: stap profile.stp | collapse-stap | flamegraph > flame.svg",
	.hints = { .empty = "did stap fail?",
		   .not_found = "no stack was found: are these stacks of SystemTap?" },
	.open = open_stap,
	.line = read_line,
	.end_input = end_input,
	.close = close_stap,
};
