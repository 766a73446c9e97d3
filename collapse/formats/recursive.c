/*
 * Reads folded stacks, see folded(5), and makes one frame of a function that calls
 * itself: `main;f;f;g 1` becomes `main;f;g 1`.
 *
 * Only frames next to each other become one: `a;b;a;b` stays, unless --recursion=cycles
 * is given.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/values.h"
#include "collapse/sink.h"
#include "lib/profile/folded_input.h"
#include "lib/profile/sections.h"
#include "lib/base/xalloc.h"

struct recursive {
	struct fg_sink *sink;
	struct fg_path path; /* the last stack */
	struct fg_buf text; /* the text of that stack */
	size_t *ends; /* offsets in `text` at which its frames end */
	size_t ends_alloc;
	/* tells whether the input is folded stacks at all */
	struct fg_folded_tally tally;
	/* lines that are messages of our programs; they are skipped */
	struct fg_noted_lines messages;
	/* the profiles in the input, each with header lines */
	struct fg_sections sections;
	struct fg_slice_header slices; /* slices of the input being read */
	struct fg_slice_header all_slices; /* slices of earlier inputs */
	bool any_stack, in_slices; /* a stack was read; the stacks are in slices */
};

static void *open_recursive(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct recursive *r = fg_xcalloc(1, sizeof(*r));

	(void)run;
	r->sink = sink;
	fg_path_init(&r->path);
	fg_sections_init(&r->sections);
	return r;
}

static void close_recursive(void *state)
{
	struct recursive *r = state;

	fg_path_release(&r->path);
	fg_sections_release(&r->sections);
	fg_buf_release(&r->text);
	fg_buf_release(&r->messages.text);
	free(r->ends);
	free(r);
}

/*
 * Turns --recursion=direct on. All collapsers have this option, but this one exists
 * only for it. collapse-guess turns it off again.
 */
static void recursion_by_default(struct fg_collapse *run, const char *name)
{
	(void)name;
	run->common.filter.recursion = FG_RECURSION_DIRECT;
}

/*
 * Sets r->path to the frames of a stack. They are kept unchanged, even if they are
 * empty. Lines are mostly sorted, so most frames are the same as in the line before and
 * need no look-up.
 */
static void set_path(struct recursive *r, struct fg_str stack)
{
	size_t common = fg_str_common(fg_buf_str(&r->text), stack), start, end;

	while (r->path.depth && r->ends[r->path.depth - 1] >= common)
		r->path.depth--;
	r->text.len = common;
	fg_buf_add_str(&r->text, fg_str_from_pos(stack, common));
	start = r->path.depth ? r->ends[r->path.depth - 1] + 1 : 0;
	do {
		struct fg_str rest = fg_str_from_pos(stack, start);
		size_t length = fg_str_find_char(rest, ';');

		end = start + length;
		FG_GROW(r->ends, r->ends_alloc, r->path.depth + 1);
		r->ends[r->path.depth] = end;
		rest = fg_str_before(rest, length);
		fg_path_push(&r->path, fg_intern(fg_sink_names(r->sink), rest));
		start = end + 1;
	} while (end < stack.len);
}

/*
 * Starts a section if header lines were before this stack. A second section fails the
 * run, because counts of different sections cannot be added.
 */
static void turn_section(struct recursive *r)
{
	if (r->sections.count == 1 && r->sections.has_header &&
	    fg_sections_turn(&r->sections, fg_sink_at(r->sink),
			     fg_sink_diag(r->sink)) != 0)
		fg_sink_set_fault(r->sink,
				  "the input has several profiles, which cannot be "
				  "added: choose one with filter-folded --section, or "
				  "draw each with flamegraph");
}

/* Fails the run if some stacks are in slices of time and others are not. */
static void check_slices(struct recursive *r)
{
	bool in_slices = r->slices.width > 0;

	if (r->any_stack && in_slices != r->in_slices)
		fg_sink_set_fault(r->sink, "only some stacks are in slices of time");
	r->any_stack = true;
	r->in_slices = in_slices;
}

static void read_line(void *state, struct fg_str line)
{
	struct recursive *r = state;
	struct fg_sink *sink = r->sink;
	struct fg_folded folded = { .columns = 0 };
	enum fg_folded_kind kind = fg_folded_parse(line, &folded);
	struct fg_sum sum = { 0, 0 };

	if (folded.is_message) {
		fg_noted_lines_add(&r->messages, line, fg_sink_at(sink));
		return;
	}
	switch (kind) {
	case FG_FOLDED_EMPTY:
		fg_sections_line(&r->sections, line);
		if (fg_slice_read(&r->slices, line) == FG_SLICE_WIDTH && r->in_slices)
			fg_sink_set_fault(sink, "the input has slices of several "
						"recordings: merge them with "
						"filter-folded first");
		break;
	case FG_FOLDED_STACK:
		fg_folded_tally_stack(&r->tally, &folded);
		if (folded.columns == 1) {
			turn_section(r);
			check_slices(r);
			set_path(r, folded.stack);
			sum.low = folded.count[0].digits;
			fg_sink_add_path(sink, &r->path, sum, folded.count[0].decimals);
			break;
		}
		/* fall through */
	default:
		if (folded.is_negative) {
			fg_sink_lose(sink, "stacks " FG_FOLDED_NEGATIVE, 1);
			return;
		}
		r->tally.countless += folded.columns != 2;
		fg_sink_malformed(sink, line);
	}
}

static void end_input(void *state)
{
	struct recursive *r = state;

	const char *refused = fg_folded_refused(&r->tally);

	if (refused)
		fg_sink_set_fault(r->sink, refused);
	r->tally = (struct fg_folded_tally){ 0 };
	fg_sections_end(&r->sections);
	if (r->slices.width)
		r->all_slices = r->slices;
	r->slices = (struct fg_slice_header){ .width = 0 };
}

/* Writes the header lines of the input, which are true of the output, too. */
static void finish(void *state)
{
	struct recursive *r = state;
	struct fg_buf *header = fg_sink_header(r->sink);

	fg_folded_warn_of_messages(fg_sink_diag(r->sink), &r->messages);
	fg_unit_add(&r->sections.items[0], header);
	fg_slice_add_header(header, &r->all_slices);
}

const struct fg_format fg_format_recursive = {
	.kind = &fg_kind_recursive,
	.summary = "Makes one frame of a function that calls itself: reads folded\n"
		   "stacks, writes folded stacks.",
	.footer = "Example: collapse-recursive deep.folded | flamegraph > flame.svg",
	.hints = { .not_found = "no folded stack was found" },
	.called_as = recursion_by_default,
	.keeps_decimals = true,
	.open = open_recursive,
	.line = read_line,
	.end_input = end_input,
	.finish = finish,
	.close = close_recursive,
};
