/* Writes the SVG document. */
#include "flamegraph/svg.h"
#include "flamegraph/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flamegraph/assets.h"
#include "flamegraph/data.h"
#include "flamegraph/diffmarks.h"
#include "flamegraph/embed.h"
#include "flamegraph/frames.h"
#include "flamegraph/heatdata.h"
#include "flamegraph/heatmap.h"
#include "flamegraph/legend.h"
#include "flamegraph/profiles.h"
#include "flamegraph/rootattr.h"
#include "flamegraph/sourcelines.h"
#include "flamegraph/timeaxis.h"
#include "flamegraph/whole.h"
#include "lib/base/number.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/svg/xml.h"

/* The font of the heading is this many pixels larger than that of other text. */
#define TITLE_GROWTH 5

#define ELLIPSIS "\xe2\x80\xa6"

/*
 * A note at the bottom: its size relative to other text, and the pixels from its
 * baseline to the legend or the bottom.
 */
#define NOTE_SIZE 0.75
#define NOTE_RISE 4

static void add(struct fg_out *out, const char *text)
{
	fg_out_add_str(out, fg_str_from(text));
}

/* The size of the picture. */
struct size {
	double width, height;
};

static void add_size(struct size size, struct fg_out *out)
{
	struct fg_buf box = FG_BUF_INIT;

	fg_xml_attr_number(out, "width", size.width);
	fg_xml_attr_number(out, "height", size.height);
	fg_buf_add_str(&box, FG_STR("0 0 "));
	fg_add_number(&box, size.width);
	fg_buf_add_char(&box, ' ');
	fg_add_number(&box, size.height);
	fg_xml_attr(out, "viewBox", fg_buf_str(&box));
	fg_buf_release(&box);
}

/* Returns true if the background and its text follow the user's preference for dark. */
static bool has_dark_style(const struct fg_graph_options *o)
{
	return o->theme == FG_THEME_AUTO && !o->background_given;
}

/* Adds the classes that tell assets/theme.css which colours it may change. */
static void add_class(const struct fg_graph_options *o, struct fg_out *out)
{
	add(out, " class=\"flamepipe");
	if (has_dark_style(o)) {
		add(out, " fg-");
		add(out, fg_ground_names[o->ground]);
		add(out, o->text_given ? "" : " fg-text");
	}
	add(out, "\"");
}

/* Writes the root element without its '>'. */
static void open_root(const struct fg_graph_options *o, struct size size,
		      struct fg_out *out)
{
	add(out, "<?xml version=\"1.0\"");
	fg_xml_attr_text(out, "encoding", o->encoding);
	add(out, " standalone=\"no\"?>\n<svg version=\"1.1\"");
	add_class(o, out);
	add_size(size, out);
	add(out, " xmlns=\"http://www.w3.org/2000/svg\""
		 " xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\"");
	fg_xml_attr_text(out, "aria-label", o->title);
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
 * Makes the id of the gradient. If several pictures are in one web page, an id that
 * they share refers to the gradient of the first. So our id contains the colours:
 * gradients with the same id are the same.
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
	fg_xml_attr_text(out, "offset", offset);
	fg_colour_attr(out, "stop-color", colour);
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
	fg_xml_attr_number(out, "width", size.width);
	fg_xml_attr_number(out, "height", size.height);
	add(out, " fill=\"url(#");
	fg_out_add_str(out, fg_buf_str(&id));
	add(out, ")\"/>\n");
	fg_buf_release(&id);
}

static void add_template(const struct fg_nameattr *attr, struct fg_out *out)
{
	struct fg_str tag = attr->is_link ? FG_STR("a") : FG_STR("g");

	fg_out_add_char(out, '<');
	fg_out_add_str(out, tag);
	fg_xml_attr(out, "fg:n", attr->function);
	fg_out_add_str(out, attr->attributes);
	fg_out_add_char(out, '>');
	if (attr->has_title) {
		fg_out_add_str(out, FG_STR("<title>"));
		fg_out_add_str(out, attr->title);
		fg_out_add_str(out, FG_STR("</title>"));
	}
	fg_out_add_str(out, FG_STR("</"));
	fg_out_add_str(out, tag);
	fg_out_add_str(out, FG_STR(">\n"));
}

/*
 * Adds the --nameattr attributes of all functions, which the viewer copies to frames
 * that it draws.
 */
static void add_templates(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_tree *t = &g->tree;
	bool *used;

	if (!g->attributes->count)
		return;
	used = fg_xcalloc(t->names.count, sizeof(*used));
	for (size_t i = 1; i < t->count; i++)
		used[t->nodes[i].name] = true;
	for (size_t id = 0; id < t->names.count; id++)
		if (used[id] && fg_names_attr(&g->names, (uint32_t)id))
			add_template(fg_names_attr(&g->names, (uint32_t)id), out);
	free(used);
}

/*
 * Makes the picture dark for readers who prefer that. Without this style it is light.
 */
static void add_theme(const struct fg_graph_options *o, struct fg_out *out)
{
	if (has_dark_style(o))
		fg_embed_style(out,
			       fg_str_of(fg_asset_theme_css, fg_asset_theme_css_len));
}

/* Like add_theme(), for what has not changed in a difference or is gone. */
static void add_dark_changes(const struct fg_graph *g, struct fg_out *out)
{
	if (g->diff.on && has_dark_style(g->options))
		fg_embed_style(out,
			       fg_str_of(fg_asset_dark_css, fg_asset_dark_css_len));
}

/* A line of text around the graph. */
struct label {
	const char *id;
	const char *class;
	double x, y;
	double size; /* 0: like the text around it */
	const char *text;
	bool centred, hidden; /* hidden: until the viewer shows it */
	size_t room; /* in columns; 0: never cut the text */
};

/*
 * Adds the text, cut to one line. If it was cut, browsers show all of it when the user
 * points at it.
 */
static void add_text(const struct label *l, struct fg_out *out)
{
	struct fg_str text = fg_str_from(l->text);

	if (!l->room || fg_utf8_columns(text) <= l->room) {
		fg_xml_text(out, text);
		return;
	}
	add(out, "<title>");
	fg_xml_text(out, text);
	add(out, "</title>");
	fg_xml_text(out, fg_utf8_fitting(text, l->room - 1));
	add(out, ELLIPSIS);
}

static void add_label(const struct label *l, struct fg_out *out)
{
	add(out, "<text");
	if (l->id)
		fg_xml_attr_text(out, "id", l->id);
	if (l->class)
		fg_xml_attr_text(out, "class", l->class);
	fg_xml_attr_number(out, "x", l->x);
	fg_xml_attr_number(out, "y", l->y);
	if (l->centred)
		fg_xml_attr_text(out, "text-anchor", "middle");
	if (l->size > 0)
		fg_xml_attr_number(out, "font-size", l->size);
	if (l->hidden) /* opacity, because Inkscape ignores visibility */
		add(out, " visibility=\"hidden\" opacity=\"0\"");
	add(out, ">");
	add_text(l, out);
	add(out, "</text>\n");
}

static double middle(double width)
{
	return (double)(uint64_t)(width / 2);
}

/*
 * Returns how many columns of a heading of that size fit into the picture. With
 * --compat, returns 0: headings are not cut.
 */
static size_t room_of(const struct fg_graph *g, double size)
{
	double room = (g->layout.width - 2 * FG_SIDE_PADDING) /
		      (size * g->options->fontwidth);

	return g->options->compat == FG_COMPAT_NONE ? (size_t)fmax(room, 2) : 0;
}

/*
 * Returns "Matched: 12.3%", made in `text`, or a space that the viewer replaces when
 * somebody searches.
 */
static const char *matched_text(const struct fg_graph *g, struct fg_buf *text)
{
	double counts = fg_tree_number(&g->tree, g->search.counts);
	char share[FG_NUMBER_MAX];

	if (!g->options->search_regex)
		return " ";
	*fg_put_percent(share, counts, g->layout.total) = '\0';
	if (g->diff.on)
		fg_changes_add_matched(&g->diff, &g->search, text);
	else
		fg_buf_addf(text, "Matched: %s", share);
	return fg_buf_cstr(text);
}

/* Adds the line below the title, which says what 100 % is. */
static void add_whole(struct fg_graph *g, struct fg_out *out)
{
	struct fg_buf text = FG_BUF_INIT;
	const struct label label = { .class = "fg-whole",
				     .x = middle(g->layout.width),
				     .y = 2.75 * g->options->fontsize,
				     .text = fg_whole_heading(g, &text),
				     .centred = true,
				     .room = room_of(g, g->options->fontsize) };

	if (label.text)
		add_label(&label, out);
	fg_buf_release(&text);
}

static void add_labels(struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct fg_layout *l = &g->layout;
	double size = o->fontsize, head = 2 * size;
	double foot = l->height - fmax(l->bottom / 2, l->legend + size / 4 + 5);
	double right = l->width - FG_SIDE_PADDING;
	bool has_whole = o->compat == FG_COMPAT_NONE;
	struct fg_buf matched = FG_BUF_INIT;
	const struct label labels[] = {
		{ .id = "title",
		  .x = middle(l->width),
		  .y = has_whole ? 1.5 * size : head,
		  .text = o->title,
		  .centred = true,
		  .size = size + TITLE_GROWTH,
		  .room = room_of(g, size + TITLE_GROWTH) },
		{ .id = "subtitle",
		  .x = middle(l->width),
		  .y = 4 * size,
		  .text = o->subtitle,
		  .centred = true,
		  .room = room_of(g, size) },
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

static void add_data(const struct fg_graph *g, struct fg_out *out)
{
	fg_data_write(&g->data, g, out);
	fg_heatdata_write(&g->slices, out);
}

/*
 * Adds the other profiles. Each has its own line below the title and its own legend,
 * which the viewer shows with it.
 */
static void add_others(const struct fg_graph *first, struct fg_out *out)
{
	for (size_t i = 0; i < first->profile.other_count; i++) {
		struct fg_graph *g = &first->profile.others[i];

		fg_out_add_str(out, FG_STR("<fg:profile"));
		fg_rootattr_write_profile(g, out);
		fg_out_add_char(out, '>');
		add_data(g, out);
		add_whole(g, out);
		fg_legend_write(g, out);
		fg_out_add_str(out, FG_STR("</fg:profile>\n"));
	}
}

/*
 * Adds the <metadata>: the data of the frames and of the heat map, the other profiles
 * of the file, source lines, and the attributes of --nameattr. Adds nothing if there
 * are no data (--data none).
 */
static void add_metadata(const struct fg_graph *g, struct fg_out *out)
{
	if (!g->data.bytes.len)
		return;
	fg_out_add_str(out, FG_STR("<metadata>"));
	add_data(g, out);
	add_others(g, out);
	fg_sourcelines_write(&g->source, out);
	add_templates(g, out);
	fg_out_add_str(out, FG_STR("</metadata>\n"));
}

/*
 * Adds the notes above the legend: how many frames the data lack, and the names of
 * other profiles.
 */
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
	fg_buf_clear(&text);
	label.class = "fg-others";
	label.x = middle(g->layout.width);
	if (fg_profiles_note(g, &text)) {
		label.text = fg_buf_cstr(&text);
		add_label(&label, out);
	}
	fg_buf_release(&text);
}

/*
 * Adds the font, and sans-serif for programs that lack the font and whose default has
 * serifs.
 */
static void add_font(const char *font, struct fg_out *out)
{
	struct fg_buf family = FG_BUF_INIT;

	fg_buf_addf(&family, strchr(font, ',') ? "%s" : "%s,sans-serif", font);
	fg_xml_attr_text(out, "font-family", fg_buf_cstr(&family));
	fg_buf_release(&family);
}

static void open_text_group(const struct fg_graph_options *o, struct fg_out *out)
{
	add(out, "<g");
	add_font(o->fonttype, out);
	fg_xml_attr_number(out, "font-size", o->fontsize);
	fg_colour_attr(out, "fill", o->ui_colour);
	add(out, ">\n");
}

/*
 * Adds the attributes by which programs that read inferno's pictures find the counts of
 * frames.
 */
static void add_inferno_names(const struct fg_graph *g, struct fg_out *out)
{
	if (g->options->compat != FG_COMPAT_INFERNO)
		return;
	add(out, " xmlns:fg=\"http://github.com/jonhoo/inferno\"");
	fg_xml_attr_number(out, "total_samples", g->layout.total);
}

/* Adds everything below the headings and the heat map. */
static void add_graph(struct fg_graph *g, struct fg_out *out)
{
	add_data_note(g, out);
	fg_legend_write(g, out);
	add(out, "<g id=\"frames\" fill=\"#000\"");
	fg_diffmarks_write_width(&g->diff, out);
	add_inferno_names(g, out);
	add(out, ">\n");
	fg_frames_write(g, out);
	add(out, "</g>\n");
	fg_timeaxis_write_narrow(g, out);
}

void fg_svg_write(struct fg_graph *g, struct fg_out *out)
{
	const struct fg_graph_options *o = g->options;
	const struct size size = { g->layout.width, g->layout.height };

	open_root(o, size, out);
	fg_rootattr_write(g, out);
	add(out, ">\n");
	add_notes(o, out);
	add_metadata(g, out);
	add_gradient(o, out);
	fg_diffmarks_write_pattern(&g->diff, out);
	add_theme(o, out);
	add_dark_changes(g, out);
	fg_embed_viewer_style(g, out);
	add_background(o, size, out);
	open_text_group(o, out);
	add_labels(g, out);
	add_whole(g, out);
	fg_summary_write(g, g->layout.top - g->layout.heat - g->layout.summary, out);
	fg_heatmap_write(g, g->layout.top - g->layout.heat, out);
	fg_timeaxis_write(g, out);
	if (o->heatmap != FG_HEATMAP_ONLY)
		add_graph(g, out);
	add(out, "</g>\n");
	fg_embed_viewer(g, out);
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
