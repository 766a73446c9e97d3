/* Marks a difference with outlines and hatching. */
#include "flamegraph/diffmarks.h"

#include "lib/base/number.h"
#include "lib/svg/xml.h"

/* ---- outlines and hatching */

static bool is_marked(const struct fg_changes *d)
{
	return d->on && d->options->diff_colors == FG_DIFF_SAFE;
}

static bool is_shade(const struct fg_changes *d, struct fg_rgb colour,
		     enum fg_change change)
{
	struct fg_rgb shade = fg_changes_shade(d, change, 1);

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
			      " patternTransform=\"rotate(45)\">"));
	fg_out_add_str(
		out,
		fg_changes_are_dark(d) ?
			FG_STR("<rect width=\"5\" height=\"5\" fill=\"#3c4248\"/>"
			       "<rect width=\"1.5\" height=\"5\" fill=\"#6b747c\"/>") :
			FG_STR("<rect width=\"5\" height=\"5\" fill=\"#e2e6e9\"/>"
			       "<rect width=\"1.5\" height=\"5\" fill=\"#adb5bb\"/>"));
	fg_out_add_str(out, FG_STR("</pattern></defs>\n"));
}

/* The stroke is a grey with a contrast of at least 3:1 on light and dark grounds. */
char *fg_diffmarks_put_fill(char *p, const struct fg_changes *d, struct fg_rgb colour,
			    bool outlined)
{
	bool gone = is_marked(d) && is_shade(d, colour, FG_CHANGE_GONE);
	bool alike = is_marked(d) && is_shade(d, colour, FG_CHANGE_NONE);

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
