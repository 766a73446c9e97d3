/* The options of flamegraph: their rows, their defaults, and what they mean. */
#ifndef FG_FLAMEGRAPH_OPTIONS_H
#define FG_FLAMEGRAPH_OPTIONS_H

#include "flamegraph/palette.h"
#include "lib/compat.h"
#include "lib/filter.h"
#include "lib/regex.h"

/* The --minwidth where none is given; with --compat=inferno, in percent. */
#define FG_MIN_WIDTH "0.1"
#define FG_MIN_PERCENT "0.01"

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

/* For light surroundings or dark ones. */
enum fg_theme {
	FG_THEME_AUTO, /* light, or as a browser's user prefers */
	FG_THEME_LIGHT,
	FG_THEME_DARK,
};

/* By enum fg_theme; ends in NULL. */
extern const char *const fg_theme_names[];

#define FG_NOT_GIVEN UINT64_MAX

struct fg_graph_options {
	/* What the command line says; texts are borrowed, NULL where not given. */
	const char *title, *subtitle, *notes;
	const char *countname, *unit, *nametype, *fonttype, *encoding;
	const char *minwidth_text, *bgcolors, *ui_text, *search_text, *stroke_text;
	const char *nameattr, *search, *data_limit_text, *palette_text;
	uint64_t width, height; /* width: FG_NOT_GIVEN until the options are checked */
	double fontsize, fontwidth, total, factor;
	int palette; /* enum fg_palette */
	int data; /* enum fg_data_mode */
	int theme; /* enum fg_theme */
	int diff_view; /* enum fg_diff_view */
	int diff_by; /* enum fg_diff_by */
	int diff_colors; /* enum fg_diff_colors */
	int compat; /* enum fg_compat */
	int shorten; /* enum fg_shorten */
	int verbosity; /* enum fg_verbosity, or beyond its ends */
	bool hash, random, cp, deterministic, colordiffusion, negate;
	bool reverse, inverted, flamechart, no_sort, diff;
	bool truncate_text_right, pretty_xml, no_script, csp, extract;
	struct fg_filter_options filter; /* set by fg_filter_rows */

	/* What fg_graph_options_check makes of it. */
	bool fluid; /* no --width: a viewer may choose another */
	struct fg_min_width minwidth;
	size_t data_limit; /* characters; 0: none */
	size_t data_readable; /* FG_TREEDATA_MAX, but in tests */
	struct fg_background background;
	bool own_background; /* given, so that no theme changes it */
	struct fg_rgb ui_colour, search_colour, stroke_colour;
	bool has_stroke;
	struct fg_regex *search_regex; /* NULL without --search */
	struct fg_filter_options filter_used; /* without --base where it is inferno's */
	struct fg_filter *stack_filter; /* NULL where stacks stay as they are */
};

extern const struct fg_opt fg_graph_option_rows[];

/* The default of every option. */
void fg_graph_options_init(struct fg_graph_options *o);
void fg_graph_options_release(struct fg_graph_options *o);

/* Fills in what follows from the options: 0, or -1 after saying what is wrong. */
int fg_graph_options_check(struct fg_graph_options *o, struct fg_diag *diag);

#endif
