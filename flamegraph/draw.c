/* Draws a flame graph from folded stacks, step by step. */
#include "flamegraph/draw.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/data.h"
#include "flamegraph/heatdata.h"
#include "flamegraph/heatmap.h"
#include "flamegraph/input.h"
#include "flamegraph/legend.h"
#include "flamegraph/profiles.h"
#include "flamegraph/sourcelines.h"
#include "flamegraph/summary.h"
#include "flamegraph/svg.h"
#include "flamegraph/timeaxis.h"
#include "lib/svg/xml.h"
#include "lib/base/xalloc.h"

#define LOW_COUNT 100

/* Data that all profiles of a picture share. */
struct shared {
	struct fg_graph_options options;
	struct fg_nameattrs attributes;
	struct fg_buf title, subtitle;
	struct fg_diag *diag;
};

/*
 * Initialises a graph and moves the tree, the slices and the unit of profile `nth` to
 * it.
 */
static void init(struct fg_graph *g, const struct shared *shared,
		 struct fg_input_profiles *p, size_t nth)
{
	struct fg_unit *unit = &p->sections.items[nth];
	struct fg_tree *tree = &p->trees[nth];

	g->options = &shared->options;
	g->attributes = &shared->attributes;
	g->diag = shared->diag;
	g->tree = *tree;
	fg_tree_init(tree, FG_TREE_SORTED);
	g->unit = *unit;
	*unit = (struct fg_unit){ .mixed_units = false };
	g->heat = p->heats[nth];
	p->heats[nth] = (struct fg_heat){ .count = 0 };
	fg_palette_map_init(&g->colours);
}

static void init_names(struct fg_graph *g)
{
	const struct fg_names_source source = {
		.options = g->options,
		.tree = &g->tree,
		.search = &g->search,
		.attributes = g->attributes,
		.libraries = g->libraries,
		.colours = &g->colours,
	};

	fg_names_init(&g->names, &source);
}

static void release(struct fg_graph *g)
{
	fg_sourcelines_release(&g->source);
	fg_heatdata_release(&g->slices);
	fg_heat_release(&g->heat);
	fg_data_release(&g->data);
	fg_summary_release(&g->summary);
	fg_names_release(&g->names);
	fg_palette_map_release(&g->colours);
	fg_search_release(&g->search);
	fg_layout_release(&g->layout);
	fg_changes_release(&g->diff);
	if (g->libraries)
		fg_libraries_release(g->libraries);
	free(g->libraries);
	fg_buf_release(&g->profile.name);
	fg_unit_release(&g->unit);
	fg_tree_release(&g->tree);
}

/*
 * Warns if the total is low, which is often a mistake. Does not warn if the counts are
 * known not to be samples.
 */
static void warn_if_low(const struct fg_graph *g)
{
	double total = fg_tree_number(&g->tree, g->tree.total) * g->words.factor;

	const char *word =
		total > 1 || total < 1 ? g->words.count_name : g->words.one_name;

	if (total < LOW_COUNT && (!*word || !strcmp(g->words.count_name, "samples")))
		fg_warn(g->diag, NULL, "the stack count is low (%.15g%s%s)", total,
			*word ? " " : "", word);
}

static void find_libraries(struct fg_graph *g)
{
	bool by_library = g->options->palette == FG_PALETTE_LIBRARY;

	if (!by_library && g->options->palette != FG_PALETTE_KIND)
		return;
	g->libraries = fg_xcalloc(1, sizeof(*g->libraries));
	fg_libraries_init(g->libraries, &g->tree,
			  by_library ? FG_BY_LIBRARY : FG_BY_KIND,
			  g->options->reverse ? FG_FROM_LEAF : FG_FROM_ROOT);
	if (by_library && !g->libraries->count && fg_graph_shows_libraries(g))
		fg_warn(g->diag, NULL,
			"no name says which library its function is in, so all frames "
			"are grey (collapse-perf --dso appends the library)");
}

/*
 * Writes the palette map. We do this before we write the picture: if it fails, there
 * must be no picture that looks complete.
 */
static int keep_colours(struct fg_graph *g)
{
	if (!g->options->cp)
		return 0;
	/* the name of the root, [0], has been prepared by fg_names_init() */
	for (size_t i = 1; i < g->layout.count; i++)
		fg_names_get(&g->names, g->tree.nodes[g->layout.frames[i].node].name);
	return g->colours.changed ? fg_palette_map_write(&g->colours, g->diag) : 0;
}

/*
 * Warns if --minwidth makes us draw many frames. Without the option we do not draw the
 * narrowest frames, and the viewer shows them on zoom.
 */
static void warn_if_many(const struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;

	if (o->minwidth_given && !o->no_script && g->data.frames == g->tree.count &&
	    g->layout.count > FG_MANY_FRAMES)
		fg_warn(g->diag, NULL,
			"%zu frames are drawn, so browsers open the picture slowly: "
			"without --minwidth fewer are drawn, and zooming shows the "
			"rest",
			g->layout.count);
}

/* Makes the recorded command the heading, unless the user has set another. */
static void choose_title(struct fg_graph_options *o, struct fg_graph *first)
{
	struct fg_buf *command = &first->unit.command;

	if (o->title_by_kind && command->len && o->compat == FG_COMPAT_NONE)
		o->title = fg_buf_cstr(command);
}

/*
 * Resolves entities such as &amp; in a heading. flamegraph.pl does not escape headings,
 * so its callers pass escaped ones.
 */
static void resolve(const char **heading, struct fg_buf *text)
{
	if (!*heading)
		return;
	fg_xml_resolve(text, fg_str_from(*heading));
	*heading = fg_buf_cstr(text);
}

/* Does everything except writing. Returns 0, or -1 after reporting. */
static int prepare(struct fg_graph *g)
{
	const struct fg_graph_options *options = g->options;

	fg_tree_finish(&g->tree);
	if (fg_changes_init(&g->diff, &g->tree, &g->unit, options, g->diag))
		return -1;
	if (g->diff.on)
		fg_words_init_two(&g->words, &g->diff, &g->unit, options);
	else
		fg_words_init(&g->words, &g->tree, &g->unit, options);
	g->diff.factor = g->words.factor;
	fg_words_hint(&g->words, g->diag);
	warn_if_low(g);
	find_libraries(g);
	fg_layout_init(&g->layout, &g->tree, options, g->diag);
	fg_layout_add_legend(&g->layout, fg_legend_height(g));
	if (fg_search_run(&g->search, &g->tree, options->search_regex, options->search))
		return -1;
	if (options->cp && fg_palette_map_read(&g->colours, g->diag))
		return -1;
	init_names(g);
	fg_data_init(&g->data, g);
	fg_heatdata_init(&g->slices, g);
	fg_summary_init(&g->summary, g);
	fg_layout_add_summary(&g->layout, fg_summary_height(g));
	warn_if_many(g);
	if (g->data.frames == g->tree.count && !options->minwidth_given)
		fg_layout_thin(&g->layout, &g->tree,
			       options->no_script ? FG_MANY_FRAMES : FG_VIEWER_FRAMES);
	return keep_colours(g);
}

/* Makes a graph of each profile that has counts. Returns their number. */
static size_t make_graphs(struct fg_graph *graphs, const struct shared *shared,
			  struct fg_input_profiles *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		if (fg_input_has_counts(&p->trees[i], &shared->options))
			init(&graphs[count++], shared, p, i);
	return count;
}

/*
 * Makes space for the heat map. All profiles of a picture get the same space, but only
 * the slices of the first profile are drawn. Returns 0, or -1 after reporting that
 * there is nothing to draw.
 */
static int add_heat(struct fg_graph *graphs, size_t count)
{
	const struct fg_graph_options *o = graphs->options;
	double height = fg_heatmap_height(o);
	bool any = false;

	for (size_t i = 0; i < count; i++)
		any |= graphs[i].slices.on;
	for (size_t i = 0; any && i < count; i++)
		fg_layout_add_heat(&graphs[i].layout, height);
	if (o->heatmap != FG_HEATMAP_ONLY)
		return 0;
	graphs->layout.height = graphs->layout.top + o->fontsize;
	/* a picture of only the heat map has no frames and no legend */
	graphs->layout.bottom = graphs->layout.legend = 0;
	if (graphs->slices.on)
		return 0;
	if (graphs->tree.before)
		return fg_error(graphs->diag, NULL,
				"a differential profile has no heat map, so --heatmap "
				"only has nothing to draw");
	return fg_error(graphs->diag, NULL,
			"there are no slices of time to draw: collapse-perf --slice "
			"20ms writes them");
}

static enum fg_graph_result draw(struct fg_graph *graphs, size_t count,
				 struct fg_out *out)
{
	fg_profiles_init(graphs, count);
	for (size_t i = 0; i < count; i++)
		if (prepare(&graphs[i]))
			return FG_GRAPH_FAILED;
	fg_profiles_check(graphs);
	fg_timeaxis_init(graphs);
	if (add_heat(graphs, count) ||
	    fg_sourcelines_init(&graphs->source, graphs, count))
		return FG_GRAPH_FAILED;
	fg_svg_write(&graphs[0], out);
	return FG_GRAPH_DRAWN;
}

static enum fg_graph_result draw_all(struct fg_input_profiles *p, struct shared *shared,
				     struct fg_out *out)
{
	struct fg_graph *graphs = fg_xcalloc(p->count, sizeof(*graphs));
	size_t count = make_graphs(graphs, shared, p);
	enum fg_graph_result result;

	/* --data-limit limits all profiles together, so each gets an equal part */
	if (shared->options.data_limit && count > 1)
		shared->options.data_limit = shared->options.data_limit / count + 1;
	if (shared->options.heatmap == FG_HEATMAP_ONLY) {
		shared->options.no_script = true;
		shared->options.data = FG_DATA_NONE;
	}
	choose_title(&shared->options, &graphs[0]);
	result = draw(graphs, count, out);
	for (size_t i = 0; i < count; i++)
		release(&graphs[i]);
	free(graphs);
	return result;
}

enum fg_graph_result fg_graph_draw(const struct fg_graph_options *options,
				   struct fg_reader *reader, struct fg_out *out,
				   struct fg_diag *diag)
{
	struct shared shared = { .options = *options, .diag = diag };
	struct fg_input_profiles profiles;
	enum fg_graph_result result = FG_GRAPH_FAILED;

	if (fg_nameattrs_read(&shared.attributes, options->nameattr, diag)) {
		fg_nameattrs_release(&shared.attributes);
		return FG_GRAPH_FAILED;
	}
	if (options->compat == FG_COMPAT_PERL) {
		resolve(&shared.options.title, &shared.title);
		resolve(&shared.options.subtitle, &shared.subtitle);
	}
	fg_input_init(&profiles, options);
	switch (fg_input_read(reader, &profiles, options, diag)) {
	case FG_INPUT_FAILED:
		break;
	case FG_INPUT_EMPTY:
		fg_svg_write_empty(options, out);
		result = FG_GRAPH_EMPTY;
		break;
	case FG_INPUT_READ:
		result = draw_all(&profiles, &shared, out);
		break;
	}
	fg_input_release(&profiles);
	fg_nameattrs_release(&shared.attributes);
	fg_buf_release(&shared.title);
	fg_buf_release(&shared.subtitle);
	return result;
}
