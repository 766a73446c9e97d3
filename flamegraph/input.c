/*
 * Reads folded stacks into trees, changed by the options that filter, reverse or
 * annotate stacks.
 */
#include "flamegraph/input.h"

#include <stdlib.h>

#include "flamegraph/changes.h"
#include "flamegraph/inferno.h"
#include "lib/profile/folded_input.h"
#include "lib/recognize/recognize.h"

struct input {
	const struct fg_graph_options *options;
	struct fg_input_profiles *profiles;
	struct fg_tree *tree; /* the current section's tree */
	/* the current section's slices; NULL if no heat map is drawn */
	struct fg_heat *heat;
	struct fg_diag *diag;
	struct fg_folded_input lines;
	/* hold the current stack after it was reversed or annotated */
	struct fg_buf reversed, annotated;
	uint64_t left_out; /* number of stacks that options left out */
	struct fg_filter *filter; /* the filter of the options; borrowed */
	struct fg_buf filtered; /* holds the current line after `filter` changed it */
	/* with --compat=inferno: holds all lines until the last is read */
	struct fg_inferno inferno;
	bool cut; /* some counts were cut to whole numbers */
};

static void add_tree(struct fg_input_profiles *p, const struct fg_graph_options *o)
{
	bool in_order = o->flamechart || o->no_sort || o->compat == FG_COMPAT_INFERNO;

	FG_GROW(p->trees, p->alloc, p->count + 1);
	fg_tree_init(&p->trees[p->count], in_order ? FG_TREE_INPUT : FG_TREE_SORTED);
	p->trees[p->count].keep_leaf = o->compat == FG_COMPAT_INFERNO;
	FG_GROW(p->heats, p->heat_alloc, p->count + 1);
	p->heats[p->count++] = (struct fg_heat){ .count = 0 };
}

void fg_input_init(struct fg_input_profiles *p, const struct fg_graph_options *options)
{
	*p = (struct fg_input_profiles){ .count = 0 };
	fg_sections_init(&p->sections);
	add_tree(p, options);
}

void fg_input_release(struct fg_input_profiles *p)
{
	for (size_t i = 0; i < p->count; i++)
		fg_tree_release(&p->trees[i]);
	for (size_t i = 0; i < p->count; i++)
		fg_heat_release(&p->heats[i]);
	free(p->trees);
	free(p->heats);
	fg_sections_release(&p->sections);
	*p = (struct fg_input_profiles){ .count = 0 };
}

static struct fg_str cut_part(struct fg_str *rest)
{
	struct fg_str separator = FG_STR(";--;");
	size_t at = fg_str_find(*rest, separator);
	struct fg_str part = fg_str_before(*rest, at);

	*rest = fg_str_from_pos(*rest, at + separator.len);
	return part;
}

/*
 * Appends "_[w]" to the wakers in a chain of wake-ups, which are all frames after the
 * first ";--;".
 */
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

static int add_stack(void *data, struct fg_folded *folded, const struct fg_place *at)
{
	struct input *in = data;
	const struct fg_graph_options *options = in->options;

	if (options->compat == FG_COMPAT_INFERNO)
		return fg_folded_input_merge(in->tree, folded, at, in->diag);
	if (in->filter && !fg_filter_text(in->filter, &folded->stack)) {
		in->left_out++;
		return fg_filter_failed(in->filter) ? -1 : 0;
	}
	if (options->reverse)
		folded->stack = fg_folded_reverse(&in->reversed, folded->stack);
	if (options->palette == FG_PALETTE_CHAIN)
		folded->stack = annotate(&in->annotated, folded->stack);
	if (fg_folded_input_merge(in->tree, folded, at, in->diag))
		return -1;
	if (in->heat && in->lines.in_slice)
		fg_heat_add(in->heat, &in->lines.slices, in->lines.slice, in->tree,
			    folded);
	return 0;
}

static void report_empty(struct input *in)
{
	const char *reason = fg_folded_input_fault(&in->lines);
	struct fg_place at = { in->lines.no_count.at.input, 0 };

	if (in->left_out && in->options->base.count)
		reason = "no stack has a frame with the name of --base";
	else if (in->left_out)
		reason = "options such as --focus and --ignore leave out all stacks";
	fg_error(in->diag, at.input ? &at : NULL, "no stack counts found: %s", reason);
}

/*
 * Checks that `line` does not sort before `last`, if --no-sort relies on that. Returns
 * -1 after reporting that it does.
 */
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
			"fractions of counts were cut off: write larger counts, and "
			"scale them back with --factor");
	return 0;
}

/*
 * Applies the options that filter or change stacks. inferno-flamegraph has no such
 * options. Returns false if the line is to be left out.
 */
static bool filter_line(struct input *in, struct fg_str *line)
{
	struct fg_folded folded;
	struct fg_str stack;
	size_t start;

	if (!in->filter || fg_folded_parse(*line, &folded) != FG_FOLDED_STACK)
		return true;
	stack = folded.stack;
	/* not 0 if the count is before the stack */
	start = (size_t)(stack.ptr - line->ptr);
	if (!fg_filter_text(in->filter, &stack))
		return false;
	fg_buf_clear(&in->filtered);
	fg_buf_add_str(&in->filtered, fg_str_before(*line, start));
	fg_buf_add_str(&in->filtered, stack);
	fg_buf_add_str(&in->filtered, fg_str_from_pos(*line, start + folded.stack.len));
	*line = fg_buf_str(&in->filtered);
	return true;
}

/* Reads with --compat=inferno. */
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

/*
 * Makes `section` the one to which the next stacks are added. Sets in->heat to NULL if
 * no heat map is drawn: flame charts and graphs in the order of the input have none.
 */
static void use(struct input *in, size_t section)
{
	struct fg_input_profiles *p = in->profiles;

	in->tree = &p->trees[section];
	in->heat = in->tree->order == FG_TREE_INPUT ||
				   in->options->heatmap == FG_HEATMAP_NONE ?
			   NULL :
			   &p->heats[section];
}

/*
 * Switches to the section of the first stack after header lines. First ends the
 * previous section, because a line that is still held back belongs to it.
 */
static int turn(struct input *in, const struct fg_place *at)
{
	struct fg_sections *s = &in->profiles->sections;
	size_t before = s->current, count = s->count;
	int section = fg_sections_turn(s, at, in->diag);

	if (section < 0)
		return -1;
	if ((size_t)section == before)
		return 0;
	if (fg_folded_input_end(&in->lines))
		return -1;
	fg_folded_input_restart(&in->lines);
	if (s->count > count)
		add_tree(in->profiles, in->options);
	use(in, (size_t)section);
	return 0;
}

static int read_sections(struct input *in, struct fg_reader *reader)
{
	struct fg_sections *s = &in->profiles->sections;
	const char *input = NULL; /* the name of the current input */
	bool has_stacks = false;
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0) {
		struct fg_folded folded;
		enum fg_folded_kind kind = fg_folded_parse(line, &folded);
		bool is_stack = kind == FG_FOLDED_STACK && !folded.is_message;

		if (at.input != input && has_stacks)
			fg_sections_end(s);
		has_stacks = is_stack || (has_stacks && at.input == input);
		input = at.input;
		fg_folded_input_keep(&in->lines, line);
		if (kind == FG_FOLDED_EMPTY && line.len)
			fg_sections_line(s, line);
		else if (is_stack && s->has_header && turn(in, &at))
			return -1;
		if (fg_folded_input_parsed(&in->lines, kind, &folded, line, &at))
			return -1;
	}
	fg_sections_end(s);
	return status ? -1 : fg_folded_input_end(&in->lines);
}

static int read_lines(struct input *in, struct fg_reader *reader)
{
	if (in->options->compat == FG_COMPAT_INFERNO)
		return read_sorted(in, reader);
	if (in->options->compat != FG_COMPAT_NONE)
		return fg_folded_input_read(&in->lines, reader);
	in->lines.unit = NULL;
	return read_sections(in, reader);
}

bool fg_input_has_counts(const struct fg_tree *tree,
			 const struct fg_graph_options *options)
{
	return tree->total || (tree->before_total && fg_changes_draws_gone(options));
}

static bool has_counts(const struct fg_input_profiles *p,
		       const struct fg_graph_options *options)
{
	bool any = false;

	for (size_t i = 0; i < p->count; i++)
		any |= fg_input_has_counts(&p->trees[i], options);
	return any;
}

enum fg_input_result fg_input_read(struct fg_reader *reader,
				   struct fg_input_profiles *profiles,
				   const struct fg_graph_options *options,
				   struct fg_diag *diag)
{
	struct input in = { .options = options,
			    .profiles = profiles,
			    .filter = options->stack_filter,
			    .diag = diag };
	enum fg_input_result result = FG_INPUT_READ;

	use(&in, 0);
	fg_folded_input_init(&in.lines, diag, &profiles->sections.items[0], add_stack,
			     &in);
	in.lines.guess = fg_recognize_guess;
	in.lines.keep_slices = options->compat != FG_COMPAT_NONE;
	in.lines.keep_messages = options->compat != FG_COMPAT_NONE;
	in.lines.as_they_are = options->diff || options->compat != FG_COMPAT_NONE;
	if (read_lines(&in, reader)) {
		result = FG_INPUT_FAILED;
	} else if (!has_counts(profiles, options)) {
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
