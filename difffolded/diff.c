/* Reads two folded profiles into one table and writes both counts of each stack. */
#include "difffolded/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/folded.h"
#include "lib/xalloc.h"

enum { BEFORE, AFTER };

/* A line and where it is, while it is read. */
struct line {
	struct fg_str text;
	struct fg_place at;
	unsigned column;
};

/* What is wrong with a line, and with an input in which no line is better. */
struct fault {
	const char *line;
	const char *input;
};

static const struct fault no_count = { "without a count at its end",
				       "no line ends in a count" };
static const struct fault two_counts = { "with two counts, as of a differential",
					 "this is a differential already" };

void fg_diff_init(struct fg_diff *d, struct fg_diff_options options,
		  struct fg_diag *diag)
{
	memset(d, 0, sizeof(*d));
	d->options = options;
	d->diag = diag;
	fg_intern_init(&d->names);
	fg_counts_init(&d->counts, 2);
}

void fg_diff_release(struct fg_diff *d)
{
	fg_intern_release(&d->names);
	fg_counts_release(&d->counts);
	fg_buf_release(&d->ignored.message);
	fg_buf_release(&d->stripped);
	free(d->frames.ids);
	free(d->frames.ends);
	fg_diff_init(d, d->options, d->diag);
}

static bool is_hex(char c)
{
	return fg_is_lower_hex(c) || (c >= 'A' && c <= 'F');
}

/* `frame` with "..." for the digits after each "0x"; valid until the next call. */
static struct fg_str strip_hex(struct fg_diff *d, struct fg_str frame)
{
	fg_buf_clear(&d->stripped);
	for (;;) {
		size_t digits = fg_str_find(frame, FG_STR("0x")) + 2;
		size_t end = digits;

		while (end < frame.len && is_hex(frame.ptr[end]))
			end++;
		fg_buf_add_str(&d->stripped, fg_str_before(frame, digits));
		if (end > digits)
			fg_buf_add(&d->stripped, "...", 3);
		if (end >= frame.len)
			return fg_buf_str(&d->stripped);
		frame = fg_str_from_pos(frame, end);
	}
}

/* How many frames at the root `stack` shares with the line before it. */
static size_t shared_frames(const struct fg_diff_frames *f, struct fg_str stack)
{
	size_t depth = 0, at = 0;

	while (depth + 1 < f->depth && f->ends[depth] < stack.len &&
	       !memcmp(f->text + at, stack.ptr + at, f->ends[depth] + 1 - at))
		at = f->ends[depth++] + 1;
	return depth;
}

static void set_frames(struct fg_diff *d, struct fg_str stack)
{
	struct fg_diff_frames *f = &d->frames;
	size_t depth = shared_frames(f, stack);
	size_t at = depth ? f->ends[depth - 1] + 1 : 0;

	for (;;) {
		struct fg_str rest = fg_str_from_pos(stack, at);
		struct fg_str frame = fg_str_cut(&rest, ';');

		FG_GROW(f->ids, f->ids_alloc, depth + 1);
		FG_GROW(f->ends, f->ends_alloc, depth + 1);
		at += frame.len;
		f->ends[depth] = at;
		if (d->options.strip_hex)
			frame = strip_hex(d, frame);
		f->ids[depth++] = fg_intern(&d->names, frame);
		if (at++ == stack.len)
			break;
	}
	f->text = stack.ptr;
	f->depth = depth;
}

static void ignore(struct fg_diff *d, const struct line *line,
		   const struct fault *fault)
{
	struct fg_diff_input *input = &d->inputs[line->column];
	struct fg_buf message;

	fg_buf_init(&message);
	fg_buf_addf(&message, "%s: '", fault->line);
	fg_buf_add_visible(&message, line->text, FG_QUOTED_MAX);
	fg_buf_add_char(&message, '\'');
	fg_note(d->diag, &line->at, "a line %s", fg_buf_cstr(&message));
	if (!input->fault)
		input->fault = fault->input;
	if (!d->ignored.lines++) {
		d->ignored.first = line->at;
		d->ignored.message = message;
	} else {
		fg_buf_release(&message);
	}
}

static int read_line(struct fg_diff *d, const struct line *line)
{
	struct fg_diff_input *input = &d->inputs[line->column];
	struct fg_folded folded;
	enum fg_folded_kind kind = fg_folded_parse(line->text, &folded);

	if (kind == FG_FOLDED_EMPTY)
		return 0;
	input->lines++;
	if (kind == FG_FOLDED_TOO_LARGE) {
		fg_error(d->diag, &line->at, "a count exceeds %" PRIu64, UINT64_MAX);
		return -1;
	}
	if (kind == FG_FOLDED_NO_COUNT) {
		ignore(d, line, &no_count);
	} else if (folded.columns == 2) {
		ignore(d, line, &two_counts);
	} else {
		input->stacks++;
		set_frames(d, folded.stack);
		fg_counts_add(&d->counts, d->frames.ids, d->frames.depth, line->column,
			      folded.count[0]);
	}
	return 0;
}

static int read_block(struct fg_diff *d, struct fg_str rest, struct line *line)
{
	d->frames.depth = 0;
	while (rest.len) {
		line->text = fg_str_cut(&rest, '\n');
		line->at.line++;
		if (read_line(d, line))
			return -1;
	}
	return 0;
}

int fg_diff_read(struct fg_diff *d, struct fg_reader *r, const char *name,
		 unsigned column)
{
	struct fg_diff_input *input = &d->inputs[column];
	struct line line = { .at = { name, 0 }, .column = column };
	const char *guess = NULL;
	struct fg_block block;
	int status;

	input->name = name;
	while ((status = fg_reader_block(r, &block)) > 0) {
		if (read_block(d, block.bytes, &line))
			return -1;
		if (block.first && !input->stacks)
			guess = fg_folded_guess(block.bytes);
	}
	if (status < 0 || !input->lines || input->stacks)
		return status;
	line.at.line = 0;
	fg_error(d->diag, &line.at, "no folded stacks: %s",
		 guess ? guess : input->fault);
	return -1;
}

/* A profile without a line is all zeros, unless the other has none either. */
static int check_inputs(struct fg_diff *d)
{
	for (unsigned column = BEFORE; column <= AFTER; column++) {
		struct fg_place at = { d->inputs[column].name, 0 };

		if (d->inputs[column].lines)
			continue;
		if (!d->inputs[1 - column].lines) {
			fg_error(d->diag, NULL,
				 "both inputs are empty: did what wrote them fail?");
			return -1;
		}
		fg_warn(d->diag, &at, "the input is empty: all its counts are 0");
	}
	return 0;
}

static void warn_of_ignored(struct fg_diff *d)
{
	struct fg_diff_ignored *ignored = &d->ignored;

	if (ignored->lines == 1)
		fg_warn(d->diag, &ignored->first, "ignored a line %s",
			fg_buf_cstr(&ignored->message));
	else if (ignored->lines)
		fg_warn(d->diag, &ignored->first,
			"ignored %" PRIu64 " lines, first one %s", ignored->lines,
			fg_buf_cstr(&ignored->message));
}

static void normalize(struct fg_diff *d)
{
	for (unsigned column = BEFORE; column <= AFTER; column++) {
		struct fg_place at = { d->inputs[column].name, 0 };

		if (fg_sum_is_zero(fg_counts_total(&d->counts, column)))
			fg_warn(d->diag, &at, "the total is 0: %s",
				column == BEFORE ?
					"it cannot be normalized" :
					"normalized to it, all counts are 0");
	}
	fg_counts_normalize(&d->counts);
}

int fg_diff_write(struct fg_diff *d, struct fg_out *out)
{
	struct fg_counts_format format = { .style = FG_COUNTS_EXACT };

	if (check_inputs(d))
		return -1;
	if (d->options.normalize)
		normalize(d);
	fg_counts_write(&d->counts, &d->names, &format, out);
	warn_of_ignored(d);
	return 0;
}
