/* Reads a folded profile into its column, and adds up the counts of each stack. */
#include "difffolded/diff.h"

#include <inttypes.h>
#include <stdlib.h>

#include "difffolded/sections.h"
#include "lib/base/address.h"
#include "lib/profile/filter.h"
#include "lib/profile/folded.h"
#include "lib/profile/slice.h"
#include "lib/base/sort.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "lib/recognize/recognize.h"

/*
 * The pile may grow to this many bytes plus a third of the size of the merged stacks.
 * So the work for each line does not grow with the profile.
 */
#define PILE_MIN ((size_t)2 << 20)

/* A line while it is read, with its place and the state of its input. */
struct line {
	struct fg_str text;
	struct fg_place at;
	unsigned column;
	struct fg_diff *to; /* the comparison of the current section; NULL at first */
	uint64_t lines; /* number of lines that are not empty */
	struct fg_folded_tally tally; /* counts the lines that have a stack */
	/* from header lines; with a width, the frames of slices are cut off */
	struct fg_slice_header slices;
	/* why the first of the ignored lines was not counted, or NULL */
	const char *fault;
};

/*
 * The message for a line with a fault, and for an input that has no stack because its
 * lines have that fault.
 */
struct fault {
	const char *line;
	const char *input;
};

static const struct fault no_count = { "without a count at its end",
				       "no line ends in a count" };
static const struct fault negative = { FG_FOLDED_NEGATIVE,
				       "all counts are negative, as in a difference" };
static const struct fault two_counts = { "with two counts, like in a differential "
					 "profile",
					 "this is a differential profile already" };

/* Returns `stack` without its addresses, valid until the next call. */
static struct fg_str strip_hex(struct fg_diff *d, struct fg_str stack)
{
	fg_buf_clear(&d->stripped);
	fg_add_without_hex(&d->stripped, stack);
	return fg_buf_str(&d->stripped);
}

/*
 * Returns `stack` without the frames of --ignore-root, under --root. Valid until the
 * next call.
 */
static struct fg_str under_root(struct fg_diff *d, struct fg_str stack, unsigned column)
{
	const char *root = d->options.root;
	bool was_empty = !stack.len;

	for (uint64_t i = 0; i < d->options.ignore_root[column] && stack.len; i++)
		fg_str_cut(&stack, ';');
	if (!root)
		return stack.len || was_empty ? stack : FG_STR(FG_FILTER_OTHER);
	fg_buf_clear(&d->rooted);
	fg_buf_add_str(&d->rooted, fg_str_from(root));
	if (stack.len) {
		fg_buf_add_char(&d->rooted, ';');
		fg_buf_add_str(&d->rooted, stack);
	}
	return fg_buf_str(&d->rooted);
}

/* A line out of order. Its stack is in the pile's text. */
struct fg_diff_pile_line {
	size_t start, len;
	unsigned column;
	struct fg_count count;
};

static struct fg_stack_count stack_on_pile(const struct fg_diff_pile *p, size_t i)
{
	const struct fg_diff_pile_line *line = &p->lines[i];

	struct fg_str rest = fg_str_from_pos(fg_buf_str(&p->text), line->start);

	return (struct fg_stack_count){ fg_str_before(rest, line->len), line->column,
					line->count };
}

static int compare_lines(const void *context, uint32_t a, uint32_t b)
{
	return fg_str_cmp(stack_on_pile(context, a).stack,
			  stack_on_pile(context, b).stack);
}

/* Sorts the pile, merges it like one more profile, and empties it. */
static void merge_pile(struct fg_diff *d)
{
	struct fg_diff_pile *pile = &d->pile;
	uint32_t *order = fg_xcalloc(pile->count, sizeof(*order));

	for (uint32_t i = 0; i < pile->count; i++)
		order[i] = i;
	fg_sort(order, pile->count, compare_lines, pile);
	fg_merge_finish(&d->merge);
	fg_merge_restart(&d->merge);
	for (size_t i = 0; i < pile->count; i++) {
		const struct fg_stack_count s = stack_on_pile(pile, order[i]);

		fg_merge_add(&d->merge, &s, fg_merge_shared(&d->merge, s.stack));
	}
	free(order);
	fg_buf_clear(&pile->text);
	pile->count = 0;
	d->piles = false;
}

static void put_on_pile(struct fg_diff *d, const struct fg_stack_count *s)
{
	struct fg_diff_pile *pile = &d->pile;
	size_t merged = d->merge.merged.size + d->merge.rest.size;

	FG_GROW(pile->lines, pile->alloc, pile->count + 1);
	pile->lines[pile->count++] =
		(struct fg_diff_pile_line){ pile->text.len, s->stack.len, s->column,
					    s->count };
	fg_buf_add_str(&pile->text, s->stack);
	if (pile->text.len + pile->count * sizeof(*pile->lines) > PILE_MIN + merged / 3)
		merge_pile(d);
}

static void add_to_total(struct fg_diff *d, unsigned column, struct fg_count n)
{
	struct fg_sum sum = { n.digits, 0 };

	for (; d->decimals < n.decimals; d->decimals++)
		for (unsigned i = FG_BEFORE; i <= FG_AFTER; i++)
			d->totals[i] = fg_sum_mul(d->totals[i], 10);
	if (d->decimals > n.decimals)
		sum = fg_sum_mul(sum, fg_pow10(d->decimals - n.decimals));
	fg_sum_add_sum(&d->totals[column], sum);
}

/*
 * Makes control bytes in a stack visible. Does not check the part that the stack shares
 * with the newest one, which is visible already. Returns the length of the shared part.
 */
static size_t make_visible(struct fg_diff *d, struct fg_stack_count *s)
{
	size_t shared = fg_merge_shared(&d->merge, s->stack);

	if (fg_is_visible(fg_utf8_part(s->stack, shared)))
		return shared;
	s->stack = fg_visible(s->stack, &d->shown);
	return fg_merge_shared(&d->merge, s->stack);
}

/*
 * Returns `stack`, with a ';' at its end if its line would be read as a comment: a
 * stack like "# x", after its first frames were left out. Valid until the next call.
 */
static struct fg_str closed(struct fg_diff *d, struct fg_str stack)
{
	if (d->options.compat != FG_COMPAT_NONE || !fg_folded_is_comment(stack))
		return stack;
	fg_buf_clear(&d->closed);
	fg_buf_add_str(&d->closed, stack);
	fg_buf_add_char(&d->closed, ';');
	return fg_buf_str(&d->closed);
}

static void add_stack(struct fg_diff *d, struct fg_stack_count *s)
{
	size_t shared;

	add_to_total(d, s->column, s->count);
	if (d->options.strip_hex)
		s->stack = strip_hex(d, s->stack);
	if (d->options.ignore_root[s->column] || d->options.root)
		s->stack = under_root(d, s->stack, s->column);
	s->stack = closed(d, s->stack);
	shared = make_visible(d, s);
	if (d->piles || fg_merge_add(&d->merge, s, shared))
		put_on_pile(d, s);
}

static void ignore(struct fg_diff *d, struct line *line, const struct fault *fault)
{
	struct fg_buf message = FG_BUF_INIT;

	fg_buf_addf(&message, "%s: '", fault->line);
	fg_buf_add_visible(&message, line->text, FG_QUOTED_MAX);
	fg_buf_add_char(&message, '\'');
	fg_note(d->diag, &line->at, "a line %s", fg_buf_cstr(&message));
	if (!line->fault)
		line->fault = fault->input;
	if (!d->ignored.lines++) {
		d->ignored.first = line->at;
		d->ignored.message = message;
	} else {
		fg_buf_release(&message);
	}
}

/* Cuts a count to a whole number, like inferno. */
static struct fg_count whole(struct fg_diff *d, struct fg_count count)
{
	uint64_t unit = fg_pow10(count.decimals);

	d->cut |= count.digits % unit != 0;
	return (struct fg_count){ count.digits / unit, 0 };
}

static int read_line(struct fg_diff *d, struct line *line)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line->text, &folded);
	uint64_t unused;

	if (folded.is_message && d->options.compat == FG_COMPAT_NONE) {
		fg_noted_lines_add(&d->messages, line->text, &line->at);
		return 0;
	}
	if (kind == FG_FOLDED_EMPTY) {
		if (d->options.compat == FG_COMPAT_NONE) {
			fg_sections_line(&d->sections[line->column], line->text);
			fg_slice_read(&line->slices, line->text);
		}
		return 0;
	}
	line->lines++;
	if (kind == FG_FOLDED_TOO_LARGE)
		return fg_error(d->diag, &line->at, "a count exceeds %" PRIu64,
				UINT64_MAX);
	if (kind == FG_FOLDED_NO_COUNT) {
		line->tally.countless += !folded.is_negative;
		ignore(d, line, folded.is_negative ? &negative : &no_count);
	} else if (folded.columns == 2) {
		ignore(d, line, &two_counts);
	} else {
		struct fg_stack_count s = { folded.stack, line->column,
					    folded.count[0] };

		if (line->slices.width)
			fg_slice_cut(&s.stack, &unused);
		fg_folded_tally_stack(&line->tally, &folded);
		if (d->options.compat == FG_COMPAT_INFERNO)
			s.count = whole(d, s.count);
		if (folded.lost && !d->lost.count++)
			d->lost.at = line->at;
		if (folded.count_first && !d->count_first.count++)
			d->count_first.at = line->at;
		if (!line->to || d->sections[line->column].has_header)
			line->to = fg_diff_turn(d, line->column, &line->at);
		if (!line->to)
			return -1;
		add_stack(line->to, &s);
	}
	return 0;
}

static int read_block(struct fg_diff *d, struct fg_str rest, struct line *line)
{
	while (rest.len) {
		line->text = fg_utf8_skip_mark(fg_str_cut(&rest, '\n'));
		line->at.line++;
		if (read_line(d, line))
			return -1;
	}
	return 0;
}

/*
 * Checks that an input had stacks. Returns 0, or -1 after reporting what it had
 * instead. `first_bytes` is the start of the input.
 */
static int check_stacks(const struct fg_diff *d, const struct line *line,
			struct fg_str first_bytes)
{
	const struct fg_place at = { line->at.input, 0 };
	const char *refused = fg_folded_refused(&line->tally);
	struct fg_buf why = FG_BUF_INIT;
	int status;

	if (line->tally.stacks && !refused)
		return 0;
	if (!fg_recognize_guess(first_bytes, &why))
		fg_buf_addf(&why, "%s", refused ? refused : line->fault);
	status = fg_error(d->diag, &at, "%s%s",
			  refused ? "" : "no folded stacks: ", fg_buf_cstr(&why));
	fg_buf_release(&why);
	return status;
}

int fg_diff_read(struct fg_diff *d, struct fg_reader *r, const char *name,
		 unsigned column)
{
	struct fg_diff_input *input = &d->inputs[column];
	struct line line = { .at = { name, 0 }, .column = column };
	struct fg_buf first_bytes = FG_BUF_INIT;
	struct fg_block block;
	int status;

	if (!input->profiles)
		input->name = name;
	fg_diff_sections_start(d, column);
	while ((status = fg_reader_block(r, &block)) > 0) {
		if (block.first)
			fg_buf_add_str(&first_bytes, block.bytes);
		if (read_block(d, block.bytes, &line)) {
			fg_buf_release(&first_bytes);
			return -1;
		}
	}
	fg_diff_sections_end(d, column);
	input->lines += line.lines;
	if (!line.lines && !input->empty)
		input->empty = name;
	if (status == 0 && line.lines)
		status = check_stacks(d, &line, fg_buf_str(&first_bytes));
	fg_buf_release(&first_bytes);
	return status;
}

void fg_diff_merge_pile(struct fg_diff *d)
{
	if (d->pile.count)
		merge_pile(d);
	fg_merge_finish(&d->merge);
}
