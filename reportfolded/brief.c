/*
 * Writes the functions that have changed by more than noise, in a few lines:
 *
 *     self   +28.0 points, to 50.0 %  read_line
 *     total  +12.1 points, to 61.3 %  parse
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "reportfolded/names.h"
#include "reportfolded/report.h"

/* Longer names are cut to this many characters, so that a line fits a terminal. */
#define NAME_CHARS 64

/* A change that is smaller than this, in points, would be written as 0.0. */
#define LEAST_POINTS 0.05

static void add_name(const struct fg_report *r, struct fg_buf *line, uint32_t name)
{
	struct fg_buf whole = FG_BUF_INIT;
	struct fg_str text, shown;

	fg_report_add_name(&whole, fg_intern_name(&r->profile.tree.names, name),
			   FG_REPORT_TEXT);
	text = fg_buf_str(&whole);
	shown = fg_utf8_prefix(text, NAME_CHARS);
	if (shown.len < text.len)
		shown = fg_utf8_prefix(text, NAME_CHARS - 2);
	fg_buf_add_str(line, shown);
	if (shown.len < text.len)
		fg_buf_add_str(line, FG_STR(".."));
	fg_buf_release(&whole);
}

/*
 * Returns true if the function has changed by more than noise and more than
 * LEAST_POINTS.
 */
static bool is_change(const struct fg_report *r, const uint64_t *counts)
{
	return fabs(fg_report_change(&r->profile, counts)) >= LEAST_POINTS &&
	       fg_report_noise(r, counts).significant;
}

/* The counts of the lines so far, up to the size of the array. */
struct listed {
	uint64_t counts[32][2];
	size_t count;
};

/*
 * Returns true if we wrote a line with the same counts. It is most likely about a
 * function that this one calls: without this check, all callers of a changed function
 * would fill the list.
 */
static bool is_listed(const struct listed *l, const uint64_t *counts)
{
	for (size_t i = 0; i < l->count; i++)
		if (!memcmp(l->counts[i], counts, sizeof(l->counts[i])))
			return true;
	return false;
}

static void write_line(const struct fg_report *r, const struct fg_function *f,
		       bool by_self)
{
	const struct fg_report_profile *p = &r->profile;
	const uint64_t *counts = by_self ? f->self : f->total;
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_addf(&line, "%s %+6.1f points, to %.1f %%  ",
		    by_self ? "self " : "total", fg_report_change(p, counts),
		    fg_report_share(p, FG_AFTER, counts[FG_AFTER]));
	add_name(r, &line, f->name);
	fg_buf_add_char(&line, '\n');
	fg_out_add_str(r->out, fg_buf_str(&line));
	fg_buf_release(&line);
}

/*
 * Writes the lines for own counts (by_self) or for totals. Returns how many it wrote.
 */
static uint64_t write_list(const struct fg_report *r, struct listed *l, bool by_self)
{
	uint32_t *order = fg_functions_order(&r->functions, &r->profile,
					     by_self ? fg_function_by_self_change :
						       fg_function_by_total_change);
	uint64_t written = 0;

	for (size_t i = 0; i < r->functions.count && written < r->options->limit; i++) {
		const struct fg_function *f = &r->functions.items[order[i]];
		const uint64_t *counts = by_self ? f->self : f->total;

		if (!is_change(r, counts) || (!by_self && is_listed(l, counts)))
			continue;
		write_line(r, f, by_self);
		written++;
		if (l->count < FG_COUNT_OF(l->counts))
			memcpy(l->counts[l->count++], counts, sizeof(l->counts[0]));
	}
	free(order);
	return written;
}

void fg_report_brief(const struct fg_report *r)
{
	struct listed listed = { .count = 0 };
	uint64_t written = write_list(r, &listed, true);

	written += write_list(r, &listed, false);
	if (r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN)
		fg_out_add_str(r->out,
			       FG_STR("it is unknown how much of this is noise\n"));
	else if (!written)
		fg_out_add_str(r->out,
			       FG_STR("no function's share has changed by more than "
				      "noise\n"));
}
