/*
 * Reads the aggregations that dtrace prints, if their keys have stack() or ustack();
 * see "Aggregations" in the Dynamic Tracing Guide.
 *
 *       bash
 *                   libc.so.1`_read+0x7
 *                   bash`main+0x1
 *                     3
 *
 * A key before the stack is indented less than it, or is a number. stack() outside an
 * aggregation prints a stack each time its probe fires, directly below the probe's row.
 */
#include <stdlib.h>

#include "collapse/collapse.h"
#include "collapse/frames.h"
#include "lib/base/line_prefix.h"
#include "lib/recognize/dtrace.h"
#include "collapse/names.h"
#include "lib/base/optrows.h"
#include "lib/base/xalloc.h"

#define OPTIONS struct options
struct options {
	bool offsets;
};

static const struct fg_opt rows[] = {
	SECTION("Frames"),
	FLAG("offsets", offsets, "show functions with their offsets: main+0x14"),
	FLAG("includeoffset", offsets, NULL),
	FG_OPT_END,
};

struct dtrace {
	struct fg_sink *sink;
	struct fg_frames frames; /* maps a line to its frames */
	bool offsets;
	struct fg_buf name; /* scratch for a frame */
	/* IN_TABLE is inside the rows of quantize() */
	enum { BETWEEN, IN_STACK, IN_TABLE } stage;
	bool fired; /* stack() printed this stack because a probe fired */
	/*
	 * we are past the text that may come before the first stack: a frame or an
	 * empty line was read
	 */
	bool past_header;
	bool after_empty; /* the line before this one was empty */
	bool spaced; /* the line before the frames, or before their key, was empty */
	/* `first` is an entry without a stack, unless a frame follows at once */
	bool first_is_entry;
	struct fg_buf first; /* a line before frames: a key, or else the leaf */
	size_t first_indent; /* indentation of `first` */
	size_t indent; /* indentation of the frames */
	/* a line of a stack that ends in a number: its weight, or a key */
	struct fg_buf held;
	bool held_is_left; /* `held` has no indentation, like output of a program */
	/* a line that is the process of bcc's stack if the next line is a number */
	struct fg_buf process;
	struct fg_sum sum; /* sum of the rows of the table */
};

/* ---- frames */

static bool is_of_inlining(char c)
{
	return fg_is_word(c) || fg_str_has_char(FG_STR("$./;:->"), c);
}

/*
 * Returns the index of the last inlined name in "a->b", or 0 if there is none.
 * "operator->" has none.
 */
static size_t find_inlined(struct fg_str name)
{
	size_t at = fg_str_ends(name, FG_STR(">")) ? 0 : name.len;

	while (at > 2 && (name.ptr[at - 1] != '>' || name.ptr[at - 2] != '-'))
		at--;
	return at > 2 ? at : 0;
}

static bool is_of_module(char c)
{
	return c != '`' && c != '(' && c != '<';
}

/* Adds a name. Java's "Lpackage/Class;" loses its L. */
static void add_name(struct dtrace *d, struct fg_str module, struct fg_str name,
		     struct fg_str end)
{
	bool is_java = fg_str_has_char(name, '/') || fg_str_has_char(name, ';');

	if (is_java && fg_str_starts(name, FG_STR("L")))
		name = fg_str_from_pos(name, 1);
	fg_buf_clear(&d->name);
	fg_buf_add_str(&d->name, module);
	fg_add_name(&d->name, name);
	fg_buf_add_str(&d->name, end);
	fg_sink_frame(d->sink, fg_buf_str(&d->name));
}

/* Adds a frame and the ones inlined into it. The leaf never shows its offset. */
static void add_frame(void *state, struct fg_str line)
{
	struct dtrace *d = state;
	struct fg_str text = dtrace_bcc_name(fg_str_trim(line)), nothing = { NULL, 0 };
	struct fg_str name = fg_name_cut_offset(text);
	struct fg_str offset = fg_str_from_pos(text, name.len);
	size_t tick = fg_str_span(name, is_of_module);
	bool has_module = tick < name.len && name.ptr[tick] == '`';
	struct fg_str module = fg_str_before(name, has_module ? tick + 1 : 0);
	bool with_offset = d->offsets && fg_stack_depth(fg_sink_stack(d->sink));
	bool inlines;
	size_t at;

	name = fg_str_from_pos(name, module.len);
	inlines = fg_str_all(name, is_of_inlining) && !fg_str_starts(name, FG_STR("-"));
	while (inlines && (at = find_inlined(name))) {
		add_name(d, nothing, fg_str_from_pos(name, at), FG_STR("_[i]"));
		name = fg_str_before(name, at - 2);
	}
	add_name(d, module, name, with_offset ? offset : nothing);
}

static void read_frame(struct dtrace *d, struct fg_str line)
{
	fg_frames_add(&d->frames, line, !fg_stack_depth(fg_sink_stack(d->sink)));
}

/* ---- stacks */

/* Drops the open stack. */
static void forget(struct dtrace *d)
{
	fg_buf_clear(&d->first);
	fg_sink_clear(d->sink);
	d->stage = BETWEEN;
}

/* Counts the stack. With `minus`, the weight is negative, because sum() can be. */
static void end_stack(struct dtrace *d, uint64_t weight, bool minus)
{
	const struct fg_sum sum = { weight, 0 };

	if (!fg_stack_depth(fg_sink_stack(d->sink)))
		fg_sink_frame(d->sink, FG_STR("[unknown]"));
	(minus ? fg_sink_subtract_sum : fg_sink_add_sum)(d->sink, sum, 0);
	d->stage = BETWEEN;
	d->fired = false;
}

/*
 * Reads the number below two or more lines, the weight of a stack. In the text above
 * the first stack it may be something else, so there we hold it until judge_header()
 * decides.
 */
static void read_weight(struct dtrace *d, struct fg_str number)
{
	struct fg_str digits = number;
	bool minus = fg_str_cut_start(&digits, FG_STR("-"));
	uint64_t weight;

	if (!d->past_header && fg_stack_depth(fg_sink_stack(d->sink)) > 1) {
		fg_buf_add_str(&d->held, number);
		return;
	}
	if (d->past_header && !fg_str_u64(digits, &weight)) {
		end_stack(d, weight, minus);
		return;
	}
	if (d->past_header)
		fg_sink_malformed(d->sink, number);
	forget(d);
}

/* Treats `first` as the leaf or, if it is a number, as the weight of an empty stack. */
static void settle_first(struct dtrace *d)
{
	struct fg_str first = fg_buf_str(&d->first);

	if (fg_str_all(first, fg_is_digit))
		read_weight(d, first);
	else if (first.len)
		read_frame(d, first);
	fg_buf_clear(&d->first);
}

static void start_first(struct dtrace *d, struct fg_str text, size_t indent)
{
	fg_buf_clear(&d->first);
	fg_buf_add_str(&d->first, text);
	d->first_indent = indent;
	d->first_is_entry = dtrace_key_before_number(text).len > 0;
}

/*
 * Skips `first` if it is an entry without a stack, because no frame follows at once.
 * Returns false if it is not.
 */
static bool pass_over_first(struct dtrace *d)
{
	if (!d->first.len || !d->first_is_entry)
		return false;
	fg_sink_skip(d->sink, FG_SKIP_NO_STACK, 1);
	fg_buf_clear(&d->first);
	return true;
}

/*
 * Decides what `first` was. `indent` and `frame` describe the next line, which is not a
 * number.
 */
static void judge_first(struct dtrace *d, size_t indent, bool frame)
{
	struct fg_str first = fg_buf_str(&d->first);
	bool is_key = fg_str_all(first, fg_is_digit) ? frame : d->first_indent < indent;

	d->spaced = d->after_empty || (first.len && is_key);
	if (first.len && is_key)
		fg_sink_root(d->sink, first);
	else if (!pass_over_first(d))
		settle_first(d);
	fg_buf_clear(&d->first);
}

/* Ends a stack at "12", or at "bash      12" with a key. */
static void end_weighted(struct dtrace *d, struct fg_str text)
{
	struct fg_str key = dtrace_key_before_number(text);

	if (key.len)
		fg_sink_root(d->sink, key);
	read_weight(d, fg_str_trim(fg_str_from_pos(text, key.len)));
}

/*
 * Reads a line that ends in a number: the weight of the stack or, if frames follow
 * directly, a key in the middle of it. dtrace starts each stack with a line feed. So if
 * an empty line or a key was before this stack, one will be before the next stack, and
 * frames directly below this line cannot be the next stack. Then we hold the line until
 * we see the next one, unless it is a number that reaches into the frames' columns,
 * which is a weight.
 */
static void read_end(struct dtrace *d, struct fg_str line, struct fg_str text)
{
	if (!d->spaced || (fg_str_all(text, fg_is_digit) &&
			   text.ptr + text.len > line.ptr + d->indent)) {
		end_weighted(d, text);
		return;
	}
	fg_buf_add_str(&d->held, text);
	d->held_is_left = text.ptr == line.ptr && d->indent;
}

static bool any_blank(struct fg_sink *sink)
{
	const struct fg_stack *stack = fg_sink_stack(sink);

	for (size_t i = 0; i < fg_stack_depth(stack); i++)
		if (fg_str_has_char(
			    fg_intern_name(fg_sink_names(sink), fg_stack_ids(stack)[i]),
			    ' '))
			return true;
	return false;
}

/*
 * Decides whether the first lines of the input were a stack with the weight `number`,
 * or a header. They were a stack if the paragraph `ends` and no line has a space,
 * unlike prose.
 */
static void judge_header(struct dtrace *d, struct fg_str number, bool ends)
{
	d->past_header = ends && !any_blank(d->sink);
	if (d->past_header)
		read_weight(d, number);
	else
		forget(d);
}

/* Decides what `held` was. `line` is the next line, or "" at the end of the input. */
static void judge_held(struct dtrace *d, struct fg_str line)
{
	struct fg_str text = fg_str_trim(line), held = fg_buf_str(&d->held);
	bool goes_on;

	if (!held.len)
		return;
	goes_on = dtrace_is_frame(text) && line.ptr + d->indent == text.ptr;
	if (!d->past_header)
		judge_header(d, held, !text.len);
	else if (goes_on && d->held_is_left)
		fg_sink_malformed(d->sink, held);
	else if (goes_on || dtrace_is_table_head(text))
		fg_sink_root(d->sink, held);
	else
		end_weighted(d, held);
	fg_buf_clear(&d->held);
}

static void read_number(struct dtrace *d, struct fg_str line, struct fg_str text)
{
	settle_first(d);
	if (fg_stack_depth(fg_sink_stack(d->sink)))
		read_end(d, line, text);
	else
		start_first(d, text, 0);
}

/* Reads ">= 8 |@@@@      3", a row of a distribution. */
static bool read_row(struct dtrace *d, struct fg_str text)
{
	struct fg_str bar = text, value = fg_str_trim(fg_str_cut(&bar, '|'));
	size_t digits = fg_str_end_span(bar, fg_is_digit);
	uint64_t n;

	if (!fg_str_end_span(value, fg_is_digit) ||
	    fg_str_u64(fg_str_from_pos(bar, bar.len - digits), &n))
		return false;
	fg_sum_add(&d->sum, n);
	return true;
}

static void end_table(struct dtrace *d)
{
	if (d->sum.high)
		read_weight(d, FG_STR("Distribution"));
	else
		end_stack(d, d->sum.low, false);
}

/* Ends a stack without a weight before the next probe: stack() printed it. */
static void end_unweighted(struct dtrace *d)
{
	if (d->fired) {
		end_stack(d, 1, false);
		return;
	}
	fg_sink_malformed(d->sink,
			  fg_intern_name(fg_sink_names(d->sink),
					 fg_stack_ids(fg_sink_stack(d->sink))[0]));
	forget(d);
}

/* Adds the process, which bcc prints after the stack. It may be empty. */
static void read_comm(struct dtrace *d, struct fg_str comm)
{
	settle_first(d);
	if (!fg_stack_depth(fg_sink_stack(d->sink)))
		fg_sink_frame(d->sink, FG_STR("[unknown]"));
	fg_sink_root(d->sink, comm);
	d->past_header = true;
}

/* Reads a line that is not a number and not of a kind that only bcc prints. */
static void read_text(struct dtrace *d, struct fg_str line, struct fg_str text)
{
	size_t indent = (size_t)(text.ptr - line.ptr);
	bool frame = dtrace_is_frame(text);

	if (dtrace_is_probe(text)) {
		if (d->stage == IN_STACK)
			end_unweighted(d);
		d->fired = true;
		return;
	}
	d->past_header |= frame;
	if (text.ptr[0] == '-' && fg_str_all(fg_str_from_pos(text, 1), fg_is_digit)) {
		read_weight(d, text);
	} else if (dtrace_is_table_head(text)) {
		settle_first(d);
		d->stage = IN_TABLE;
		d->sum = (struct fg_sum){ 0, 0 };
	} else if (d->stage == BETWEEN) {
		judge_first(d, indent, frame);
		if (frame) {
			read_frame(d, line);
			d->indent = indent;
			d->stage = IN_STACK;
		} else {
			start_first(d, text, indent);
		}
	} else if (frame || indent >= d->indent) {
		read_frame(d, line);
	} else if (dtrace_key_before_number(text).len) {
		read_end(d, line, text);
	} else if (indent) {
		fg_sink_root(d->sink, text);
	} else { /* a line that the program itself printed */
		fg_sink_malformed(d->sink, line);
	}
}

/*
 * Reads the line in d->process: as bcc's process if the next line is a weight, or else
 * like any other line.
 */
static void judge_process(struct dtrace *d, struct fg_str next)
{
	struct fg_str line = fg_buf_str(&d->process), process = fg_str_trim(line);
	bool sure;

	if (!process.len)
		return;
	next = fg_str_trim(next);
	if (next.len && fg_str_all(next, fg_is_digit))
		read_comm(d, dtrace_bcc_comm(process, &sure));
	else
		read_text(d, line, process);
	fg_buf_clear(&d->process);
}

static void read_words(struct dtrace *d, struct fg_str line, struct fg_str text)
{
	bool sure;
	struct fg_str comm = dtrace_bcc_comm(text, &sure);

	if (dtrace_is_head(text))
		d->past_header |= dtrace_is_bcc_head(text);
	else if (comm.len && sure)
		read_comm(d, comm);
	else if (comm.len)
		fg_buf_add_str(&d->process, line);
	else
		read_text(d, line, text);
}

static void read_line(void *state, struct fg_str line)
{
	struct dtrace *d = state;
	struct fg_str text = fg_line_skip_interrupt(line);

	if (fg_str_trim(text).len)
		line = text;
	judge_held(d, line);
	judge_process(d, line);
	if (d->stage == IN_STACK && fg_frames_add_known(&d->frames, line, 0))
		return;
	text = fg_str_trim(line);
	if (d->stage == IN_TABLE && read_row(d, text))
		return;
	if (d->stage == IN_TABLE)
		end_table(d);
	if (!text.len && !d->past_header)
		forget(d);
	else if (!text.len)
		pass_over_first(d);
	d->past_header |= !text.len;
	d->fired &= text.len || d->stage == IN_STACK;
	if (fg_str_all(text, fg_is_digit))
		read_number(d, line, text);
	else if (text.len)
		read_words(d, line, text);
	d->after_empty = !text.len;
}

static void end_input(void *state)
{
	struct dtrace *d = state;
	struct fg_str first = fg_buf_str(&d->first);

	judge_held(d, FG_STR(""));
	judge_process(d, FG_STR(""));
	if (d->stage == IN_TABLE)
		end_table(d);
	if (d->stage == IN_STACK && d->fired)
		end_unweighted(d);
	else if (d->stage == IN_STACK)
		fg_sink_skip(d->sink, FG_SKIP_DROPPED, 1);
	else if (fg_str_all(first, fg_is_digit))
		settle_first(d);
	else if (first.len && !pass_over_first(d))
		fg_sink_malformed(d->sink, first);
	forget(d);
	d->past_header = d->fired = d->after_empty = false;
}

/* ---- the format */

static void *open_dtrace(struct fg_sink *sink, const struct fg_collapse *run)
{
	struct dtrace *d = fg_xcalloc(1, sizeof(*d));

	d->sink = sink;
	d->offsets = ((const struct options *)run->own)->offsets;
	fg_frames_init(&d->frames, sink, add_frame, d);
	return d;
}

static void close_dtrace(void *state)
{
	struct dtrace *d = state;

	fg_frames_release(&d->frames);
	fg_buf_release(&d->name);
	fg_buf_release(&d->first);
	fg_buf_release(&d->held);
	fg_buf_release(&d->process);
	free(d);
}

const struct fg_format fg_format_dtrace = {
	.kind = &fg_kind_dtrace,
	.summary = "Reads the stacks that dtrace prints, writes folded stacks.",
	.footer = "Example: collapse-dtrace out.stacks | flamegraph > flame.svg",
	.hints = { .empty = "did dtrace fail?",
		   .not_found = "no stack was found: is this the output of dtrace?",
		   .no_chain = "use stack or ustack in the key of an aggregation",
		   .shrunk = "their values add up to less than 0" },
	.rows = rows,
	.options_size = sizeof(struct options),
	.open = open_dtrace,
	.line = read_line,
	.end_input = end_input,
	.close = close_dtrace,
};
