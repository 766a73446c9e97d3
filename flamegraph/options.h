/*
 * The options of flamegraph: the command line, and the description of the picture that
 * we make from it.
 *
 * The rows of options.c set struct fg_graph_args. Options whose values are used
 * unchanged go straight into its field `options`; fg_graph_args_check() reads the
 * others, such as colours and sizes, and fills in the rest. Everything that draws sees
 * struct fg_graph_options only.
 */
#ifndef FG_FLAMEGRAPH_OPTIONS_H
#define FG_FLAMEGRAPH_OPTIONS_H

#include "flamegraph/extract.h"
#include "flamegraph/palette.h"
#include "lib/base/compat.h"
#include "lib/profile/filter.h"
#include "lib/base/regex.h"

/* The width that a frame needs to be drawn. */
struct fg_min_width {
	double number;
	bool percent; /* in percent of the total, else in pixels */
};

/* --data: the frames whose counts a picture contains, and in which form. */
enum fg_data_mode {
	FG_DATA_FULL, /* all frames, as data for the viewer */
	FG_DATA_DRAWN, /* only drawn frames, as data */
	FG_DATA_NONE, /* only drawn frames, as attributes of their elements */
};

/* --diff-view: the counts that the width of a frame stands for. */
enum fg_diff_view {
	FG_DIFF_UNION, /* counts after, or counts before for frames that are gone */
	FG_DIFF_AFTER,
	FG_DIFF_BEFORE,
};

/* --diff-by: the counts that the colour of a frame compares. */
enum fg_diff_by { FG_DIFF_INCLUSIVE, FG_DIFF_SELF };

/* Names, indexed by the enum. Each ends in NULL. */
extern const char *const fg_diff_view_names[], *const fg_diff_by_names[];

enum fg_diff_colors {
	FG_DIFF_SAFE, /* for any colour vision */
	FG_DIFF_CLASSIC, /* red is more, blue is less */
};

/* --heatmap: for profiles with slices of time. */
enum fg_heatmap {
	FG_HEATMAP_AUTO, /* above the frames */
	FG_HEATMAP_ONLY, /* without the frames */
	FG_HEATMAP_NONE,
};

enum fg_theme {
	FG_THEME_AUTO, /* light, or what the browser prefers */
	FG_THEME_LIGHT,
	FG_THEME_DARK,
	/* looks like flamegraph.pl; becomes FG_THEME_AUTO with other defaults */
	FG_THEME_CLASSIC,
};

/* Names, indexed by enum fg_theme. Ends in NULL. */
extern const char *const fg_theme_names[];

/* The checked options. Only the rows and fg_graph_args_check() set them. */
struct fg_graph_options {
	/* Strings are borrowed, and NULL if not given. */
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
	bool pretty_xml, no_script, no_summary, source;
	/* no title was given: use the recorded command, or else the kind of graph */
	bool title_by_kind;
	bool classic_titles; /* titles say "samples" even if the unit is unknown */
	bool fluid; /* the viewer may choose another width */
	struct fg_min_width minwidth;
	bool minwidth_given; /* the user gave --minwidth, so the viewer uses it too */
	size_t data_limit; /* in characters; 0: no limit */
	/* the user gave --data-limit, so it limits the heat map's data too */
	bool data_limit_given;
	size_t data_readable; /* FG_TREEDATA_MAX, except in tests */
	struct fg_background background;
	enum fg_ground ground;
	/* the user gave the colour of the background or of text: themes keep it */
	bool background_given, text_given;
	struct fg_rgb ui_colour, search_colour, stroke_colour;
	bool has_stroke;
	const char *search; /* the pattern of search_regex */
	struct fg_regex *search_regex; /* borrowed; NULL without --search */
	struct fg_opt_list base; /* the names of --base; borrowed */
	struct fg_opt_list source_dirs;
	/* Borrowed; NULL if no option filters or changes stacks. */
	struct fg_filter *stack_filter;
};

/* The default of --minwidth, in pixels; with --compat=inferno, in percent. */
#define FG_MIN_WIDTH "0.1"
#define FG_MIN_PERCENT "0.01"

#define FG_NOT_GIVEN UINT64_MAX

/*
 * The number of strings in which control bytes are made visible: title, subtitle,
 * countname, unit, nametype.
 */
#define FG_GRAPH_TEXTS 5

struct fg_graph_args {
	/* Strings are borrowed, and NULL if not given. */
	const char *title, *subtitle, *countname, *unit, *nametype;
	const char *fonttype, *encoding, *minwidth, *bgcolors, *uicolor;
	const char *search_color, *stroke_color, *palette, *search, *data_limit;
	const char *from, *to;
	uint64_t width; /* or FG_NOT_GIVEN */
	int theme; /* enum fg_theme */
	int shorten; /* enum fg_shorten, or -1 if not given */
	int verbosity; /* enum fg_verbosity; may be out of its range */
	bool truncate_text_right, csp, extract;
	struct fg_filter_options filter; /* set by fg_filter_rows */

	/*
	 * The rows set the options that are used unchanged. fg_graph_args_check() sets
	 * all others.
	 */
	struct fg_graph_options options;
	struct fg_extract_range range; /* the range for --extract */

	/* strings in which control bytes were made visible */
	struct fg_buf shown[FG_GRAPH_TEXTS];
	/* a copy of `filter`, without --base if inferno.c handles that */
	struct fg_filter_options filter_used;
};

extern const struct fg_opt fg_graph_rows[];

/* Sets the default of every option. */
void fg_graph_args_init(struct fg_graph_args *a);
void fg_graph_args_release(struct fg_graph_args *a);

/*
 * Fills in a->options and a->range; call it once. They are valid until
 * fg_graph_args_release(). Returns 0, or -1 after reporting what is wrong.
 */
int fg_graph_args_check(struct fg_graph_args *a, struct fg_diag *diag);

#endif
