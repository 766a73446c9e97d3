/* Writes what 100 % is and, for a difference, how the whole has changed. */
#include "flamegraph/whole.h"

#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/profile/amount.h"

/*
 * Appends " (+514.5 ms, +18.2%)", with ", noise" at the end if noise explains the
 * change.
 */
static void add_change(struct fg_graph *g, struct fg_buf *text, struct fg_str unit)
{
	double before = (double)g->diff.before_total,
	       after = (double)g->diff.after_total;
	double one = g->words.factor / (double)fg_pow10(g->tree.decimals);
	double change = fabs(after - before);

	if (!(change > 0)) {
		fg_buf_add_str(text, FG_STR(" (no change)"));
		return;
	}
	fg_buf_addf(text, " (%c", after < before ? '-' : '+');
	fg_amount_add(text, unit, change * one);
	if (before > 0)
		fg_buf_addf(text, ", %c%.1f%%", after < before ? '-' : '+',
			    fg_percent(change, before));
	if (fg_changes_is_noise(&g->diff, before, after))
		fg_buf_add_str(text, FG_STR(", noise"));
	fg_buf_add_char(text, ')');
}

static void add_event(struct fg_graph *g, struct fg_buf *text)
{
	const char *event = fg_unit_event(&g->unit);

	if (*event && strcmp(event, fg_unit_name(&g->unit, g->options)) != 0)
		fg_buf_addf(text, " of %s", event);
}

void fg_whole_add_largest(struct fg_graph *g, struct fg_buf *text)
{
	const struct fg_changes *d = &g->diff;
	uint64_t most =
		d->after_total > d->before_total ? d->after_total : d->before_total;
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, g->options));
	double number = fg_tree_number(&g->tree, most) * g->words.factor;

	fg_amount_add(text, unit, number);
	fg_whole_add_word(text, g);
}

void fg_whole_add_word(struct fg_buf *text, struct fg_graph *g)
{
	if (!fg_amount_has_unit(fg_str_from(fg_unit_name(&g->unit, g->options))) &&
	    *g->words.spoken)
		fg_buf_addf(text, " %.100s", g->words.spoken);
}

void fg_whole_add_recorded(struct fg_graph *g, struct fg_buf *text)
{
	const struct fg_totals *t = &g->diff.totals;
	const double of[2] = { t->of[FG_BEFORE] * g->words.factor,
			       t->of[FG_AFTER] * g->words.factor };

	fg_amount_add_both(text, fg_str_from(fg_unit_name(&g->unit, g->options)), of);
	fg_whole_add_word(text, g);
}

bool fg_whole_add_totals(struct fg_graph *g, struct fg_buf *text)
{
	const struct fg_totals_words words = {
		.unit = fg_str_from(fg_unit_name(&g->unit, g->options)),
		.word = fg_str_from(g->words.spoken),
		.event = fg_buf_str(&g->unit.event),
		.factor = g->words.factor,
	};

	if (g->diff.totals.scaled)
		fg_totals_add(&g->diff.totals, &words, text);
	return g->diff.totals.scaled;
}

/* Appends "2.825 s -> 3.339 s of cpu-clock (+514.5 ms, +18.2%)". */
static void add_both(struct fg_graph *g, struct fg_buf *text)
{
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, g->options));
	double before =
		fg_tree_number(&g->tree, g->diff.before_total) * g->words.factor;
	double after = fg_tree_number(&g->tree, g->diff.after_total) * g->words.factor;

	fg_amount_add(text, unit, before);
	fg_buf_add_str(text, FG_STR(" \xe2\x86\x92 "));
	fg_amount_add(text, unit, after);
	fg_whole_add_word(text, g);
	add_event(g, text);
	add_change(g, text, unit);
}

/* Appends "2,816 samples, " if the counts are not samples but their weight is known. */
static void add_samples(const struct fg_graph *g, double total, struct fg_buf *text)
{
	if (!(g->words.one > 0))
		return;
	fg_amount_add(text, FG_STR("samples"), total / g->words.one);
	fg_buf_add_str(text, FG_STR(" samples, "));
}

static bool is_one(double total)
{
	return !(total < 1) && !(total > 1);
}

const char *fg_whole_heading(struct fg_graph *g, struct fg_buf *text)
{
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, g->options));
	double total = g->layout.total * g->words.factor;

	if (g->options->compat != FG_COMPAT_NONE)
		return NULL;
	if (!g->diff.on) {
		fg_buf_add_str(text, FG_STR("100% = "));
		add_samples(g, total, text);
		fg_amount_add(text, unit, total);
		if (g->words.counted == FG_COUNTED_SAMPLES && is_one(total))
			fg_buf_addf(text, " %s", g->words.one_name);
		else
			fg_whole_add_word(text, g);
		add_event(g, text);
		return fg_buf_cstr(text);
	}
	fg_buf_add_str(text, FG_STR("Before \xe2\x86\x92 after: "));
	if (!fg_whole_add_totals(g, text))
		add_both(g, text);
	return fg_buf_cstr(text);
}
