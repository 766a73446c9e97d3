/* A flame graph: all that its picture is made of. */
#ifndef FG_FLAMEGRAPH_GRAPH_H
#define FG_FLAMEGRAPH_GRAPH_H

#include "flamegraph/changes.h"
#include "flamegraph/heat.h"
#include "flamegraph/layout.h"
#include "flamegraph/libraries.h"
#include "flamegraph/names.h"
#include "flamegraph/words.h"

/* The tree as data in the picture (flamegraph/data.h). */
struct fg_data {
	struct fg_buf bytes; /* compressed; empty where there are none */
	size_t frames; /* in them, the root included */
	uint64_t min; /* frames with less were left out, as the tree counts; or 0 */
};

/* The slices of time of the tree (flamegraph/heatdata.h). */
struct fg_heatdata {
	bool on; /* there are any */
	struct fg_slicedata slices; /* of the frames in the data */
	struct fg_buf bytes; /* compressed; empty where the picture has no data */
	/* the same of what slices have in all; empty if they are few */
	struct fg_buf totals;
};

/* Which of the profiles of a picture it is. */
struct fg_place_among {
	struct fg_buf name; /* by which links name it; empty where it is the only one */
	size_t nth;
	struct fg_graph *others; /* of the first one: those behind it */
	size_t other_count;
};

struct fg_graph {
	const struct fg_graph_options *options; /* checked */
	struct fg_diag *diag;
	struct fg_tree tree;
	struct fg_unit unit;
	struct fg_words words; /* for what is counted */
	struct fg_changes diff;
	struct fg_libraries *libraries; /* NULL but with --colors library or kind */
	struct fg_layout layout;
	struct fg_search search;
	const struct fg_nameattrs *attributes; /* those of all profiles */
	struct fg_palette_map colours; /* used with --cp only */
	struct fg_names names; /* made of all of these */
	struct fg_data data;
	struct fg_heat heat; /* until it is in: */
	struct fg_heatdata slices;
	struct fg_place_among among;
};

/* Whether libraries choose the colours of frames: counts do not. */
bool fg_graph_shows_libraries(const struct fg_graph *g);

/* The delta, as the tree counts, that has the deepest hue; at least 1. */
uint64_t fg_graph_max_delta(const struct fg_graph *g);

#endif
