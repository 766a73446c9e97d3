/* Writes attributes of the root element that tell the viewer about the picture. */
#include "flamegraph/rootattr.h"

#include "flamegraph/diffmarks.h"
#include "flamegraph/frames.h"
#include "flamegraph/whole.h"
#include "lib/base/number.h"
#include "lib/profile/shorten.h"
#include "lib/svg/xml.h"

static void add_total(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_tree *tree = &g->tree;
	uint64_t total = tree->after ? tree->after_total : tree->total;
	struct fg_str text;
	char digits[FG_NUMBER_MAX];

	if (g->layout.total > fg_tree_number(tree, tree->total)) {
		fg_xml_attr_real(out, "fg:total",
				 tree->after ? g->options->total : g->layout.total);
		return;
	}
	text.ptr = digits;
	text.len = (size_t)(fg_put_decimal(digits, total, tree->decimals) - digits);
	fg_xml_attr(out, "fg:total", text);
}

static void add_flag(struct fg_out *out, const char *name, bool set)
{
	if (set)
		fg_xml_attr_text(out, name, "1");
}

static void add_least(const struct fg_layout *l, struct fg_out *out)
{
	fg_xml_attr_real(out, l->least.percent ? "fg:leastpercent" : "fg:least",
			 l->least.number);
}

/* Adds the attributes for where and how the frames are drawn. */
static void add_geometry(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct fg_layout *l = &g->layout;

	fg_xml_attr_number(out, "fg:width", l->width);
	fg_xml_attr_number(out, "fg:frameheight", l->frame_height);
	fg_xml_attr_number(out, "fg:top", l->top);
	fg_xml_attr_number(out, "fg:bottom", l->bottom);
	fg_xml_attr_u64(out, "fg:drawn", l->drawn);
	add_least(l, out);
	add_flag(out, "fg:fluid", o->fluid);
	add_flag(out, "fg:inverted", l->inverted);
	if (g->tree.order == FG_TREE_INPUT)
		fg_xml_attr_text(out, "fg:order", "input");
	add_flag(out, "fg:chart", o->flamechart);
	add_flag(out, "fg:complete", g->data.complete);
}

/*
 * Adds the attributes that the viewer needs to compute the counts and colours of
 * frames.
 */
static void add_rules(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;

	if (g->libraries && !g->tree.before && !o->colordiffusion)
		fg_xml_attr_text(out, "fg:palette", fg_palette_names[o->palette]);
	if (g->words.factor != 1)
		fg_xml_attr_real(out, "fg:factor", g->words.factor);
	if (o->has_stroke)
		fg_colour_attr(out, "fg:stroke", o->stroke_colour);
	add_flag(out, "fg:diffusion", o->colordiffusion);
	if (!g->tree.before)
		return;
	fg_xml_attr_u64(out, "fg:maxdelta", fg_graph_max_delta(g));
	add_flag(out, "fg:negate", o->negate);
	if (g->diff.on)
		fg_diffmarks_write_settings(&g->diff, out);
	add_flag(out, "fg:pale", o->compat == FG_COMPAT_INFERNO);
}

/* Adds an attribute if its value is known. */
static void add_known(struct fg_out *out, const char *name, const char *value)
{
	if (*value)
		fg_xml_attr_text(out, name, value);
}

/*
 * Adds the recorded totals twice: in the form that --extract reads back, and as the
 * text that the viewer shows.
 */
static void add_totals(struct fg_graph *g, struct fg_out *out)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_xml_attr(out, "fg:totals", fg_buf_str(&g->unit.totals));
	fg_whole_add_totals(g, &text);
	fg_xml_attr(out, "fg:recorded", fg_buf_str(&text));
	fg_buf_release(&text);
}

static void add_counts(struct fg_graph *g, struct fg_out *out)
{
	struct fg_buf quality = FG_BUF_INIT;

	fg_words_write(&g->words, out);
	add_known(out, "fg:unit", fg_unit_name(&g->unit, g->options));
	add_known(out, "fg:event", fg_unit_event(&g->unit));
	add_known(out, "fg:sampleweight", fg_unit_sample_weight(&g->unit));
	if (g->diff.totals.scaled)
		add_totals(g, out);
	add_known(out, "fg:command", fg_buf_cstr(&g->unit.command));
	fg_quality_add_value(&g->unit.quality, &quality);
	add_known(out, "fg:quality", fg_buf_cstr(&quality));
	fg_buf_release(&quality);
}

/* Adds the name and the number of a profile, unless it is the only one. */
static void add_place(const struct fg_graph *g, struct fg_out *out)
{
	if (!g->profile.name.len)
		return;
	fg_xml_attr(out, "fg:p", fg_buf_str(&g->profile.name));
	fg_xml_attr_u64(out, "fg:nth", g->profile.nth);
}

void fg_rootattr_write(struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;

	fg_out_add_str(out, FG_STR(" xmlns:fg=\"urn:flamepipe:svg\""));
	add_total(g, out);
	add_counts(g, out);
	fg_xml_attr_text(out, "fg:nametype", o->nametype);
	fg_xml_attr_number(out, "fg:fontsize", o->fontsize);
	fg_xml_attr_number(out, "fg:fontwidth", o->fontwidth);
	fg_colour_attr(out, "fg:searchcolor", o->search_colour);
	if (o->search_regex)
		fg_xml_attr_text(out, "fg:search", o->search);
	fg_xml_attr_text(out, "fg:theme", fg_theme_names[o->theme]);
	if (o->shorten != FG_SHORTEN_AUTO)
		fg_xml_attr_text(out, "fg:shorten", fg_shorten_names[o->shorten]);
	add_flag(out, "fg:shares", fg_frames_show_shares(o));
	add_geometry(g, out);
	add_rules(g, out);
	add_place(g, out);
}

void fg_rootattr_write_profile(struct fg_graph *g, struct fg_out *out)
{
	fg_xml_attr_number(out, "height", g->layout.height);
	add_total(g, out);
	add_counts(g, out);
	fg_xml_attr_number(out, "fg:bottom", g->layout.bottom);
	fg_xml_attr_u64(out, "fg:drawn", g->layout.drawn);
	add_least(&g->layout, out);
	add_rules(g, out);
	add_place(g, out);
}
