/* A flame graph from folded stacks: everything between the options and the bytes. */
#ifndef FG_FLAMEGRAPH_GRAPH_H
#define FG_FLAMEGRAPH_GRAPH_H

#include "flamegraph/data.h"
#include "flamegraph/changes.h"
#include "flamegraph/layout.h"
#include "flamegraph/libraries.h"
#include "flamegraph/names.h"
#include "flamegraph/unit.h"
#include "lib/reader.h"

struct fg_graph {
	const struct fg_graph_options *options; /* checked */
	struct fg_diag *diag;
	struct fg_tree tree;
	struct fg_unit unit;
	const char *count_name; /* the word after a count; borrowed */
	struct fg_changes diff;
	struct fg_libraries *libraries; /* NULL without --colors library */
	struct fg_layout layout;
	struct fg_search search;
	struct fg_nameattrs attributes;
	struct fg_palette_map colours; /* used with --cp only */
	struct fg_names names; /* made of all of these */
	struct fg_data data;
};

enum fg_graph_result {
	FG_GRAPH_DRAWN,
	FG_GRAPH_FAILED, /* after reporting; nothing useful was written */
	FG_GRAPH_EMPTY, /* no counts: reported, and a picture that says so written */
};

/* Reads all of `reader` and writes an SVG to `out`, which stays open. */
enum fg_graph_result fg_graph_draw(const struct fg_graph_options *options,
				   struct fg_reader *reader, struct fg_out *out,
				   struct fg_diag *diag);

/* Whether libraries choose the colours of frames: counts do not. */
bool fg_graph_shows_libraries(const struct fg_graph *g);

/* The delta, as the tree counts, that has the deepest hue; at least 1. */
uint64_t fg_graph_max_delta(const struct fg_graph *g);

#endif
