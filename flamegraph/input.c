/* Folded stacks from the input into a tree, each as the options want it. */
#include "flamegraph/input.h"

#include "flamegraph/changes.h"
#include "flamegraph/inferno.h"
#include "lib/folded_input.h"

struct input {
	const struct fg_graph_options *options;
	struct fg_tree *tree;
	struct fg_diag *diag;
	struct fg_folded_input lines;
	struct fg_buf reversed, annotated; /* a stack that was changed */
	uint64_t left_out; /* stacks, by options */
	struct fg_filter *filter; /* the options' */
	struct fg_buf filtered; /* a line that was changed */
	struct fg_inferno inferno; /* --compat=inferno: the lines until all are read */
	bool cut; /* some counts were cut to whole numbers */
};

/* Cuts `rest` at the first ";--;". */
static struct fg_str cut_part(struct fg_str *rest)
{
	struct fg_str separator = FG_STR(";--;");
	size_t at = fg_str_find(*rest, separator);
	struct fg_str part = fg_str_before(*rest, at);

	*rest = fg_str_from_pos(*rest, at + separator.len);
	return part;
}

/* A chain of wake-ups: the frames after the first part are the wakers'. */
static struct fg_str annotate(struct fg_buf *b, struct fg_str stack)
{
	fg_buf_clear(b);
	fg_buf_add_str(b, cut_part(&stack));
	fg_buf_add_str(b, FG_STR(";--;"));
	while (stack.len) {
		struct fg_str part = cut_part(&stack);

		for (size_t i = 0; i < part.len; i++) {
			if (part.ptr[i] == ';')
				fg_buf_add_str(b, FG_STR("_[w]"));
			fg_buf_add_char(b, part.ptr[i]);
		}
		fg_buf_add_str(b, FG_STR("_[w]"));
		if (stack.len)
			fg_buf_add_str(b, FG_STR(";--;"));
	}
	return fg_buf_str(b);
}

static int add_to_tree(struct input *in, const struct fg_folded *folded,
		       const struct fg_place *at)
{
	if (!fg_tree_add(in->tree, folded))
		return 0;
	return fg_error(in->diag, at, "the sum of the counts exceeds 2^64-1");
}

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct input *in = data;
	const struct fg_graph_options *options = in->options;

	if (options->compat == FG_COMPAT_INFERNO)
		return add_to_tree(in, folded, at);
	if (in->filter && !fg_filter_text(in->filter, &folded->stack)) {
		in->left_out++;
		return fg_filter_failed(in->filter) ? -1 : 0;
	}
	if (options->reverse)
		folded->stack = fg_folded_reverse(&in->reversed, folded->stack);
	if (options->palette == FG_PALETTE_CHAIN)
		folded->stack = annotate(&in->annotated, folded->stack);
	return add_to_tree(in, folded, at);
}

static void report_empty(const struct input *in)
{
	const char *reason = fg_folded_input_fault(&in->lines);
	struct fg_place at = { in->lines.no_count.at.input, 0 };

	if (in->left_out && in->options->filter.base.count)
		reason = "no stack has a frame that --base names";
	else if (in->left_out)
		reason = "options such as --focus and --ignore leave out all stacks";
	fg_error(in->diag, at.input ? &at : NULL, "no stack counts found: %s", reason);
}

static int read_all(struct input *in, struct fg_reader *reader)
{
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (fg_folded_input_line(&in->lines, line, &at))
			return -1;
	return status ? -1 : fg_folded_input_end(&in->lines);
}

/* Lines that --no-sort is not to sort have to be in the order of their stacks. */
static int check_order(struct input *in, struct fg_str last, struct fg_str line,
		       const struct fg_place *at)
{
	const struct fg_graph_options *o = in->options;

	if (!o->no_sort || o->reverse || o->flamechart || fg_str_cmp(last, line) <= 0)
		return 0;
	return fg_error(in->diag, at, "the lines are not sorted: leave out --no-sort");
}

static int read_gathered(struct input *in)
{
	struct fg_str last = FG_STR("");

	fg_inferno_order(&in->inferno);
	for (uint32_t i = 0; i < in->inferno.count; i++) {
		struct fg_place at;
		struct fg_str line = fg_inferno_line(&in->inferno, i, &at);
		struct fg_folded folded;
		enum fg_folded_kind kind = fg_inferno_parse(line, &folded, &in->cut);

		if (check_order(in, last, line, &at) ||
		    fg_folded_input_parsed(&in->lines, kind, &folded, line, &at))
			return -1;
		last = line;
	}
	if (in->cut)
		fg_warn(in->diag, NULL,
			"counts with a fraction were cut to whole "
			"numbers: --factor can scale larger ones back");
	return 0;
}

/* A line of inferno's after options that it does not have; false: it is left out. */
static bool filter_line(struct input *in, struct fg_str *line)
{
	struct fg_folded folded;
	struct fg_str stack;
	size_t start;

	if (!in->filter || fg_folded_parse(*line, &folded) != FG_FOLDED_STACK)
		return true;
	stack = folded.stack;
	start = (size_t)(stack.ptr - line->ptr); /* the count may come first */
	if (!fg_filter_text(in->filter, &stack))
		return false;
	fg_buf_clear(&in->filtered);
	fg_buf_add_str(&in->filtered, fg_str_before(*line, start));
	fg_buf_add_str(&in->filtered, stack);
	fg_buf_add_str(&in->filtered, fg_str_from_pos(*line, start + folded.stack.len));
	*line = fg_buf_str(&in->filtered);
	return true;
}

/* --compat=inferno */
static int read_sorted(struct input *in, struct fg_reader *reader)
{
	struct fg_place at;
	struct fg_str line;
	int status;

	fg_inferno_init(&in->inferno, in->options);
	while ((status = fg_reader_line(reader, &line, &at)) > 0) {
		fg_folded_input_keep(&in->lines, line);
		if (fg_unit_read(in->lines.unit, line))
			continue;
		if (!filter_line(in, &line)) {
			in->left_out++;
			continue;
		}
		switch (fg_inferno_add(&in->inferno, line, &at)) {
		case FG_INFERNO_ADDED:
			break;
		case FG_INFERNO_NO_BASE:
			in->left_out++;
			break;
		case FG_INFERNO_TOO_MANY:
			return fg_error(in->diag, &at, "there are too many lines");
		}
	}
	return status || fg_filter_failed(in->filter) ? -1 : read_gathered(in);
}

enum fg_input_result fg_input_read(struct fg_reader *reader,
				   const struct fg_profile *profile,
				   const struct fg_graph_options *options,
				   struct fg_diag *diag)
{
	struct input in = { .options = options,
			    .tree = profile->tree,
			    .filter = options->stack_filter,
			    .diag = diag };
	enum fg_input_result result = FG_INPUT_READ;

	fg_folded_input_init(&in.lines, diag, profile->unit, add_stack, &in);
	in.lines.as_they_are = options->diff || options->compat != FG_COMPAT_NONE;
	if (options->compat == FG_COMPAT_INFERNO ? read_sorted(&in, reader) :
						   read_all(&in, reader)) {
		result = FG_INPUT_FAILED;
	} else if (!profile->tree->total &&
		   !(profile->tree->before_total && fg_changes_draws_gone(options))) {
		report_empty(&in);
		result = FG_INPUT_EMPTY;
	} else {
		fg_folded_input_warn(&in.lines, " (--diff draws a difference)");
	}
	if (result != FG_INPUT_FAILED)
		fg_filter_report(in.filter);
	fg_inferno_release(&in.inferno);
	fg_folded_input_release(&in.lines);
	fg_buf_release(&in.filtered);
	fg_buf_release(&in.reversed);
	fg_buf_release(&in.annotated);
	return result;
}
