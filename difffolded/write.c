/* Writes a differential profile: its header lines, then both counts of each stack. */
#include "difffolded/diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "difffolded/sections.h"
#include "lib/profile/folded.h"
#include "lib/profile/quality.h"
#include "lib/profile/sample_weight.h"

/* A mean has this many decimals more than the counts. */
#define MEAN_DECIMALS 3

/* Returns true if the counts before are scaled to the total after. */
static bool is_scaled(const struct fg_diff *d)
{
	const struct fg_sum *totals = d->totals;

	return d->options.normalize && !fg_sum_is_zero(totals[FG_BEFORE]) &&
	       (totals[FG_BEFORE].low != totals[FG_AFTER].low ||
		totals[FG_BEFORE].high != totals[FG_AFTER].high ||
		d->inputs[FG_BEFORE].profiles != d->inputs[FG_AFTER].profiles);
}

/* ---- means of several profiles */

/* Returns how many decimals more the mean of a column has than its counts. */
static unsigned more_decimals(const struct fg_diff *d, unsigned column)
{
	return d->inputs[column].profiles > 1 ? MEAN_DECIMALS : 0;
}

static struct fg_sum divided(struct fg_sum sum, uint64_t by)
{
	fg_sum_add(&sum, by / 2); /* round half up */
	return fg_sum_div(sum, by, NULL);
}

/* Returns `sum`, but at least 1 if `was`, the sum before it was divided, is not 0. */
static struct fg_sum at_least_one(struct fg_sum sum, struct fg_sum was)
{
	return fg_sum_is_zero(sum) && !fg_sum_is_zero(was) ? (struct fg_sum){ 1, 0 } :
							     sum;
}

/*
 * Returns the mean of a column's profiles, in units of 10^-(d->decimals +
 * more_decimals).
 */
static struct fg_sum mean(const struct fg_diff *d, unsigned column, struct fg_sum sum)
{
	uint64_t profiles = d->inputs[column].profiles;

	if (profiles < 2)
		return sum;
	return at_least_one(divided(fg_sum_mul(sum, fg_pow10(MEAN_DECIMALS)), profiles),
			    sum);
}

/* ---- header lines */

/* Writes a header line if both profiles agree on it. */
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
 * Returns the weight of a sample in a column, or 0 if one of its profiles does not
 * state it.
 */
static double sample_weight(const struct fg_diff *d, unsigned column)
{
	double of[2];

	if (d->inputs[column].weighed < d->inputs[column].profiles ||
	    fg_sample_weight_parse(fg_buf_str(&d->units[column].sample_weight), of) ||
	    of[0] < of[1] || of[0] > of[1])
		return 0;
	return of[0];
}

/* Returns the total of a column as the mean of its profiles. */
static double mean_total(const struct fg_diff *d, unsigned column)
{
	return fg_sum_double(d->totals[column]) / (double)d->inputs[column].profiles;
}

/*
 * Writes the weights of samples, scaled like the counts. They are chosen so that the
 * number of samples is that of all profiles of a column together, because that number
 * decides what is noise.
 */
static void write_weights(const struct fg_diff *d, struct fg_out *out)
{
	bool scaled = is_scaled(d);
	double weights[2];

	for (unsigned i = FG_BEFORE; i <= FG_AFTER; i++) {
		double samples = fg_sum_double(d->totals[i]) / sample_weight(d, i);

		weights[i] = mean_total(d, scaled ? FG_AFTER : i) / samples;
		if (!isfinite(weights[i]) || !(weights[i] > 0))
			return;
	}
	fg_out_addf(out, "# sample-weight: %.15g %.15g\n", weights[FG_BEFORE],
		    weights[FG_AFTER]);
}

/* Returns true if the counts, and so the weights, are unchanged. */
static bool is_as_read(const struct fg_diff *d)
{
	return !is_scaled(d) && d->inputs[FG_BEFORE].profiles == 1 &&
	       d->inputs[FG_AFTER].profiles == 1;
}

/*
 * Writes the recorded totals if the counts are scaled and do not show them any more.
 * For several profiles of a column, this is the mean.
 */
static void write_totals(const struct fg_diff *d, struct fg_out *out)
{
	struct fg_buf line = FG_BUF_INIT;

	if (!is_scaled(d) || fg_sum_is_zero(d->totals[FG_AFTER]))
		return;
	fg_buf_add_str(&line, FG_STR("# totals: before="));
	fg_buf_add_sum(&line, mean(d, FG_BEFORE, d->totals[FG_BEFORE]),
		       d->decimals + more_decimals(d, FG_BEFORE));
	fg_buf_add_str(&line, FG_STR(" after="));
	fg_buf_add_sum(&line, mean(d, FG_AFTER, d->totals[FG_AFTER]),
		       d->decimals + more_decimals(d, FG_AFTER));
	fg_buf_add_char(&line, '\n');
	fg_out_add_str(out, fg_buf_str(&line));
	fg_buf_release(&line);
}

/* Writes the quality of both profiles, if both are known. */
static void write_quality(const struct fg_diff *d, struct fg_out *out)
{
	struct fg_quality both = { .known = { true, true } };
	struct fg_buf line = FG_BUF_INIT;

	for (unsigned i = FG_BEFORE; i <= FG_AFTER; i++) {
		const struct fg_quality *q = &d->units[i].quality;

		if (!q->known[FG_AFTER] || q->known[FG_BEFORE])
			return;
		memcpy(both.of[i], q->of[FG_AFTER], sizeof(both.of[i]));
	}
	fg_quality_add_line(&both, &line);
	fg_out_add_str(out, fg_buf_str(&line));
	fg_buf_release(&line);
}

static void write_header(const struct fg_diff *d, struct fg_out *out)
{
	const struct fg_unit *before = &d->units[0], *after = &d->units[1];

	if (d->options.compat != FG_COMPAT_NONE)
		return;
	write_common("event", &before->event, &after->event, out);
	write_common("unit", &before->unit, &after->unit, out);
	write_totals(d, out);
	write_quality(d, out);
	if (!before->sample_weight.len || !after->sample_weight.len)
		return;
	if (!is_as_read(d)) {
		write_weights(d, out);
		return;
	}
	fg_out_add_str(out, FG_STR("# sample-weight: "));
	fg_out_add_str(out, fg_buf_str(&before->sample_weight));
	fg_out_add_char(out, ' ');
	fg_out_add_str(out, fg_buf_str(&after->sample_weight));
	fg_out_add_char(out, '\n');
}

/* ---- warnings */

/*
 * Checks for empty inputs. Warns that the counts of an empty one are 0. Returns -1
 * after reporting that both inputs are empty.
 */
static int check_inputs(struct fg_diff *d)
{
	for (unsigned column = FG_BEFORE; column <= FG_AFTER; column++) {
		struct fg_place at = { d->inputs[column].empty, 0 };

		if (!d->inputs[column].empty)
			continue;
		if (!d->inputs[column].lines && !d->inputs[1 - column].lines)
			return fg_error(
				d->diag, NULL,
				"both inputs are empty: did the programs that wrote "
				"them fail?");
		fg_warn(d->diag, &at, "the input is empty: all its counts are 0");
	}
	return 0;
}

static void warn_of_ignored(struct fg_diff *d)
{
	struct fg_diff_ignored *ignored = &d->ignored;

	if (d->cut)
		fg_warn(d->diag, NULL, "counts were cut to whole numbers");
	fg_folded_warn_of_counts(d->diag, &d->count_first, &d->lost);
	fg_folded_warn_of_messages(d->diag, &d->messages);
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
	for (unsigned column = FG_BEFORE; column <= FG_AFTER; column++) {
		struct fg_place at = { d->inputs[column].name, 0 };

		if (fg_sum_is_zero(d->totals[column]))
			fg_warn(d->diag, &at, "the total is 0: %s",
				column == FG_BEFORE ?
					"it cannot be scaled" :
					"the other profile is scaled to 0");
	}
}

/* Warns if only one column has threads or the like. Returns true if it warned. */
static bool warn_of_roots(struct fg_diff *d)
{
	struct fg_diff_extra extra = fg_diff_roots_extra(&d->roots);
	const struct fg_place at = { d->inputs[extra.column].name, 0 };
	struct fg_buf name = FG_BUF_INIT;
	uint64_t ignored[2];

	if (!extra.frames)
		return false;
	for (unsigned column = FG_BEFORE; column <= FG_AFTER; column++)
		ignored[column] = d->options.ignore_root[column];
	ignored[extra.column] += extra.frames;
	fg_buf_add_visible(&name, extra.name, FG_QUOTED_MAX);
	fg_warn(d->diag, &at,
		"%s that the other profile lacks, such as a thread ('%s'): "
		"--ignore-root %" PRIu64 ",%" PRIu64 " leaves %s out",
		extra.frames == 1 ? "stacks have a root frame" :
				    "stacks have two root frames",
		fg_buf_cstr(&name), ignored[FG_BEFORE], ignored[FG_AFTER],
		extra.frames == 1 ? "it" : "them");
	fg_buf_release(&name);
	return true;
}

/* Warns if no stack is in both profiles: everything would be new or gone. */
static void warn_of_strangers(struct fg_diff *d)
{
	if (!d->common && !fg_sum_is_zero(d->totals[FG_BEFORE]) &&
	    !fg_sum_is_zero(d->totals[FG_AFTER]))
		fg_warn(d->diag, NULL, "no stack is in both profiles%s",
			d->options.ignore_root[FG_BEFORE] ||
					d->options.ignore_root[FG_AFTER] ?
				"" :
				": do the comms differ? (--ignore-root 1)");
}

/* ---- lines */

/*
 * Returns a count before, scaled so that all counts before add up to the total after,
 * in whole numbers. The number of profiles before cancels out.
 */
static struct fg_sum normalized(const struct fg_diff *d, struct fg_sum sum)
{
	struct fg_sum share =
		fg_sum_share(d->totals[FG_AFTER], sum, d->totals[FG_BEFORE]);

	share = fg_sum_div(share, fg_pow10(d->decimals), NULL);
	share = fg_sum_div(share, d->inputs[FG_AFTER].profiles, NULL);
	if (d->options.compat != FG_COMPAT_NONE || fg_sum_is_zero(d->totals[FG_AFTER]))
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

		d->common += !fg_sum_is_zero(sums[FG_BEFORE]) &&
			     !fg_sum_is_zero(sums[FG_AFTER]);
		line.len = entry->shared;
		fg_buf_add(&line, entry->rest, entry->len);
		fg_diff_roots_add(&d->roots, fg_buf_str(&line), entry->shared, sums);
		fg_buf_add_char(&line, ' ');
		if (scaled)
			fg_buf_add_sum(&line, normalized(d, sums[FG_BEFORE]), 0);
		else
			fg_buf_add_sum(&line, mean(d, FG_BEFORE, sums[FG_BEFORE]),
				       d->decimals + more_decimals(d, FG_BEFORE));
		fg_buf_add_char(&line, ' ');
		fg_buf_add_sum(&line, mean(d, FG_AFTER, sums[FG_AFTER]),
			       d->decimals + more_decimals(d, FG_AFTER));
		fg_buf_add_char(&line, '\n');
		fg_out_add_str(out, fg_buf_str(&line));
	}
	fg_buf_release(&line);
}

static void write_part(struct fg_diff *d, struct fg_out *out)
{
	if (d->options.normalize)
		warn_of_zeros(d);
	fg_diff_merge_pile(d);
	write_header(d, out);
	write_lines(d, out);
	if (!out->error && !warn_of_roots(d))
		warn_of_strangers(d);
}

int fg_diff_write(struct fg_diff *d, struct fg_out *out)
{
	if (check_inputs(d) || fg_diff_sections_check(d))
		return -1;
	for (size_t i = 0; i < fg_diff_part_count(d); i++)
		if (!fg_diff_part(d, i)->left_out)
			write_part(fg_diff_part(d, i), out);
	warn_of_ignored(d);
	return 0;
}
