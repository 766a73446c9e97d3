/* What the options of flamegraph mean. */
#ifndef FG_FLAMEGRAPH_OPTIONS_H
#define FG_FLAMEGRAPH_OPTIONS_H

#include "flamegraph/extract.h"
#include "flamegraph/palette.h"
#include "lib/base/compat.h"
#include "lib/profile/filter.h"
#include "lib/base/regex.h"

/* How much of a picture's width a frame must have to be drawn. */
struct fg_min_width {
	double number;
	bool percent; /* of the total; else in pixels */
};

/* What a picture says about frames besides drawing them. */
enum fg_data_mode {
	FG_DATA_FULL, /* all frames, as data for the viewer */
	FG_DATA_DRAWN, /* those that are drawn, as data */
	FG_DATA_NONE, /* those that are drawn, as attributes of their elements */
};

/* What the width of a frame of a differential graph stands for. */
enum fg_diff_view {
	FG_DIFF_UNION, /* the counts after; before, for what is gone */
	FG_DIFF_AFTER,
	FG_DIFF_BEFORE,
};

/* Which counts its colour compares. */
enum fg_diff_by { FG_DIFF_INCLUSIVE, FG_DIFF_SELF };

/* By those; each ends in NULL. */
extern const char *const fg_diff_view_names[], *const fg_diff_by_names[];

enum fg_diff_colors {
	FG_DIFF_SAFE, /* for any colour vision */
	FG_DIFF_CLASSIC, /* red is more, blue is less */
};

/* Whether a profile with slices of time gets a heat map. */
enum fg_heatmap {
	FG_HEATMAP_AUTO, /* over its frames */
	FG_HEATMAP_ONLY, /* and nothing else */
	FG_HEATMAP_NONE,
};

/* For light surroundings or dark ones. */
enum fg_theme {
	FG_THEME_AUTO, /* light, or as a browser's user prefers */
	FG_THEME_LIGHT,
	FG_THEME_DARK,
	FG_THEME_CLASSIC, /* the look of flamegraph.pl; then a picture has auto */
};

/* By enum fg_theme; ends in NULL. */
extern const char *const fg_theme_names[];

/* What a picture is to be: read by all that draws, set by fg_graph_args_check alone. */
struct fg_graph_options {
	/* Texts are borrowed, NULL where there is none. */
	const char *title, *subtitle, *notes;
	const char *countname, *unit, *nametype, *fonttype, *encoding;
	const char *nameattr;
	uint64_t width, height;
	double fontsize, fontwidth, total, factor;
	int palette; /* enum fg_palette */
	int data; /* enum fg_data_mode */
	int heatmap; /* enum fg_heatmap */
	int theme; /* enum fg_theme */
	int diff_view; /* enum fg_diff_view */
	int diff_by; /* enum fg_diff_by */
	int diff_colors; /* enum fg_diff_colors */
	int compat; /* enum fg_compat */
	int shorten; /* enum fg_shorten */
	bool hash, random, cp, deterministic, colordiffusion, negate;
	bool reverse, inverted, flamechart, no_sort, diff;
	bool pretty_xml, no_script;
	bool title_by_kind; /* the command is the title, where it is known */
	bool titles_as_ever; /* the word is samples where nothing is known */
	bool fluid; /* a viewer may choose another width */
	struct fg_min_width minwidth;
	bool own_minwidth; /* given, so that it holds in a viewer too */
	size_t data_limit; /* characters; 0: none */
	bool own_data_limit; /* given, so that it holds for a heat map too */
	size_t data_readable; /* FG_TREEDATA_MAX, but in tests */
	struct fg_background background;
	enum fg_ground ground;
	bool own_background, own_text; /* given, so that no theme changes it */
	struct fg_rgb ui_colour, search_colour, stroke_colour;
	bool has_stroke;
	const char *search; /* the expression of search_regex */
	struct fg_regex *search_regex; /* borrowed; NULL without --search */
	struct fg_opt_list base; /* names of --base, borrowed */
	/* borrowed; NULL where stacks stay as they are */
	struct fg_filter *stack_filter;
};

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
