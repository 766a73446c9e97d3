/*
 * Folded stacks in, folded stacks out, in which a function that calls itself is one
 * frame: `main;f;f;g 1` becomes `main;f;g 1`.
 *
 * The input is described in folded(5). Only frames next to each other become one:
 * `a;b;a;b` stays, unless --recursion=cycles asks for more.
 */
#include "collapse/collapse.h"
#include "collapse/sink.h"
#include "lib/folded.h"

static void *open_recursive(struct fg_sink *sink, const struct fg_collapse *run)
{
	(void)run;
	sink->root_first = true;
	sink->keeps_decimals = true;
	return sink;
}

static void close_recursive(void *state)
{
	(void)state; /* the sink is the caller's */
}

/* What the format is for is an option of all; collapse-guess sets it back. */
static void recursion_by_default(struct fg_collapse *run, const char *name)
{
	(void)name;
	run->common.filter.recursion = FG_RECURSION_DIRECT;
}

/* Frames are text already; they are taken as they are, empty ones too. */
static void add_frames(struct fg_sink *sink, struct fg_str stack)
{
	bool more = true;

	while (more) {
		more = fg_str_has_char(stack, ';');
		fg_stack_add_root(&sink->stack,
				  fg_intern(&sink->names, fg_str_cut(&stack, ';')));
	}
}

static void read_line(void *state, struct fg_str line)
{
	struct fg_sink *sink = state;
	struct fg_folded folded;

	switch (fg_folded_parse(line, &folded)) {
	case FG_FOLDED_EMPTY:
		break;
	case FG_FOLDED_STACK:
		if (folded.columns == 1) {
			add_frames(sink, folded.stack);
			fg_sink_add_count(sink, folded.count[0]);
			break;
		}
		/* fall through */
	default:
		fg_sink_odd_line(sink, sink->at, line);
	}
}

static enum fg_probe probe(struct fg_str first_bytes)
{
	return fg_folded_is_text(first_bytes) ? FG_PROBE_MAYBE : FG_PROBE_NO;
}

const struct fg_format fg_format_recursive = {
	.name = "recursive",
	.input = "folded stacks",
	.summary = "Makes one frame of a function that calls itself: reads folded\n"
		   "stacks, writes folded stacks.",
	.footer = "Example: collapse-recursive deep.folded | flamegraph > flame.svg",
	.hints = { .not_found = "no folded stack was found" },
	.called_as = recursion_by_default,
	.probe = probe,
	.open = open_recursive,
	.line = read_line,
	.close = close_recursive,
};
