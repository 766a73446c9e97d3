/* Reading folded stacks, and saying what is wrong with input that has none. */
#include "flamegraph/input.h"

#include "flamegraph/changes.h"
#include "flamegraph/inferno.h"

/* First bytes of the input, kept to guess what it is if it is not a profile. */
#define HEAD_MAX 4096

/* Lines with two counts are kept until as many bytes of them show that all have two. */
#define PENDING_MAX ((size_t)1 << 20)

/* Ignored lines that --verbose shows. */
#define NOTES_MAX 10

struct input {
	const struct fg_graph_options *options;
	struct fg_tree *tree;
	struct fg_unit *unit;
	struct fg_diag *diag;
	struct fg_place at;
	struct fg_buf reversed, annotated; /* a stack that was changed */
	struct fg_buf head; /* the first bytes */
	struct fg_buf first_ignored;
	struct fg_place first_at;
	uint64_t stacks, ignored;
	uint64_t left_out; /* stacks, by options */
	struct fg_filter *filter; /* the options' */
	struct fg_buf filtered; /* a line that was changed */
	uint64_t lost; /* lines whose count is too small */
	struct fg_place lost_at; /* the first */
	struct fg_place counts_first_at; /* the first line whose count comes first */
	struct fg_inferno inferno; /* --compat=inferno: the lines until all are read */
	bool cut; /* some counts were cut to whole numbers */

	enum { COLUMNS_UNKNOWN, COLUMNS_ONE, COLUMNS_TWO } columns;
	struct fg_buf pending; /* lines with two counts, until that is known */
	struct fg_place pending_at; /* the first */
	uint64_t other; /* lines with another number of counts */
	struct fg_place other_at; /* the first */
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

static int add_to_tree(struct input *in, const struct fg_folded *folded)
{
	if (!fg_tree_add(in->tree, folded))
		return 0;
	return fg_error(in->diag, &in->at, "the sum of the counts exceeds 2^64-1");
}

static int add_stack(struct input *in, struct fg_folded *folded)
{
	const struct fg_graph_options *options = in->options;

	in->stacks++;
	if (options->compat == FG_COMPAT_INFERNO)
		return add_to_tree(in, folded);
	if (in->filter && !fg_filter_text(in->filter, &folded->stack)) {
		in->left_out++;
		return fg_filter_failed(in->filter) ? -1 : 0;
	}
	if (options->reverse)
		folded->stack = fg_folded_reverse(&in->reversed, folded->stack);
	if (options->palette == FG_PALETTE_CHAIN)
		folded->stack = annotate(&in->annotated, folded->stack);
	return add_to_tree(in, folded);
}

/* A profile is a difference where every line has two counts. */
static int add_as(struct input *in, struct fg_folded *folded)
{
	if (folded->columns != (in->columns == COLUMNS_TWO ? 2 : 1) &&
	    !in->options->diff && !in->other++)
		in->other_at = in->at;
	if (in->columns == COLUMNS_ONE && folded->columns == 2)
		fg_folded_join(folded);
	return add_stack(in, folded);
}

/* It is known now: adds what was kept. */
static int set_columns(struct input *in, unsigned columns)
{
	struct fg_str lines = fg_buf_str(&in->pending);
	struct fg_place at = in->at;
	int status = 0;

	in->at = in->pending_at;
	in->columns = columns == 2 ? COLUMNS_TWO : COLUMNS_ONE;
	while (lines.len && !status) {
		struct fg_folded folded;

		fg_folded_parse(fg_str_cut(&lines, '\n'), &folded);
		status = add_as(in, &folded);
	}
	fg_buf_release(&in->pending);
	if (!status)
		in->at = at;
	return status;
}

/* Until the number of columns is known, a line is held back, or decides it. */
static int add_line(struct input *in, struct fg_str line, struct fg_folded *folded)
{
	if (in->options->compat != FG_COMPAT_NONE)
		return add_stack(in, folded);
	if (in->columns == COLUMNS_UNKNOWN && folded->columns == 2) {
		if (!in->pending.len)
			in->pending_at = in->at;
		fg_buf_add_str(&in->pending, line);
		fg_buf_add_char(&in->pending, '\n');
		return in->pending.len < PENDING_MAX && !in->options->diff ?
			       0 :
			       set_columns(in, 2);
	}
	if (in->columns == COLUMNS_UNKNOWN &&
	    set_columns(in, in->options->diff ? 2 : 1))
		return -1;
	return add_as(in, folded);
}

static void ignore(struct input *in, struct fg_str line)
{
	struct fg_buf shown = FG_BUF_INIT;

	if (!in->ignored++) {
		in->first_at = in->at;
		fg_buf_add_visible(&in->first_ignored, line, FG_QUOTED_MAX);
	}
	if (in->diag->verbosity < FG_VERBOSE || in->ignored > NOTES_MAX)
		return;
	fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
	fg_note(in->diag, &in->at, "no count at the end of the line: '%s'",
		fg_buf_cstr(&shown));
	fg_buf_release(&shown);
}

static void keep_head(struct input *in, struct fg_str line)
{
	if (in->head.len < HEAD_MAX) {
		fg_buf_add_str(&in->head, fg_str_before(line, HEAD_MAX));
		fg_buf_add_char(&in->head, '\n');
	}
}

static int read_line(struct input *in, struct fg_str line)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = in->options->compat == FG_COMPAT_INFERNO ?
					   fg_inferno_parse(line, &folded, &in->cut) :
					   fg_folded_parse(line, &folded);

	switch (kind) {
	case FG_FOLDED_STACK:
		if (folded.lost && !in->lost++)
			in->lost_at = in->at;
		if (folded.count_first && !in->counts_first_at.line)
			in->counts_first_at = in->at;
		return add_line(in, line, &folded);
	case FG_FOLDED_NO_COUNT:
		ignore(in, line);
		return 0;
	case FG_FOLDED_TOO_LARGE:
		return fg_error(in->diag, &in->at, "a count exceeds 2^64-1");
	case FG_FOLDED_EMPTY:
		break;
	}
	return 0;
}

static void report_empty(const struct input *in)
{
	const char *reason = NULL;
	struct fg_place at = { in->first_at.input, 0 };

	if (!in->head.len)
		reason = "the input is empty";
	else if (in->left_out && in->options->filter.base.count)
		reason = "no stack has a frame that --base names";
	else if (in->left_out)
		reason = "options such as --focus and --ignore leave out all stacks";
	else if (in->stacks)
		reason = "all counts are 0";
	else
		reason = fg_folded_guess(fg_buf_str(&in->head));
	fg_error(in->diag, at.input ? &at : NULL, "no stack counts found: %s",
		 reason ? reason : "no line ends in a count");
}

static void report_columns(struct input *in)
{
	unsigned long long n = in->other;

	if (n && in->columns == COLUMNS_ONE)
		fg_warn(in->diag, &in->other_at,
			"%llu line%s two counts, unlike others: the first is taken for "
			"a part of the name (--diff draws a difference)",
			n, n == 1 ? " has" : "s have");
	else if (n)
		fg_warn(in->diag, &in->other_at,
			"%llu line%s one count, unlike others: it is taken for the "
			"count after",
			n, n == 1 ? " has" : "s have");
}

static void report_ignored(struct input *in)
{
	if (in->counts_first_at.line)
		fg_warn(in->diag, &in->counts_first_at, FG_FOLDED_COUNTS_FIRST);
	if (in->lost)
		fg_warn(in->diag, &in->lost_at, FG_FOLDED_LOST,
			(unsigned long long)in->lost, in->lost == 1 ? "" : "s");
	if (in->ignored == 1)
		fg_warn(in->diag, &in->first_at,
			"ignored 1 line without a count at its end: '%s'",
			fg_buf_cstr(&in->first_ignored));
	else if (in->ignored)
		fg_warn(in->diag, &in->first_at,
			"ignored %llu lines without a count at their end, "
			"the first is '%s'",
			(unsigned long long)in->ignored,
			fg_buf_cstr(&in->first_ignored));
}

static int read_all(struct input *in, struct fg_reader *reader)
{
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &in->at)) > 0) {
		keep_head(in, line);
		if (!fg_unit_read(in->unit, line) && read_line(in, line))
			return -1;
	}
	if (!status && in->pending.len)
		status = set_columns(in, 2);
	return status;
}

/* Lines that --no-sort is not to sort have to be in the order of their stacks. */
static int check_order(struct input *in, struct fg_str last, struct fg_str line)
{
	const struct fg_graph_options *o = in->options;

	if (!o->no_sort || o->reverse || o->flamechart || fg_str_cmp(last, line) <= 0)
		return 0;
	return fg_error(in->diag, &in->at,
			"the lines are not sorted: leave out --no-sort");
}

static int read_gathered(struct input *in)
{
	struct fg_str last = FG_STR("");

	fg_inferno_order(&in->inferno);
	for (uint32_t i = 0; i < in->inferno.count; i++) {
		struct fg_str line = fg_inferno_line(&in->inferno, i, &in->at);

		if (check_order(in, last, line) || read_line(in, line))
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
	struct fg_str stack, counts;

	if (!in->filter || fg_folded_parse(*line, &folded) != FG_FOLDED_STACK)
		return true;
	stack = folded.stack;
	counts = fg_str_from_pos(*line, stack.len);
	if (!fg_filter_text(in->filter, &stack))
		return false;
	fg_buf_clear(&in->filtered);
	fg_buf_add_str(&in->filtered, stack);
	fg_buf_add_str(&in->filtered, counts);
	*line = fg_buf_str(&in->filtered);
	return true;
}

/* --compat=inferno */
static int read_sorted(struct input *in, struct fg_reader *reader)
{
	struct fg_str line;
	int status;

	fg_inferno_init(&in->inferno, in->options);
	while ((status = fg_reader_line(reader, &line, &in->at)) > 0) {
		keep_head(in, line);
		if (fg_unit_read(in->unit, line))
			continue;
		if (!filter_line(in, &line)) {
			in->left_out++;
			continue;
		}
		switch (fg_inferno_add(&in->inferno, line, &in->at)) {
		case FG_INFERNO_ADDED:
			break;
		case FG_INFERNO_NO_BASE:
			in->left_out++;
			break;
		case FG_INFERNO_TOO_MANY:
			return fg_error(in->diag, &in->at, "there are too many lines");
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
			    .unit = profile->unit,
			    .filter = options->stack_filter,
			    .diag = diag };
	enum fg_input_result result = FG_INPUT_READ;

	if (options->compat == FG_COMPAT_INFERNO ? read_sorted(&in, reader) :
						   read_all(&in, reader)) {
		result = FG_INPUT_FAILED;
	} else if (!profile->tree->total &&
		   !(profile->tree->before_total && fg_changes_draws_gone(options))) {
		report_empty(&in);
		result = FG_INPUT_EMPTY;
	} else {
		report_ignored(&in);
		report_columns(&in);
	}
	if (result != FG_INPUT_FAILED)
		fg_filter_report(in.filter);
	fg_inferno_release(&in.inferno);
	fg_buf_release(&in.filtered);
	fg_buf_release(&in.reversed);
	fg_buf_release(&in.annotated);
	fg_buf_release(&in.head);
	fg_buf_release(&in.first_ignored);
	fg_buf_release(&in.pending);
	return result;
}
