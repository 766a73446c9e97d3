/* Puts scripts and styles into the picture. */
#include "flamegraph/embed.h"

#include "flamegraph/assets.h"
#include "flamegraph/timeaxis.h"

/*
 * A picture with at most this many frames, including the root, is so simple that the
 * small viewer is enough.
 */
#define SMALL_FRAMES 6

/* Adds a CDATA section. A "]]>" in the text is split between two sections. */
static void add_cdata(struct fg_out *out, struct fg_str text)
{
	struct fg_str end = FG_STR("]]>");

	fg_out_add_str(out, FG_STR("<![CDATA[" FG_ASSET_LEAD));
	for (;;) {
		size_t at = fg_str_find(text, end);

		fg_out_add_str(out, fg_str_before(text, at));
		if (at == text.len)
			break;
		fg_out_add_str(out, FG_STR("]]]]><![CDATA[>"));
		text = fg_str_from_pos(text, at + end.len);
	}
	fg_out_add_str(out, FG_STR("]]>"));
}

void fg_embed_style(struct fg_out *out, struct fg_str rules)
{
	fg_out_add_str(out, FG_STR("<style type=\"text/css\">"));
	add_cdata(out, rules);
	fg_out_add_str(out, FG_STR("</style>\n"));
}

void fg_embed_script(struct fg_out *out, struct fg_str script)
{
	fg_out_add_str(out, FG_STR("<script type=\"text/ecmascript\">"));
	add_cdata(out, script);
	fg_out_add_str(out, FG_STR("</script>\n"));
}

/* Returns true if any profile has slices of time that the viewer can read. */
static bool has_slices(const struct fg_graph *g)
{
	bool any = g->slices.bytes.len > 0;

	for (size_t i = 0; i < g->profile.other_count; i++)
		any |= g->profile.others[i].slices.bytes.len > 0;
	return any;
}

/*
 * Returns true if the small viewer is enough. assets/viewer/features.js says what it
 * lacks.
 */
static bool is_small(const struct fg_graph *g)
{
	return g->data.complete && g->tree.count <= SMALL_FRAMES &&
	       g->words.counted != FG_COUNTED_UNKNOWN;
}

void fg_embed_viewer_style(const struct fg_graph *g, struct fg_out *out)
{
	struct fg_str style = fg_str_of(fg_asset_viewer_css, fg_asset_viewer_css_len);
	struct fg_str small = fg_str_of(fg_asset_small_css, fg_asset_small_css_len);

	if (!g->options->no_script)
		fg_embed_style(out, is_small(g) ? small : style);
}

void fg_embed_viewer(const struct fg_graph *g, struct fg_out *out)
{
	struct fg_str viewer = fg_str_of(fg_asset_viewer_js, fg_asset_viewer_js_len);
	struct fg_str small = fg_str_of(fg_asset_small_js, fg_asset_small_js_len);

	if (g->options->no_script)
		return;
	if (g->profile.other_count)
		fg_embed_script(
			out, fg_str_of(fg_asset_profiles_js, fg_asset_profiles_js_len));
	if (has_slices(g))
		fg_embed_script(out, fg_str_of(fg_asset_heat_js, fg_asset_heat_js_len));
	if (fg_timeaxis_is_drawn(g))
		fg_embed_script(out,
				fg_str_of(fg_asset_chart_js, fg_asset_chart_js_len));
	fg_embed_script(out, is_small(g) ? small : viewer);
}
