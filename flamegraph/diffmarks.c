/* Marks a difference: outlines, hatching, and the line on how the whole has changed. */
#include "flamegraph/diffmarks.h"

#include <math.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/profile/amount.h"
#include "lib/svg/xml.h"

/* ---- outlines and hatching */

static bool is_marked(const struct fg_changes *d)
{
	return d->on && d->options->diff_colors == FG_DIFF_SAFE;
}

static bool is_shade(struct fg_rgb colour, enum fg_change change)
{
	struct fg_rgb shade = fg_changes_shade(change, 1);

	return colour.r == shade.r && colour.g == shade.g && colour.b == shade.b;
}

/* The hatching has the same angle as the marks in the viewer's table and legend. */
void fg_diffmarks_write_pattern(const struct fg_changes *d, struct fg_out *out)
{
	if (!is_marked(d))
		return;
	fg_out_add_str(out,
		       FG_STR("<defs><pattern id=\"fg-gone\" width=\"5\" height=\"5\""
			      " patternUnits=\"userSpaceOnUse\""
			      " patternTransform=\"rotate(45)\">"
			      "<rect width=\"5\" height=\"5\" fill=\"#e2e6e9\"/>"
			      "<rect width=\"1.5\" height=\"5\" fill=\"#adb5bb\"/>"
			      "</pattern></defs>\n"));
}

/* The stroke is a grey with a contrast of at least 3:1 on light and dark grounds. */
char *fg_diffmarks_put_fill(char *p, const struct fg_changes *d, struct fg_rgb colour,
			    bool outlined)
{
	bool gone = is_marked(d) && is_shade(colour, FG_CHANGE_GONE);
	bool alike = is_marked(d) && is_shade(colour, FG_CHANGE_NONE);

	p = gone ? fg_put_str(p, FG_STR("url(#fg-gone)")) : fg_put_colour(p, colour);
	if (outlined && (gone || alike) && !d->options->has_stroke)
		p = fg_put_str(p, FG_STR("\" stroke=\"#808080"));
	return p;
}

void fg_diffmarks_write_width(const struct fg_changes *d, struct fg_out *out)
{
	if (is_marked(d) && !d->options->has_stroke)
		fg_out_add_str(out, FG_STR(" stroke-width=\"0.5\""));
}

/* ---- settings */

void fg_diffmarks_write_settings(const struct fg_changes *d, struct fg_out *out)
{
	const struct fg_graph_options *o = d->options;

	fg_xml_attr_text(out, "fg:diff", fg_diff_by_names[o->diff_by]);
	fg_xml_attr_text(out, "fg:view",
			 fg_diff_view_names[d->after ? o->diff_view : FG_DIFF_AFTER]);
	if (o->diff_colors == FG_DIFF_CLASSIC)
		fg_xml_attr_text(out, "fg:classic", "1");
	if (d->sample > 0)
		fg_xml_attr_number(out, "fg:sample", d->sample);
}

/* ---- how the whole has changed */

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

void fg_diffmarks_add_largest(struct fg_graph *g, struct fg_buf *text)
{
	const struct fg_changes *d = &g->diff;
	uint64_t most =
		d->after_total > d->before_total ? d->after_total : d->before_total;
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, g->options));
	double number = fg_tree_number(&g->tree, most) * g->words.factor;

	fg_amount_add(text, unit, number);
	fg_diffmarks_add_word(text, g);
}

void fg_diffmarks_add_word(struct fg_buf *text, struct fg_graph *g)
{
	if (!fg_amount_has_unit(fg_str_from(fg_unit_name(&g->unit, g->options))) &&
	    *g->words.spoken)
		fg_buf_addf(text, " %.100s", g->words.spoken);
}

bool fg_diffmarks_add_totals(struct fg_graph *g, struct fg_buf *text)
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

const char *fg_diffmarks_heading(struct fg_graph *g, struct fg_buf *text)
{
	const struct fg_graph_options *o = g->options;
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, o));
	const char *event = fg_unit_event(&g->unit);
	double before =
		fg_tree_number(&g->tree, g->diff.before_total) * g->words.factor;
	double after = fg_tree_number(&g->tree, g->diff.after_total) * g->words.factor;

	if (!g->diff.on || (o->subtitle && *o->subtitle))
		return NULL;
	fg_buf_add_str(text, FG_STR("Before \xe2\x86\x92 after: "));
	if (fg_diffmarks_add_totals(g, text))
		return fg_buf_cstr(text);
	fg_amount_add(text, unit, before);
	fg_buf_add_str(text, FG_STR(" \xe2\x86\x92 "));
	fg_amount_add(text, unit, after);
	if (!fg_amount_has_unit(unit) && *g->words.spoken)
		fg_buf_addf(text, " %s", g->words.spoken);
	if (*event)
		fg_buf_addf(text, " of %s", event);
	add_change(g, text, unit);
	return fg_buf_cstr(text);
}
