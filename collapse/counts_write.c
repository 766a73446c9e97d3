/* Lines of folded stacks, sorted, or in the order that steps have. */
#include "collapse/counts_write.h"

#include <stdlib.h>

#include "lib/profile/folded.h"

/*
 * A line that is longer is written in pieces: names that are long and frames that are
 * many make one that is many times as long as the profile.
 */
#define PIECE ((size_t)1 << 20)

/* Writes lines one after the other; text that they share is kept. */
struct line {
	const struct fg_intern *names;
	const struct fg_counts_format *format;
	struct fg_out *out;
	struct fg_buf text;
	struct fg_str first_frame; /* that all lines have, or empty */
	size_t start; /* of the stack, behind that */
	size_t *ends; /* of each frame in the text */
	size_t ends_alloc;
	const struct fg_counts_entry *entry; /* whose text it is; NULL at first */
	bool in_pieces; /* the text is the end of a line whose start is written */
	size_t written;
};

static void start_line(struct line *line)
{
	fg_buf_clear(&line->text);
	fg_buf_add_str(&line->text, line->first_frame);
	if (line->first_frame.len)
		fg_buf_add_char(&line->text, ';');
	line->start = line->text.len;
	line->entry = NULL;
	line->in_pieces = false;
}

static void write_piece(struct line *line)
{
	fg_out_add_str(line->out, fg_buf_str(&line->text));
	fg_buf_clear(&line->text);
	line->in_pieces = true;
}

static void set_line(struct line *line, const struct fg_counts_entry *entry)
{
	size_t common = 0;

	if (line->entry)
		while (common < entry->depth && common < line->entry->depth &&
		       entry->ids[common] == line->entry->ids[common])
			common++;
	FG_GROW(line->ends, line->ends_alloc, entry->depth);
	line->text.len = common ? line->ends[common - 1] : line->start;
	for (size_t i = common; i < entry->depth; i++) {
		if (i)
			fg_buf_add_char(&line->text, ';');
		fg_buf_add_str(&line->text, fg_intern_name(line->names, entry->ids[i]));
		line->ends[i] = line->text.len;
		if (line->text.len >= PIECE && !line->format->keep)
			write_piece(line);
	}
	line->entry = entry;
}

struct fg_sum fg_counts_round(struct fg_sum sum, unsigned decimals)
{
	uint64_t unit = fg_pow10(decimals);

	fg_sum_add(&sum, unit / 2);
	return fg_sum_div(sum, unit, NULL);
}

static void add_sum(struct fg_buf *b, struct fg_sum sum,
		    const struct fg_counts_format *format)
{
	fg_buf_add_char(b, ' ');
	if (format->style == FG_COUNTS_PERL && sum.high)
		fg_buf_addf(b, "%.15g", fg_sum_double(sum));
	else
		fg_buf_add_sum(b, sum, format->whole ? 0 : format->decimals);
}

/* Writes the line of `entry` with `sum`, where the format has one for it. */
static void write_line(struct line *line, const struct fg_counts_entry *entry,
		       struct fg_sum sum)
{
	const struct fg_counts_format *format = line->format;
	size_t end;

	if (format->whole && format->decimals) {
		sum = fg_counts_round(sum, format->decimals);
		if (fg_sum_is_zero(sum))
			return;
	}
	set_line(line, entry);
	if (format->keep &&
	    !format->keep(format->data,
			  fg_str_from_pos(fg_buf_str(&line->text), line->start)))
		return;
	end = line->text.len;
	if (format->style != FG_COUNTS_PERL && entry->depth &&
	    fg_folded_needs_semicolon(
		    fg_intern_name(line->names, entry->ids[entry->depth - 1]),
		    entry->depth == 1))
		fg_buf_add_char(&line->text, ';');
	add_sum(&line->text, sum, format);
	fg_buf_add_char(&line->text, '\n');
	fg_out_add_str(line->out, fg_buf_str(&line->text));
	line->text.len = end;
	if (line->in_pieces)
		start_line(line);
	line->written++;
}

static size_t end_lines(struct line *line)
{
	fg_buf_release(&line->text);
	free(line->ends);
	return line->written;
}

size_t fg_counts_write(const struct fg_counts *c, const struct fg_intern *names,
		       const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { .names = names, .format = format, .out = out };
	struct fg_counts_order *order = fg_counts_order_open(c, names, format->style);
	const struct fg_counts_entry *entry;

	while ((entry = fg_counts_order_next(order)))
		write_line(&line, entry, entry->sum);
	fg_counts_order_close(order);
	return end_lines(&line);
}

size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { .names = names, .format = format, .out = out };

	line.first_frame = steps->first_frame;
	start_line(&line);
	for (size_t i = 0; i < steps->count; i++) {
		const struct fg_counts_step *step = &steps->items[i];

		write_line(&line, &steps->counts->entries[step->entry], step->sum);
	}
	return end_lines(&line);
}
