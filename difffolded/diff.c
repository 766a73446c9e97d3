/* Reads two folded profiles and writes both counts of each stack. */
#include "difffolded/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/address.h"
#include "lib/filter.h"
#include "lib/folded.h"
#include "lib/sort.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"

/*
 * Lines out of order are put aside until they take this many bytes plus a third of what
 * is merged already, so that the work for a line does not grow with the profile.
 */
#define PILE_MIN ((size_t)2 << 20)

/* A mean has so many decimals more than the counts. */
#define MEAN_DECIMALS 3

enum { BEFORE, AFTER };

/* A line and where it is, while it is read, and what came before it. */
struct line {
	struct fg_str text;
	struct fg_place at;
	unsigned column;
	uint64_t lines; /* that are not empty */
	uint64_t stacks; /* of them, those that were counted */
	const char *fault; /* what the first of the others has; NULL without any */
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
}

void fg_diff_release(struct fg_diff *d)
{
	fg_merge_release(&d->merge);
	free(d->pile.lines);
	fg_buf_release(&d->pile.text);
	fg_buf_release(&d->ignored.message);
	fg_buf_release(&d->stripped);
	fg_buf_release(&d->rooted);
	fg_unit_release(&d->units[0]);
	fg_unit_release(&d->units[1]);
	fg_diff_init(d, d->options, d->diag);
}

/* `stack` without its addresses; valid until the next call. */
static struct fg_str strip_hex(struct fg_diff *d, struct fg_str stack)
{
	fg_buf_clear(&d->stripped);
	fg_add_without_hex(&d->stripped, stack);
	return fg_buf_str(&d->stripped);
}

/* `stack` without the frames of --ignore-root, under --root; until the next call. */
static struct fg_str under_root(struct fg_diff *d, struct fg_str stack)
{
	const char *root = d->options.root;
	bool was_empty = !stack.len;

	for (uint64_t i = 0; i < d->options.ignore_root && stack.len; i++)
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

/* A line that was out of order; its stack's bytes are in the pile's text. */
struct fg_diff_aside {
	size_t start, len;
	unsigned column;
	struct fg_count count;
};

static struct fg_stack_count line_aside(const struct fg_diff_pile *p, size_t i)
{
	const struct fg_diff_aside *line = &p->lines[i];

	return (struct fg_stack_count){ fg_str_of(p->text.ptr + line->start, line->len),
					line->column, line->count };
}

static int compare_lines(const void *context, uint32_t a, uint32_t b)
{
	return fg_str_cmp(line_aside(context, a).stack, line_aside(context, b).stack);
}

/* Adds what was put aside, sorted, as a profile of its own. */
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
		const struct fg_stack_count s = line_aside(pile, order[i]);

		fg_merge_add(&d->merge, &s);
	}
	free(order);
	fg_buf_clear(&pile->text);
	pile->count = 0;
}

static void put_aside(struct fg_diff *d, const struct fg_stack_count *s)
{
	struct fg_diff_pile *pile = &d->pile;
	size_t merged = d->merge.merged.size + d->merge.rest.size;

	FG_GROW(pile->lines, pile->alloc, pile->count + 1);
	pile->lines[pile->count++] =
		(struct fg_diff_aside){ pile->text.len, s->stack.len, s->column,
					s->count };
	fg_buf_add_str(&pile->text, s->stack);
	if (pile->text.len + pile->count * sizeof(*pile->lines) > PILE_MIN + merged / 3)
		merge_pile(d);
}

static void add_to_total(struct fg_diff *d, unsigned column, struct fg_count n)
{
	struct fg_sum sum = { n.digits, 0 };

	for (; d->decimals < n.decimals; d->decimals++)
		for (unsigned i = BEFORE; i <= AFTER; i++)
			d->totals[i] = fg_sum_mul(d->totals[i], 10);
	if (d->decimals > n.decimals)
		sum = fg_sum_mul(sum, fg_pow10(d->decimals - n.decimals));
	fg_sum_add_sum(&d->totals[column], sum);
}

static void add_stack(struct fg_diff *d, struct fg_stack_count *s)
{
	add_to_total(d, s->column, s->count);
	if (d->options.strip_hex)
		s->stack = strip_hex(d, s->stack);
	if (d->options.ignore_root || d->options.root)
		s->stack = under_root(d, s->stack);
	if (fg_merge_add(&d->merge, s))
		put_aside(d, s);
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

/* As inferno counts. */
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

	if (kind == FG_FOLDED_EMPTY) {
		fg_unit_read(&d->units[line->column], line->text);
		return 0;
	}
	line->lines++;
	if (kind == FG_FOLDED_TOO_LARGE)
		return fg_error(d->diag, &line->at, "a count exceeds %" PRIu64,
				UINT64_MAX);
	if (kind == FG_FOLDED_NO_COUNT) {
		ignore(d, line, &no_count);
	} else if (folded.columns == 2) {
		ignore(d, line, &two_counts);
	} else {
		struct fg_stack_count s = { folded.stack, line->column,
					    folded.count[0] };

		line->stacks++;
		if (d->options.compat == FG_COMPAT_INFERNO)
			s.count = whole(d, s.count);
		if (folded.lost && !d->lost++)
			d->lost_at = line->at;
		if (folded.count_first && !d->counts_first_at.line)
			d->counts_first_at = line->at;
		add_stack(d, &s);
	}
	return 0;
}

static int read_block(struct fg_diff *d, struct fg_str rest, struct line *line)
{
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

	if (!input->profiles++)
		input->name = name;
	fg_merge_restart(&d->merge);
	while ((status = fg_reader_block(r, &block)) > 0) {
		struct fg_str bytes = block.bytes;

		if (block.first)
			bytes = fg_utf8_skip_mark(bytes);
		if (read_block(d, bytes, &line))
			return -1;
		if (block.first && !line.stacks)
			guess = fg_folded_guess(block.bytes);
	}
	fg_merge_finish(&d->merge);
	input->lines += line.lines;
	if (!line.lines && !input->empty)
		input->empty = name;
	if (status < 0 || !line.lines || line.stacks)
		return status;
	line.at.line = 0;
	return fg_error(d->diag, &line.at, "no folded stacks: %s",
			guess ? guess : line.fault);
}

/* A profile without a line is all zeros, unless the other has none either. */
static int check_inputs(struct fg_diff *d)
{
	for (unsigned column = BEFORE; column <= AFTER; column++) {
		struct fg_place at = { d->inputs[column].empty, 0 };

		if (!d->inputs[column].empty)
			continue;
		if (!d->inputs[column].lines && !d->inputs[1 - column].lines)
			return fg_error(
				d->diag, NULL,
				"both inputs are empty: did what wrote them fail?");
		fg_warn(d->diag, &at, "the input is empty: all its counts are 0");
	}
	return 0;
}

static void warn_of_ignored(struct fg_diff *d)
{
	struct fg_diff_ignored *ignored = &d->ignored;

	if (d->cut)
		fg_warn(d->diag, NULL, "counts were cut to whole numbers");
	if (d->counts_first_at.line)
		fg_warn(d->diag, &d->counts_first_at, FG_FOLDED_COUNTS_FIRST);
	if (d->lost)
		fg_warn(d->diag, &d->lost_at, FG_FOLDED_LOST,
			(unsigned long long)d->lost, d->lost == 1 ? "" : "s");
	if (ignored->lines == 1)
		fg_warn(d->diag, &ignored->first, "ignored 1 line %s",
			fg_buf_cstr(&ignored->message));
	else if (ignored->lines)
		fg_warn(d->diag, &ignored->first,
			"ignored %" PRIu64 " lines, the first %s", ignored->lines,
			fg_buf_cstr(&ignored->message));
}

static void warn_of_zeros(struct fg_diff *d)
{
	for (unsigned column = BEFORE; column <= AFTER; column++) {
		struct fg_place at = { d->inputs[column].name, 0 };

		if (fg_sum_is_zero(d->totals[column]))
			fg_warn(d->diag, &at, "the total is 0: %s",
				column == BEFORE ?
					"it cannot be normalized" :
					"normalized to it, all counts are 0");
	}
}

/* Where nothing is in both, all that is drawn has grown or is gone. */
static void warn_of_strangers(struct fg_diff *d)
{
	if (!d->common && !fg_sum_is_zero(d->totals[BEFORE]) &&
	    !fg_sum_is_zero(d->totals[AFTER]))
		fg_warn(d->diag, NULL, "no stack is in both%s",
			d->options.ignore_root ?
				"" :
				": do the comms differ? --ignore-root 1");
}

static bool is_scaled(const struct fg_diff *d)
{
	const struct fg_sum *totals = d->totals;

	return d->options.normalize && !fg_sum_is_zero(totals[BEFORE]) &&
	       (totals[BEFORE].low != totals[AFTER].low ||
		totals[BEFORE].high != totals[AFTER].high ||
		d->inputs[BEFORE].profiles != d->inputs[AFTER].profiles);
}

/* How many decimals the mean of a column has more than the counts it is of. */
static unsigned more_decimals(const struct fg_diff *d, unsigned column)
{
	return d->inputs[column].profiles > 1 ? MEAN_DECIMALS : 0;
}

static struct fg_sum divided(struct fg_sum sum, uint64_t by)
{
	fg_sum_add(&sum, by / 2); /* half up */
	return fg_sum_div(sum, by, NULL);
}

/* What was there is never 0. */
static struct fg_sum at_least_one(struct fg_sum sum, struct fg_sum was)
{
	return fg_sum_is_zero(sum) && !fg_sum_is_zero(was) ? (struct fg_sum){ 1, 0 } :
							     sum;
}

/* The mean of a column's profiles, in units of 10^-(d->decimals + more_decimals). */
static struct fg_sum mean(const struct fg_diff *d, unsigned column, struct fg_sum sum)
{
	uint64_t profiles = d->inputs[column].profiles;

	if (profiles < 2)
		return sum;
	return at_least_one(divided(fg_sum_mul(sum, fg_pow10(MEAN_DECIMALS)), profiles),
			    sum);
}

/*
 * The count before, as much of the total after as it is of the total before, in whole
 * numbers. Of how many profiles the total before is the mean makes no difference.
 */
static struct fg_sum normalized(const struct fg_diff *d, struct fg_sum sum)
{
	struct fg_sum share = fg_sum_share(d->totals[AFTER], sum, d->totals[BEFORE]);

	share = fg_sum_div(share, fg_pow10(d->decimals), NULL);
	share = fg_sum_div(share, d->inputs[AFTER].profiles, NULL);
	if (d->options.compat != FG_COMPAT_NONE || fg_sum_is_zero(d->totals[AFTER]))
		return share;
	return at_least_one(share, sum);
}

static void write_lines(struct fg_diff *d, struct fg_out *out)
{
	struct fg_run *run = &d->merge.merged;
	struct fg_buf line = FG_BUF_INIT;
	struct fg_run_entry *entry;
	bool scaled = is_scaled(d);

	for (; (entry = fg_run_front(run)); fg_run_pop(run)) {
		const struct fg_sum *sums = entry->sums;

		d->common +=
			!fg_sum_is_zero(sums[BEFORE]) && !fg_sum_is_zero(sums[AFTER]);
		line.len = entry->shared;
		fg_buf_add(&line, entry->rest, entry->len);
		fg_buf_add_char(&line, ' ');
		if (scaled)
			fg_buf_add_sum(&line, normalized(d, sums[BEFORE]), 0);
		else
			fg_buf_add_sum(&line, mean(d, BEFORE, sums[BEFORE]),
				       d->decimals + more_decimals(d, BEFORE));
		fg_buf_add_char(&line, ' ');
		fg_buf_add_sum(&line, mean(d, AFTER, sums[AFTER]),
			       d->decimals + more_decimals(d, AFTER));
		fg_buf_add_char(&line, '\n');
		fg_out_add_str(out, fg_buf_str(&line));
	}
	fg_buf_release(&line);
}

/* Where both profiles say the same. */
static void write_common(const char *key, const struct fg_buf *before,
			 const struct fg_buf *after, struct fg_out *out)
{
	if (!before->len || !fg_str_eq(fg_buf_str(before), fg_buf_str(after)))
		return;
	fg_out_addf(out, "# %s: ", key);
	fg_out_add_str(out, fg_buf_str(before));
	fg_out_add_char(out, '\n');
}

/*
 * The header lines of folded(5). What a sample counts is not known of counts that were
 * scaled.
 */
static void write_header(const struct fg_diff *d, struct fg_out *out)
{
	const struct fg_unit *before = &d->units[0], *after = &d->units[1];

	if (d->options.compat != FG_COMPAT_NONE)
		return;
	write_common("event", &before->event, &after->event, out);
	write_common("unit", &before->unit, &after->unit, out);
	if (d->options.normalize || d->inputs[0].profiles != 1 ||
	    d->inputs[1].profiles != 1 || !before->sample_weight.len ||
	    !after->sample_weight.len)
		return;
	fg_out_add_str(out, FG_STR("# sample-weight: "));
	fg_out_add_str(out, fg_buf_str(&before->sample_weight));
	fg_out_add_char(out, ' ');
	fg_out_add_str(out, fg_buf_str(&after->sample_weight));
	fg_out_add_char(out, '\n');
}

int fg_diff_write(struct fg_diff *d, struct fg_out *out)
{
	if (check_inputs(d))
		return -1;
	if (d->options.normalize)
		warn_of_zeros(d);
	if (d->pile.count)
		merge_pile(d);
	fg_merge_finish(&d->merge);
	write_header(d, out);
	write_lines(d, out);
	if (!out->error)
		warn_of_strangers(d);
	warn_of_ignored(d);
	return 0;
}
