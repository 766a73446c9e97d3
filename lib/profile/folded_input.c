/*
 * Reads folded stacks, finds out if they have two counts, and notes lines that we warn
 * about.
 */
#include "lib/profile/folded_input.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* Bytes kept from the start, to guess what the input is if it has no stacks. */
#define HEAD_MAX 4096

/* Descriptions of ignored lines in messages, for one such line and for several. */
#define NO_COUNT "without a count at its end"
#define NO_COUNTS "without a count at their end"
#define NEGATIVE FG_FOLDED_NEGATIVE " (diff-folded writes two counts)"
#define ONE_COUNT "with one count, although others have two"

struct fg_reader *fg_folded_input_open(const char *const *names, size_t count,
				       struct fg_diag *diag)
{
	struct fg_reader *reader = fg_reader_open(names, count, diag);

	fg_reader_expect_last_newline(reader);
	return reader;
}

void fg_folded_input_init(struct fg_folded_input *in, struct fg_diag *diag,
			  struct fg_unit *unit, fg_folded_input_add *add, void *data)
{
	*in = (struct fg_folded_input){
		.diag = diag, .unit = unit, .add = add, .data = data
	};
}

void fg_folded_input_release(struct fg_folded_input *in)
{
	fg_buf_release(&in->head);
	fg_buf_release(&in->guessed);
	fg_buf_release(&in->no_count.text);
	fg_buf_release(&in->negative.text);
	fg_buf_release(&in->one_count.text);
	fg_buf_release(&in->two_counts.text);
	fg_buf_release(&in->lost.text);
	fg_buf_release(&in->count_first.text);
	fg_buf_release(&in->messages.text);
	fg_buf_release(&in->held);
	free(in->held_at);
	*in = (struct fg_folded_input){ 0 };
}

void fg_noted_lines_add(struct fg_noted_lines *noted, struct fg_str line,
			const struct fg_place *at)
{
	if (noted->count++)
		return;
	noted->at = *at;
	fg_buf_add_visible(&noted->text, line, FG_QUOTED_MAX);
}

static void ignore(struct fg_folded_input *in, struct fg_noted_lines *noted,
		   struct fg_str line, const struct fg_place *at)
{
	struct fg_buf shown = FG_BUF_INIT;

	fg_noted_lines_add(noted, line, at);
	if (in->diag->verbosity < FG_VERBOSE)
		return;
	fg_buf_add_visible(&shown, line, FG_QUOTED_MAX);
	fg_note(in->diag, at, "a line %s: '%s'",
		noted == &in->no_count ? NO_COUNT :
		noted == &in->negative ? FG_FOLDED_NEGATIVE :
					 ONE_COUNT,
		fg_buf_cstr(&shown));
	fg_buf_release(&shown);
}

static int give(struct fg_folded_input *in, struct fg_folded *folded,
		struct fg_str line, const struct fg_place *at)
{
	if (!in->as_they_are && folded->columns < in->columns) {
		ignore(in, &in->one_count, line, at);
		return 0;
	}
	if (!in->as_they_are && folded->columns > in->columns) {
		fg_noted_lines_add(&in->two_counts, line, at);
		fg_folded_join(folded);
	}
	if (folded->lost)
		fg_noted_lines_add(&in->lost, line, at);
	if (folded->count_first)
		fg_noted_lines_add(&in->count_first, line, at);
	in->in_slice = in->slices.width && !in->keep_slices &&
		       fg_slice_cut(&folded->stack, &in->slice);
	fg_folded_tally_stack(&in->tally, folded);
	return in->add(in->data, folded, at);
}

/* Sets the number of columns and passes on the lines that were held back. */
static int decide(struct fg_folded_input *in, unsigned columns)
{
	const struct fg_slice_header slices = in->slices;
	struct fg_str rest = fg_buf_str(&in->held);
	int status = 0;

	in->columns = columns;
	for (size_t i = 0; i < in->held_count && !status; i++) {
		struct fg_str line = fg_str_cut(&rest, '\n');
		struct fg_folded folded;

		fg_folded_parse(line, &folded);
		in->slices = in->held_at[i].slices;
		status = give(in, &folded, line, &in->held_at[i].at);
	}
	in->slices = slices;
	fg_buf_clear(&in->held);
	in->held_count = 0;
	return status;
}

/*
 * Holds back a line with two counts. When there are enough of them, passes them all on.
 */
static int hold(struct fg_folded_input *in, struct fg_str line,
		const struct fg_place *at)
{
	fg_buf_add_str(&in->held, line);
	fg_buf_add_char(&in->held, '\n');
	FG_GROW(in->held_at, in->held_alloc, in->held_count + 1);
	in->held_at[in->held_count++] = (struct fg_folded_held){ *at, in->slices };
	if (in->held_count < FG_FOLDED_INPUT_STACKS &&
	    in->held.len < FG_FOLDED_INPUT_BYTES)
		return 0;
	return decide(in, 2);
}

void fg_folded_input_keep(struct fg_folded_input *in, struct fg_str line)
{
	if (in->head.len < HEAD_MAX) {
		fg_buf_add_str(&in->head, fg_str_before(line, HEAD_MAX));
		fg_buf_add_char(&in->head, '\n');
	}
}

int fg_folded_input_parsed(struct fg_folded_input *in, enum fg_folded_kind kind,
			   struct fg_folded *folded, struct fg_str line,
			   const struct fg_place *at)
{
	if (folded->is_message && !in->keep_messages) {
		fg_noted_lines_add(&in->messages, line, at);
		return 0;
	}
	in->lines += kind != FG_FOLDED_EMPTY;
	if (at->input != in->input) /* slices belong to one file */
		in->slices = (struct fg_slice_header){ .width = 0 };
	in->input = at->input;
	switch (kind) {
	case FG_FOLDED_EMPTY:
		fg_slice_read(&in->slices, line);
		if (in->unit)
			fg_unit_read(in->unit, line);
		return 0;
	case FG_FOLDED_NO_COUNT:
		in->tally.countless += !folded->is_negative;
		in->countless_input = at->input;
		ignore(in, folded->is_negative ? &in->negative : &in->no_count, line,
		       at);
		return 0;
	case FG_FOLDED_TOO_LARGE:
		return fg_error(in->diag, at, "a count exceeds 2^64-1");
	case FG_FOLDED_STACK:
		break;
	}
	if (!in->columns && !in->as_they_are) {
		if (folded->columns == 2)
			return hold(in, line, at);
		if (decide(in, 1))
			return -1;
	}
	return give(in, folded, line, at);
}

int fg_folded_input_line(struct fg_folded_input *in, struct fg_str line,
			 const struct fg_place *at)
{
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line, &folded);

	fg_folded_input_keep(in, line);
	return fg_folded_input_parsed(in, kind, &folded, line, at);
}

/* Returns what the input is, or NULL if that is unknown. */
static const char *guess(struct fg_folded_input *in)
{
	fg_buf_clear(&in->guessed);
	return in->guess && in->guess(fg_buf_str(&in->head), &in->guessed) ?
		       fg_buf_cstr(&in->guessed) :
		       NULL;
}

int fg_folded_input_end(struct fg_folded_input *in)
{
	const struct fg_place at = { in->countless_input ? in->countless_input :
							   in->input,
				     0 };
	const char *refused, *guessed;

	if (in->held_count && decide(in, 2))
		return -1;
	refused = fg_folded_refused(&in->tally);
	if (!refused)
		return 0;
	guessed = guess(in);
	return fg_error(in->diag, &at, "%s", guessed ? guessed : refused);
}

int fg_folded_input_read(struct fg_folded_input *in, struct fg_reader *reader)
{
	struct fg_place at;
	struct fg_str line;
	int status;

	while ((status = fg_reader_line(reader, &line, &at)) > 0)
		if (fg_folded_input_line(in, line, &at))
			return -1;
	return status ? -1 : fg_folded_input_end(in);
}

int fg_folded_input_merge(struct fg_tree *tree, const struct fg_folded *stack,
			  const struct fg_place *at, struct fg_diag *diag)
{
	if (!fg_tree_add(tree, stack))
		return 0;
	return fg_error(diag, at, "the sum of the counts exceeds 2^64-1");
}

void fg_folded_input_restart(struct fg_folded_input *in)
{
	in->columns = 0;
	in->lines = 0;
	in->tally = (struct fg_folded_tally){ 0 };
	fg_buf_clear(&in->head);
}

const char *fg_folded_input_fault(struct fg_folded_input *in)
{
	const char *guessed;

	if (in->tally.stacks)
		return "all counts are 0";
	guessed = guess(in);
	if (guessed)
		return guessed;
	if (!in->lines && in->messages.count)
		return "the input has only messages, which 2>&1 wrote into it";
	if (in->negative.count && !in->tally.countless)
		return "all counts are negative, as in a difference";
	return in->lines ? "no line ends in a count" : "the input is empty";
}

static void warn_of_ignored(const struct fg_folded_input *in,
			    const struct fg_noted_lines *noted, const char *one,
			    const char *several)
{
	struct fg_str text = fg_buf_str(&noted->text);

	if (noted->count == 1)
		fg_warn(in->diag, &noted->at, "ignored 1 line %s: '%.*s'", one,
			(int)text.len, text.ptr);
	else if (noted->count)
		fg_warn(in->diag, &noted->at,
			"ignored %llu lines %s, the first is '%.*s'",
			(unsigned long long)noted->count, several, (int)text.len,
			text.ptr);
}

void fg_folded_warn_of_counts(struct fg_diag *diag, const struct fg_noted_lines *first,
			      const struct fg_noted_lines *lost)
{
	if (first->count)
		fg_warn(diag, &first->at, FG_FOLDED_COUNTS_FIRST);
	if (lost->count)
		fg_warn(diag, &lost->at, FG_FOLDED_LOST,
			(unsigned long long)lost->count, lost->count == 1 ? "" : "s");
}

void fg_folded_warn_of_messages(struct fg_diag *diag,
				const struct fg_noted_lines *messages)
{
	if (messages->count)
		fg_warn(diag, &messages->at,
			"skipped %llu message%s among the stacks, the first is '%.*s': "
			"leave out 2>&1",
			(unsigned long long)messages->count,
			messages->count == 1 ? "" : "s", (int)messages->text.len,
			messages->text.ptr);
}

void fg_folded_input_warn(const struct fg_folded_input *in, const char *hint)
{
	const struct fg_noted_lines *two = &in->two_counts;

	warn_of_ignored(in, &in->no_count, NO_COUNT, NO_COUNTS);
	warn_of_ignored(in, &in->negative, NEGATIVE, NEGATIVE);
	warn_of_ignored(in, &in->one_count, ONE_COUNT, ONE_COUNT);
	if (two->count)
		fg_warn(in->diag, &two->at,
			"%llu line%s two counts, unlike others: the first is taken for "
			"a part of the name, as in '%.*s'%s",
			(unsigned long long)two->count,
			two->count == 1 ? " has" : "s have", (int)two->text.len,
			two->text.ptr, hint);
	fg_folded_warn_of_counts(in->diag, &in->count_first, &in->lost);
	fg_folded_warn_of_messages(in->diag, &in->messages);
}
