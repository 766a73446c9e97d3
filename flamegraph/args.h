/* What the command line of flamegraph gives, and how it is understood. */
#ifndef FG_FLAMEGRAPH_ARGS_H
#define FG_FLAMEGRAPH_ARGS_H

#include "flamegraph/extract.h"
#include "flamegraph/options.h"

/* The --minwidth where none is given; with --compat=inferno, in percent. */
#define FG_MIN_WIDTH "0.1"
#define FG_MIN_PERCENT "0.01"

#define FG_NOT_GIVEN UINT64_MAX

/* How many texts are written: title, subtitle, countname, unit, nametype. */
#define FG_GRAPH_TEXTS 5

struct fg_graph_args {
	/* Texts are borrowed, NULL where they are not given. */
	const char *title, *subtitle, *countname, *unit, *nametype;
	const char *fonttype, *encoding, *minwidth, *bgcolors, *uicolor;
	const char *search_color, *stroke_color, *palette, *search, *data_limit;
	const char *from, *to;
	uint64_t width; /* or FG_NOT_GIVEN */
	int theme; /* enum fg_theme */
	int shorten; /* enum fg_shorten, or below */
	int verbosity; /* enum fg_verbosity, or beyond its ends */
	bool truncate_text_right, csp, extract;
	struct fg_filter_options filter; /* set by fg_filter_rows */

	/* Set by the rows where options mean what they say, else by the check. */
	struct fg_graph_options options;
	struct fg_extract_range range; /* of --extract */

	struct fg_buf shown[FG_GRAPH_TEXTS]; /* texts that were not visible */
	struct fg_filter_options filter_used; /* without --base where it is inferno's */
};

extern const struct fg_opt fg_graph_rows[];

/* The default of every option. */
void fg_graph_args_init(struct fg_graph_args *a);
void fg_graph_args_release(struct fg_graph_args *a);

/*
 * Fills in a->options, once: 0, or -1 after saying what is wrong. They hold until
 * fg_graph_args_release.
 */
int fg_graph_args_check(struct fg_graph_args *a, struct fg_diag *diag);

#endif
