/*
 * A flame graph: everything that its picture is made from. draw.c fills the fields in.
 */
#ifndef FG_FLAMEGRAPH_GRAPH_H
#define FG_FLAMEGRAPH_GRAPH_H

#include "flamegraph/changes.h"
#include "flamegraph/heat.h"
#include "flamegraph/layout.h"
#include "flamegraph/libraries.h"
#include "flamegraph/names.h"
#include "flamegraph/stall.h"
#include "flamegraph/words.h"

/* The tree as data in the picture; see data.h. */
struct fg_data {
	bool complete; /* the drawn frames say everything, so there are no data */
	struct fg_buf bytes; /* compressed data; empty if the picture has none */
	size_t frames; /* number of frames in the data, including the root */
	/*
	 * frames with a smaller total (in the tree's units) were left out; 0 if none
	 * were
	 */
	uint64_t min;
};

/* The slices of time of the tree; see heatdata.h. */
struct fg_heatdata {
	bool on;
	/*
	 * a stack whose leaf is not in the data counts for its closest ancestor that is
	 */
	struct fg_slicedata slices;
	struct fg_buf bytes; /* compressed; empty if the picture has no data */
	/* Total counts of all slices, compressed; empty if the slices are few. */
	struct fg_buf totals;
};

/* A summary: lines that say what to look at first; see summary.h. */
struct fg_summary_line {
	struct fg_buf text;
	struct fg_buf link; /* a state of the viewer, like "m=malloc" (address.js) */
};

#define FG_SUMMARY_LINES 5

/* A zeroed struct has no lines. */
struct fg_summary {
	struct fg_summary_line lines[FG_SUMMARY_LINES];
	size_t count;
	struct fg_stall stall; /* found by heatdata.c */
};

/* A line that --source shows. */
struct fg_sourceline {
	struct fg_str text; /* empty if the picture does not have it */
	size_t file_len; /* length of the file's name in the place */
	uint32_t number;
	double share; /* share of its profile; the largest if there are several */
};

/* The source of the hottest lines; see sourcelines.h. A zeroed struct has none. */
struct fg_sourcelines {
	struct fg_intern places; /* "src/app.c:12" */
	struct fg_sourceline *lines; /* indexed by id of the place */
	size_t lines_alloc;
	struct fg_arena texts;
	size_t count; /* number of lines with a text */
};

/* The place of a profile among several in one picture. */
struct fg_picture_profile {
	/* the profile's name in links; empty if it is the only one */
	struct fg_buf name;
	size_t nth;
	struct fg_graph *others; /* all other profiles; only set in the first */
	size_t other_count;
};

struct fg_graph {
	const struct fg_graph_options *options;
	struct fg_diag *diag;
	struct fg_tree tree;
	struct fg_unit unit;
	struct fg_words words; /* the words for what is counted */
	struct fg_changes diff;
	struct fg_libraries *libraries; /* NULL unless --colors is library or kind */
	struct fg_layout layout;
	struct fg_search search;
	const struct fg_nameattrs *attributes; /* shared by all profiles */
	struct fg_palette_map colours; /* only with --cp */
	struct fg_names names; /* made from the fields above */
	struct fg_data data;
	/* the slices as they were read; `slices` is made from them */
	struct fg_heat heat;
	struct fg_heatdata slices;
	struct fg_summary summary; /* lines above the frames */
	/* with --source: the lines of all profiles; only set in the first */
	struct fg_sourcelines source;
	struct fg_picture_profile profile;
};

/* Returns true if libraries, not counts, choose the colours of frames. */
bool fg_graph_shows_libraries(const struct fg_graph *g);

/*
 * Returns the delta that gets the strongest colour, in the tree's units. It is never
 * less than a count of 1.
 */
uint64_t fg_graph_max_delta(const struct fg_graph *g);

#endif
