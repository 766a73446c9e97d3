/* Writing the SVG document. */
#include "flamegraph/svg.h"

#include <math.h>
#include <string.h>

#include "flamegraph/assets.h"
#include "flamegraph/frames.h"
#include "flamegraph/legend.h"
#include "flamegraph/number.h"
#include "flamegraph/shorten.h"
#include "flamegraph/xml.h"

/* Pixels by which the font of the heading is larger. */
#define TITLE_GROWTH 5

/* A note at the bottom: its size relative to other text, and its baseline. */
#define NOTE_SIZE 0.75
#define NOTE_RISE 4

static void add(struct fg_out *out, const char *text)
{
	fg_out_add_str(out, fg_str_from(text));
}

static void add_number_attr(struct fg_out *out, const char *name, double value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_add_number(&text, value);
	fg_xml_attr(out, name, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* With more digits than are shown, for programs that calculate with it. */
static void add_real_attr(struct fg_out *out, const char *name, double value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_addf(&text, "%.15g", value);
	fg_xml_attr(out, name, fg_buf_str(&text));
	fg_buf_release(&text);
}

static void add_colour_attr(struct fg_out *out, const char *name, struct fg_rgb colour)
{
	char text[FG_RGB_MAX];
	char *end = fg_put_colour(text, colour);

	fg_xml_attr(out, name, fg_str_of(text, (size_t)(end - text)));
}

static void add_text_attr(struct fg_out *out, const char *name, const char *value)
{
	fg_xml_attr(out, name, fg_str_from(value));
}

/* Of the picture. */
struct size {
	double width, height;
};

static void add_size(struct size size, struct fg_out *out)
{
	struct fg_buf box = FG_BUF_INIT;

	add_number_attr(out, "width", size.width);
	add_number_attr(out, "height", size.height);
	fg_buf_add_str(&box, FG_STR("0 0 "));
	fg_add_number(&box, size.width);
	fg_buf_add_char(&box, ' ');
	fg_add_number(&box, size.height);
	fg_xml_attr(out, "viewBox", fg_buf_str(&box));
	fg_buf_release(&box);
}

/* Whether the background, and with it the text, changes with what users prefer. */
static bool has_dark_style(const struct fg_graph_options *o)
{
	return o->theme == FG_THEME_AUTO && !o->own_background;
}

/* The classes by which assets/theme.css finds what it may change. */
static void add_class(const struct fg_graph_options *o, struct fg_out *out)
{
	enum fg_ground ground = fg_palette_ground((enum fg_palette)o->palette);

	add(out, " class=\"flamepipe");
	if (has_dark_style(o)) {
		add(out, " fg-");
		add(out, fg_ground_names[ground]);
		add(out, o->ui_text ? "" : " fg-text");
	}
	add(out, "\"");
}

/* The root element, without its '>'. */
static void open_root(const struct fg_graph_options *o, struct size size,
		      struct fg_out *out)
{
	add(out, "<?xml version=\"1.0\"");
	add_text_attr(out, "encoding", o->encoding);
	add(out, " standalone=\"no\"?>\n<svg version=\"1.1\"");
	add_class(o, out);
	add_size(size, out);
	add(out, " xmlns=\"http://www.w3.org/2000/svg\""
		 " xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\"");
	add_text_attr(out, "aria-label", o->title);
}

static void add_total(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_tree *tree = &g->tree;
	uint64_t total = tree->after ? tree->after_total : tree->total;
	struct fg_str text;
	char digits[FG_NUMBER_MAX];

	if (g->layout.total > fg_tree_number(tree, tree->total)) {
		add_real_attr(out, "fg:total",
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
		add_text_attr(out, name, "1");
}

/* Where and how the frames are drawn. */
static void add_geometry(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct fg_layout *l = &g->layout;

	add_number_attr(out, "fg:width", l->width);
	add_number_attr(out, "fg:frameheight", l->frame_height);
	add_number_attr(out, "fg:top", l->top);
	add_number_attr(out, "fg:bottom", l->bottom);
	fg_xml_attr_u64(out, "fg:drawn", l->drawn);
	add_flag(out, "fg:fluid", o->fluid);
	add_flag(out, "fg:inverted", l->inverted);
	if (g->tree.order == FG_TREE_INPUT)
		add_text_attr(out, "fg:order", "input");
}

/* How changes are shown; the counts are in the data. */
static void add_diff(const struct fg_changes *d, struct fg_out *out)
{
	const struct fg_graph_options *o = d->options;

	add_text_attr(out, "fg:diff", fg_diff_by_names[o->diff_by]);
	add_text_attr(out, "fg:view",
		      fg_diff_view_names[d->after ? o->diff_view : FG_DIFF_AFTER]);
	add_flag(out, "fg:classic", o->diff_colors == FG_DIFF_CLASSIC);
	if (d->sample > 0)
		add_number_attr(out, "fg:sample", d->sample);
}

/* What the counts and the colours of frames are made from. */
static void add_rules(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;

	if (o->factor != 1)
		add_real_attr(out, "fg:factor", o->factor);
	if (o->has_stroke)
		add_colour_attr(out, "fg:stroke", o->stroke_colour);
	add_flag(out, "fg:diffusion", o->colordiffusion);
	if (!g->tree.before)
		return;
	fg_xml_attr_u64(out, "fg:maxdelta", fg_graph_max_delta(g));
	add_flag(out, "fg:negate", o->negate);
	if (g->diff.on)
		add_diff(&g->diff, out);
	add_flag(out, "fg:pale", o->compat == FG_COMPAT_INFERNO);
}

/* Nothing where it is not known. */
static void add_known(struct fg_out *out, const char *name, const char *value)
{
	if (*value)
		add_text_attr(out, name, value);
}

/* What the viewer has to know. */
static void add_settings(struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;

	add(out, " xmlns:fg=\"urn:flamepipe:svg\"");
	add_total(g, out);
	add_text_attr(out, "fg:countname", g->count_name);
	add_known(out, "fg:unit", fg_unit_name(&g->unit, o));
	add_known(out, "fg:event", fg_unit_event(&g->unit));
	add_known(out, "fg:sampleweight", fg_unit_sample_weight(&g->unit));
	add_text_attr(out, "fg:nametype", o->nametype);
	add_number_attr(out, "fg:fontsize", o->fontsize);
	add_number_attr(out, "fg:fontwidth", o->fontwidth);
	add_colour_attr(out, "fg:searchcolor", o->search_colour);
	if (o->search_regex)
		add_text_attr(out, "fg:search", o->search);
	add_text_attr(out, "fg:theme", fg_theme_names[o->theme]);
	if (o->shorten != FG_SHORTEN_AUTO)
		add_text_attr(out, "fg:shorten", fg_shorten_names[o->shorten]);
	add_geometry(g, out);
	add_rules(g, out);
}

static void add_notes(const struct fg_graph_options *o, struct fg_out *out)
{
	if (!o->notes || !*o->notes)
		return;
	add(out, "<!-- NOTES: ");
	fg_xml_comment(out, fg_str_from(o->notes));
	add(out, " -->\n");
}

/*
 * Pictures of one page share its ids: where this is equal, so is what it is the id of.
 */
static void add_gradient_id(const struct fg_graph_options *o, struct fg_buf *id)
{
	char text[2 * FG_RGB_MAX];
	char *end = fg_put_colour(text, o->background.top);

	end = fg_put_colour(end, o->background.bottom);
	fg_buf_add_str(id, has_dark_style(o) ? FG_STR("fg-auto") : FG_STR("fg"));
	for (const char *c = text; c < end; c++)
		fg_buf_add_char(id, *c == '#' ? '-' : *c);
}

static void add_stop(struct fg_out *out, const char *offset, struct fg_rgb colour)
{
	add(out, "<stop");
	add_text_attr(out, "offset", offset);
	add_colour_attr(out, "stop-color", colour);
	add(out, "/>");
}

static void add_gradient(const struct fg_graph_options *o, struct fg_out *out)
{
	struct fg_buf id = FG_BUF_INIT;

	add_gradient_id(o, &id);
	add(out, "<defs><linearGradient");
	fg_xml_attr(out, "id", fg_buf_str(&id));
	add(out, " x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">");
	add_stop(out, "5%", o->background.top);
	add_stop(out, "95%", o->background.bottom);
	add(out, "</linearGradient></defs>\n");
	fg_buf_release(&id);
}

static void add_background(const struct fg_graph_options *o, struct size size,
			   struct fg_out *out)
{
	struct fg_buf id = FG_BUF_INIT;

	add_gradient_id(o, &id);
	add(out, "<rect");
	add_number_attr(out, "width", size.width);
	add_number_attr(out, "height", size.height);
	add(out, " fill=\"url(#");
	fg_out_add_str(out, fg_buf_str(&id));
	add(out, ")\"/>\n");
	fg_buf_release(&id);
}

/* What ends CDATA within the text is divided between two sections. */
static void add_cdata(struct fg_out *out, struct fg_str text)
{
	struct fg_str end = FG_STR("]]>");

	add(out, "<![CDATA[" FG_ASSET_LEAD);
	for (;;) {
		size_t at = fg_str_find(text, end);

		fg_out_add_str(out, fg_str_before(text, at));
		if (at == text.len)
			break;
		add(out, "]]]]><![CDATA[>");
		text = fg_str_from_pos(text, at + end.len);
	}
	add(out, "]]>");
}

static void add_style(struct fg_out *out, struct fg_str rules)
{
	add(out, "<style type=\"text/css\">");
	add_cdata(out, rules);
	add(out, "</style>\n");
}

static void add_theme(const struct fg_graph_options *o, struct fg_out *out)
{
	if (has_dark_style(o))
		add_style(out, fg_str_of(fg_asset_theme_css, fg_asset_theme_css_len));
}

static void add_viewer_style(const struct fg_graph_options *o, struct fg_out *out)
{
	if (!o->no_script)
		add_style(out, fg_str_of(fg_asset_viewer_css, fg_asset_viewer_css_len));
}

/* Comes last: all of the picture is there when it runs, and not laid out yet. */
static void add_viewer(const struct fg_graph_options *o, struct fg_out *out)
{
	if (o->no_script)
		return;
	add(out, "<script type=\"text/ecmascript\">");
	add_cdata(out, fg_str_of(fg_asset_viewer_js, fg_asset_viewer_js_len));
	add(out, "</script>\n");
}

/* A line of text around the graph. */
struct label {
	const char *id;
	const char *class;
	double x, y;
	double size; /* 0: as everywhere */
	const char *text;
	bool centred, hidden; /* hidden until the viewer shows it */
};

static void add_label(const struct label *l, struct fg_out *out)
{
	add(out, "<text");
	if (l->id)
		add_text_attr(out, "id", l->id);
	if (l->class)
		add_text_attr(out, "class", l->class);
	add_number_attr(out, "x", l->x);
	add_number_attr(out, "y", l->y);
	if (l->centred)
		add_text_attr(out, "text-anchor", "middle");
	if (l->size > 0)
		add_number_attr(out, "font-size", l->size);
	if (l->hidden) /* transparent as well: Inkscape shows text that is hidden */
		add(out, " visibility=\"hidden\" opacity=\"0\"");
	add(out, ">");
	fg_xml_text(out, fg_str_from(l->text));
	add(out, "</text>\n");
}

/* "Matched: 12.3%", or a blank for the viewer to replace. */
static const char *matched_text(const struct fg_graph *g, struct fg_buf *text)
{
	double counts = fg_tree_number(&g->tree, g->search.counts);

	if (!g->options->search_regex)
		return " ";
	if (g->diff.on)
		fg_changes_add_matched(&g->diff, &g->search, text);
	else if (counts < g->layout.total)
		fg_buf_addf(text, "Matched: %.1f%%", 100 * counts / g->layout.total);
	else
		fg_buf_add_str(text, FG_STR("Matched: 100%"));
	return fg_buf_cstr(text);
}

static double middle(double width)
{
	return (double)(uint64_t)(width / 2);
}

static void add_labels(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct fg_layout *l = &g->layout;
	double size = o->fontsize, head = 2 * size;
	double foot = l->height - fmax(l->bottom / 2, l->legend + size / 4 + 5);
	double right = l->width - FG_SIDE_PADDING;
	struct fg_buf matched = FG_BUF_INIT;
	const struct label labels[] = {
		{ .id = "title",
		  .x = middle(l->width),
		  .y = head,
		  .text = o->title,
		  .centred = true,
		  .size = size + TITLE_GROWTH },
		{ .id = "subtitle",
		  .x = middle(l->width),
		  .y = 4 * size,
		  .text = o->subtitle,
		  .centred = true },
		{ .id = "details", .x = FG_SIDE_PADDING, .y = foot, .text = " " },
		{ .id = "unzoom",
		  .x = FG_SIDE_PADDING,
		  .y = head,
		  .hidden = true,
		  .text = "Reset Zoom" },
		{ .id = "search",
		  .x = right - 100,
		  .y = head,
		  .hidden = true,
		  .text = "Search" },
		{ .id = "ignorecase",
		  .x = right - 16,
		  .y = head,
		  .hidden = true,
		  .text = "ic" },
		{ .id = "matched",
		  .x = right - 100,
		  .y = foot,
		  .text = matched_text(g, &matched) },
	};

	for (size_t i = 0; i < FG_COUNT_OF(labels); i++)
		if (labels[i].text && *labels[i].text)
			add_label(&labels[i], out);
	fg_buf_release(&matched);
}

/* Below all but a legend: what the data lack, where they lack anything. */
static void add_data_note(const struct fg_graph *g, struct fg_out *out)
{
	struct fg_buf text = FG_BUF_INIT;
	struct label label = { .class = "fg-note",
			       .x = FG_SIDE_PADDING,
			       .y = g->layout.height - g->layout.legend - NOTE_RISE,
			       .size = NOTE_SIZE * g->options->fontsize };

	if (fg_data_note(&g->data, g, &text)) {
		label.text = fg_buf_cstr(&text);
		add_label(&label, out);
	}
	fg_buf_release(&text);
}

/* A viewer without that font is to take a sans-serif one, not its default. */
static void add_font(const char *font, struct fg_out *out)
{
	struct fg_buf family = FG_BUF_INIT;

	fg_buf_addf(&family, strchr(font, ',') ? "%s" : "%s,sans-serif", font);
	add_text_attr(out, "font-family", fg_buf_cstr(&family));
	fg_buf_release(&family);
}

static void open_text_group(const struct fg_graph_options *o, struct fg_out *out)
{
	add(out, "<g");
	add_font(o->fonttype, out);
	add_number_attr(out, "font-size", o->fontsize);
	add_colour_attr(out, "fill", o->ui_colour);
	add(out, ">\n");
}

void fg_svg_write(struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct size size = { g->layout.width, g->layout.height };

	open_root(o, size, out);
	add_settings(g, out);
	add(out, ">\n");
	add_notes(o, out);
	fg_data_write(&g->data, g, out);
	add_gradient(o, out);
	add_theme(o, out);
	add_viewer_style(o, out);
	add_background(o, size, out);
	open_text_group(o, out);
	add_labels(g, out);
	add_data_note(g, out);
	fg_legend_write(g, out);
	add(out, "<g id=\"frames\" fill=\"#000\">\n");
	fg_frames_write(g, out);
	add(out, "</g>\n</g>\n");
	add_viewer(o, out);
	add(out, "</svg>\n");
}

void fg_svg_write_empty(const struct fg_graph_options *o, struct fg_out *out)
{
	const struct size size = { (double)o->width, 5 * o->fontsize };
	const struct label label = { .x = middle(size.width),
				     .y = 2 * o->fontsize,
				     .text = "ERROR: no stack counts found",
				     .centred = true };

	open_root(o, size, out);
	add(out, ">\n");
	add_gradient(o, out);
	add_theme(o, out);
	add_background(o, size, out);
	open_text_group(o, out);
	add_label(&label, out);
	add(out, "</g>\n</svg>\n");
}
