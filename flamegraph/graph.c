/* From folded stacks to an SVG, step by step. */
#include "flamegraph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/input.h"
#include "flamegraph/legend.h"
#include "flamegraph/svg.h"
#include "lib/xalloc.h"

#define LOW_COUNT 100

/* Of drawn frames: a browser takes seconds to open more. */
#define MANY_FRAMES 20000

static void init(struct fg_graph *g, const struct fg_graph_options *options,
		 struct fg_diag *diag)
{
	bool in_order = options->flamechart || options->no_sort ||
			options->compat == FG_COMPAT_INFERNO;

	memset(g, 0, sizeof(*g));
	g->options = options;
	g->diag = diag;
	fg_tree_init(&g->tree, in_order ? FG_TREE_INPUT : FG_TREE_SORTED);
	g->tree.keep_leaf = options->compat == FG_COMPAT_INFERNO;
	fg_palette_map_init(&g->colours);
}

static void init_names(struct fg_graph *g)
{
	const struct fg_names_source source = {
		.options = g->options,
		.tree = &g->tree,
		.search = &g->search,
		.attributes = &g->attributes,
		.libraries = g->libraries,
		.colours = &g->colours,
	};

	fg_names_init(&g->names, &source);
}

static void release(struct fg_graph *g)
{
	fg_data_release(&g->data);
	fg_names_release(&g->names);
	fg_palette_map_release(&g->colours);
	fg_nameattrs_release(&g->attributes);
	fg_search_release(&g->search);
	fg_layout_release(&g->layout);
	fg_changes_release(&g->diff);
	if (g->libraries)
		fg_libraries_release(g->libraries);
	free(g->libraries);
	fg_unit_release(&g->unit);
	fg_tree_release(&g->tree);
}

/* A profile this small is often a mistake, unless something else is counted. */
static void warn_if_low(const struct fg_graph *g)
{
	double total = fg_tree_number(&g->tree, g->tree.total);

	if (total < LOW_COUNT && !strcmp(g->count_name, "samples"))
		fg_warn(g->diag, NULL, "the stack count is low: %.15g samples", total);
}

bool fg_graph_shows_libraries(const struct fg_graph *g)
{
	return g->libraries && !g->tree.before && !g->options->colordiffusion;
}

static void find_libraries(struct fg_graph *g)
{
	if (g->options->palette != FG_PALETTE_LIBRARY)
		return;
	g->libraries = fg_xcalloc(1, sizeof(*g->libraries));
	fg_libraries_init(g->libraries, &g->tree);
	if (!g->libraries->count && fg_graph_shows_libraries(g))
		fg_warn(g->diag, NULL,
			"no name tells the library of its function: all are grey "
			"(collapse-perf --dso appends it)");
}

/* Before the picture: one whose colours cannot be kept is not to look complete. */
static int keep_colours(struct fg_graph *g)
{
	if (!g->options->cp)
		return 0;
	for (size_t i = 1; i < g->layout.count; i++) /* [0], the root, has its own */
		fg_names_get(&g->names, g->tree.nodes[g->layout.frames[i].node].name);
	return g->colours.changed ? fg_palette_map_write(&g->colours, g->diag) : 0;
}

/* With a viewer, narrower frames are there as soon as a zoom makes them wide enough. */
static void warn_if_many(const struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;

	if (o->minwidth_text && !o->no_script && g->data.frames == g->tree.count &&
	    g->layout.count > MANY_FRAMES)
		fg_warn(g->diag, NULL,
			"%zu frames are drawn, which browsers open slowly: without "
			"--minwidth the picture shows as much on zoom",
			g->layout.count);
}

static enum fg_graph_result draw(struct fg_graph *g, struct fg_reader *reader,
				 struct fg_out *out)
{
	const struct fg_graph_options *options = g->options;
	const struct fg_profile profile = { &g->tree, &g->unit };

	if (fg_nameattrs_read(&g->attributes, options->nameattr, g->diag))
		return FG_GRAPH_FAILED;
	switch (fg_input_read(reader, &profile, options, g->diag)) {
	case FG_INPUT_FAILED:
		return FG_GRAPH_FAILED;
	case FG_INPUT_EMPTY:
		fg_svg_write_empty(options, out);
		return FG_GRAPH_EMPTY;
	case FG_INPUT_READ:
		break;
	}
	fg_tree_finish(&g->tree);
	g->count_name = fg_unit_word(&g->unit, options);
	fg_changes_init(&g->diff, &g->tree, &g->unit, options, g->diag);
	warn_if_low(g);
	find_libraries(g);
	fg_layout_init(&g->layout, &g->tree, options, g->diag);
	fg_layout_add_legend(&g->layout, fg_legend_height(g));
	if (fg_search_run(&g->search, &g->tree, options->search_regex, options->search))
		return FG_GRAPH_FAILED;
	if (options->cp && fg_palette_map_read(&g->colours, g->diag))
		return FG_GRAPH_FAILED;
	init_names(g);
	fg_data_init(&g->data, g);
	warn_if_many(g);
	if (g->data.frames == g->tree.count && !options->minwidth_text)
		fg_layout_thin(&g->layout, &g->tree);
	if (keep_colours(g))
		return FG_GRAPH_FAILED;
	fg_svg_write(g, out);
	return FG_GRAPH_DRAWN;
}

uint64_t fg_graph_max_delta(const struct fg_graph *g)
{
	uint64_t one = fg_pow10(g->tree.decimals);

	if (g->diff.on)
		return (uint64_t)g->diff.max;
	return g->tree.max_delta > one ? g->tree.max_delta : one;
}

enum fg_graph_result fg_graph_draw(const struct fg_graph_options *options,
				   struct fg_reader *reader, struct fg_out *out,
				   struct fg_diag *diag)
{
	struct fg_graph graph;
	enum fg_graph_result result;

	init(&graph, options, diag);
	result = draw(&graph, reader, out);
	release(&graph);
	return result;
}
