/* Reads the command line of flamegraph and turns it into options. */
#include "flamegraph/options.h"

#include <string.h>
#include <strings.h>

#include "lib/profile/shorten.h"
#include "lib/base/optrows.h"
#include "lib/svg/treedata.h"
#include "lib/base/visible.h"
#include "lib/profile/slice.h"

#define DEFAULT_WIDTH 1200
#define SHORTEN_NOT_GIVEN (-1)
#define DEFAULT_DATA_LIMIT ((size_t)2 << 20)

#define OPTIONS struct fg_graph_args
#define PALETTE(text, line) TEXT(text, palette, "PALETTE", line, .letter = 'c')

const char *const fg_theme_names[] = {
	[FG_THEME_AUTO] = "auto",
	[FG_THEME_LIGHT] = "light",
	[FG_THEME_DARK] = "dark",
	[FG_THEME_CLASSIC] = "classic",
	NULL,
};

const char *const fg_diff_view_names[] = {
	[FG_DIFF_UNION] = "union",
	[FG_DIFF_AFTER] = "after",
	[FG_DIFF_BEFORE] = "before",
	NULL,
};

const char *const fg_diff_by_names[] = {
	[FG_DIFF_INCLUSIVE] = "inclusive",
	[FG_DIFF_SELF] = "self",
	NULL,
};

static const char *const data_modes[] = {
	[FG_DATA_FULL] = "full",
	[FG_DATA_DRAWN] = "drawn",
	[FG_DATA_NONE] = "none",
	NULL,
};

static const char *const heatmap_modes[] = {
	[FG_HEATMAP_AUTO] = "auto",
	[FG_HEATMAP_ONLY] = "only",
	[FG_HEATMAP_NONE] = "none",
	NULL,
};

static const char *const diff_color_names[] = {
	[FG_DIFF_SAFE] = "safe",
	[FG_DIFF_CLASSIC] = "classic",
	NULL,
};

/* Rows without help text are abbreviations that existing scripts use. */
const struct fg_opt fg_graph_rows[] = {
	SECTION("Texts"),
	TEXT("title", title, "TEXT", "heading (default depends on the kind of graph)"),
	TEXT("subtitle", subtitle, "TEXT", "second heading (default none)"),
	TEXT("s", subtitle, "TEXT", NULL),
	TEXT("countname", countname, "TEXT",
	     "what is counted (default the unit, or samples)"),
	TEXT("unit", unit, "UNIT", "what counts are: ns, us, ms, s, bytes or a word"),
	TEXT("nametype", nametype, "TEXT", "label of a name (default Function:)"),
	TEXT("notes", options.notes, "TEXT", "write a comment into the SVG"),
	TEXT("no", options.notes, "TEXT", NULL),

	SECTION("Size"),
	UINT("width", width, "width of the picture in pixels (default 1200)"),
	UINT("height", options.height, "height of a frame in pixels (default 16)"),
	TEXT("minwidth", minwidth, "N[%]",
	     "leave out narrower frames, pixels or % (default 0.1 to 0.5)",
	     .older = true),
	TEXT("fonttype", fonttype, "FONT", "font (default: the reader's, or Verdana)"),
	REAL("fontsize", options.fontsize, "size of text in pixels (default 12)"),
	REAL("fontwidth", options.fontwidth,
	     "width of a character divided by its size (default 0.59)"),
	REAL("total", options.total, "draw as if the counts summed to N"),
	REAL("factor", options.factor, "multiply the counts shown by N (default 1)"),

	SECTION("Colours"),
	PALETTE("colors", "palette (default kind); see below"),
	PALETTE("color", NULL),
	PALETTE("colo", NULL),
	PALETTE("col", NULL),
	TEXT("bgcolors", bgcolors, "COLOUR",
	     "background: neutral, yellow, blue, green, grey or #rrggbb"),
	TEXT("b", bgcolors, "COLOUR", NULL),
	CHOICE("theme", theme, "THEME", fg_theme_names,
	       "auto (default: what the browser prefers), light, dark, or classic: the "
	       "look of flamegraph.pl"),
	FLAG("hash", options.hash, "similar names get similar colours"),
	FLAG("random", options.random, "a random colour for every frame"),
	FLAG("deterministic", options.deterministic,
	     "colours by name alone (the default)"),
	FLAG("cp", options.cp, "keep colours by name in ./palette.map"),
	FLAG("colordiffusion", options.colordiffusion, "the wider a frame, the redder"),
	TEXT("uicolor", uicolor, "#rrggbb",
	     "colour of text around the graph (default black or white)"),
	TEXT("search-color", search_color, "#rrggbb",
	     "colour of frames that match the search (default #e600e6)"),
	TEXT("stroke-color", stroke_color, "COLOUR",
	     "colour of the outline of frames, or none (default none)"),

	SECTION("Graph"),
	FLAG("inverted", options.inverted, "icicle graph: the root is on top",
	     .letter = 'i', .older = true),
	FLAG("reverse", options.reverse, "merge from the leaves: reverse each stack",
	     .older = true),
	FLAG("flamechart", options.flamechart,
	     "draw stacks in the order of the input, left to right"),
	FLAG("no-sort", options.no_sort, "the input is sorted already; keep its order"),
	CHOICE("heatmap", options.heatmap, "WHAT", heatmap_modes,
	       "heat map of slices: auto (default, above the frames), only, none"),
	TEXT("search", search, "REGEX",
	     "colour frames whose name matches and print their share"),

	SECTION("Two columns"),
	FLAG("diff", options.diff,
	     "draw a difference even if some lines have one count"),
	CHOICE("diff-view", options.diff_view, "VIEW", fg_diff_view_names,
	       "which profile gives the widths: union (default; shows also frames "
	       "that are gone), after, before"),
	CHOICE("diff-by", options.diff_by, "WHAT", fg_diff_by_names,
	       "colours compare inclusive (default) or self counts"),
	CHOICE("diff-colors", options.diff_colors, "RAMP", diff_color_names,
	       "safe (default: for any colour vision) or classic, red and blue"),
	FLAG("negate", options.negate, "swap the colours of more and less"),

	SECTION("Output"),
	CHOICE("data", options.data, "WHAT", data_modes,
	       "frames that the viewer knows: full (default: all), drawn, none"),
	TEXT("data-limit", data_limit, "N[k|m|g]",
	     "most bytes of data (default 2m; 0 for no limit)"),
	FLAG("extract", extract, "print the folded stacks of SVG files"),
	TEXT("from", from, "TIME", "with --extract: slices from that time on"),
	TEXT("to", to, "TIME", "with --extract: slices up to that time"),
	TEXT("nameattr", options.nameattr, "FILE",
	     "file with attributes and links for frames, by name"),
	FLAG("source", options.source,
	     "add the source of the hottest lines, for the cards of frames"),
	LIST("source-dir", options.source_dirs, "DIR",
	     "--source looks for source files below DIR (default the current "
	     "folder)"),
	CHOICE("shorten", shorten, "LANGUAGE", fg_shorten_names,
	       "how labels are shortened: auto, none, cxx, rust, go or java "
	       "(default auto)"),
	FLAG("truncate-text-right", truncate_text_right,
	     "cut labels on the right (the default)"),
	FLAG("pretty-xml", options.pretty_xml, "one element per line, indented"),
	FLAG("no-script", options.no_script, "leave out the viewer: a picture only"),
	FLAG("no-javascript", options.no_script, NULL),
	FLAG("no-summary", options.no_summary,
	     "leave out the lines that say what to look at first"),
	FLAG("csp", csp,
	     "print hashes of script and styles for a content security policy, and "
	     "exit"),
	CHOICE("compat", options.compat, "WITH", fg_compat_names,
	       "none (default), perl or inferno: like flamegraph.pl or "
	       "inferno-flamegraph"),
	TEXT("encoding", encoding, "NAME",
	     "encoding to declare with --compat=perl; the output is always UTF-8"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

void fg_graph_args_init(struct fg_graph_args *a)
{
	struct fg_graph_options *o = &a->options;

	memset(a, 0, sizeof(*a));
	a->nametype = "Function:";
	a->shorten = SHORTEN_NOT_GIVEN;
	a->width = FG_NOT_GIVEN;
	o->height = 16;
	o->fontsize = 12;
	o->fontwidth = 0.59;
	o->factor = 1;
	o->palette = FG_PALETTE_KIND;
	o->data = FG_DATA_FULL;
	o->data_limit = DEFAULT_DATA_LIMIT;
	o->data_readable = FG_TREEDATA_MAX;
	o->search_colour = (struct fg_rgb){ 230, 0, 230 };
}

void fg_graph_args_release(struct fg_graph_args *a)
{
	fg_opts_release(fg_graph_rows, a);
	fg_opts_release(fg_filter_rows, &a->filter);
	fg_regex_free(a->options.search_regex);
	fg_filter_free(a->options.stack_filter);
	for (size_t i = 0; i < FG_GRAPH_TEXTS; i++)
		fg_buf_release(&a->shown[i]);
}

static bool is_given(const char *text)
{
	return text && *text;
}

/* Returns the title. With --compat=inferno, an empty title stays empty. */
static const char *choose_title(const struct fg_graph_args *a)
{
	if (!a->options.title_by_kind)
		return a->title;
	if (a->options.flamechart)
		return "Flame Chart";
	return a->options.inverted ? "Icicle Graph" : "Flame Graph";
}

/* Makes control bytes in texts visible, in the same way as in names. */
static void set_texts(struct fg_graph_args *a)
{
	struct fg_graph_options *o = &a->options;
	const struct {
		const char *given, **shown;
	} texts[FG_GRAPH_TEXTS] = {
		{ choose_title(a), &o->title },	 { a->subtitle, &o->subtitle },
		{ a->countname, &o->countname }, { a->unit, &o->unit },
		{ a->nametype, &o->nametype },
	};

	for (size_t i = 0; i < FG_GRAPH_TEXTS; i++) {
		struct fg_str text = fg_str_from(texts[i].given);

		*texts[i].shown = texts[i].given;
		if (fg_is_visible(text))
			continue;
		fg_add_visible(&a->shown[i], text);
		*texts[i].shown = fg_buf_cstr(&a->shown[i]);
	}
}

struct range {
	const char *option;
	double value, min, max;
};

/*
 * Checks numbers. Beyond these limits a picture makes no sense and its numbers could
 * overflow.
 */
static int check_ranges(const struct fg_graph_options *o, struct fg_diag *diag)
{
	const struct range ranges[] = {
		{ "width", (double)o->width, 21, 1e8 },
		{ "height", (double)o->height, 2, 1e4 },
		{ "fontsize", o->fontsize, 0.1, 1e4 },
		{ "fontwidth", o->fontwidth, 0.001, 1e3 },
		{ "factor", o->factor, 1e-15, 1e15 },
	};

	for (size_t i = 0; i < FG_COUNT_OF(ranges); i++)
		if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max)
			return fg_error(diag, NULL,
					"--%s takes a number from %.10g to %.10g",
					ranges[i].option, ranges[i].min, ranges[i].max);
	return 0;
}

static int read_minwidth(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;
	bool inferno = o->compat == FG_COMPAT_INFERNO;
	struct fg_str text = fg_str_from(inferno ? FG_MIN_PERCENT : FG_MIN_WIDTH);

	o->minwidth_given = a->minwidth || inferno;
	if (a->minwidth)
		text = fg_str_from(a->minwidth);
	o->minwidth.percent = fg_str_cut_end(&text, FG_STR("%")) || inferno;
	if (fg_str_double(text, &o->minwidth.number) || o->minwidth.number < 0)
		return fg_error(diag, NULL,
				"--minwidth takes a number or N%%, not '%s'",
				a->minwidth);
	return 0;
}

/* Reads a colour if the option was given. */
static int read_colour(const char *option, const char *text, struct fg_rgb *colour,
		       struct fg_diag *diag)
{
	if (!text || !fg_rgb_parse_hex(text, colour))
		return 0;
	return fg_error(diag, NULL, "--%s takes #rrggbb, not '%s'", option, text);
}

/* Reads a number of bytes such as 500, 64k or 2m. */
static int parse_size(struct fg_str text, size_t *size)
{
	static const char units[] = "kmg";
	const char *unit;
	uint64_t number, factor = 1;

	unit = text.len ? memchr(units, text.ptr[text.len - 1] | 0x20, 3) : NULL;
	if (unit) {
		text.len--;
		factor = (uint64_t)1 << 10 * (unit - units + 1);
	}
	if (fg_str_u64(text, &number) || number > SIZE_MAX / factor)
		return -1;
	*size = (size_t)(number * factor);
	return 0;
}

static int read_data_limit(struct fg_graph_args *a, struct fg_diag *diag)
{
	a->options.data_limit_given = a->data_limit != NULL;
	if (!a->data_limit ||
	    !parse_size(fg_str_from(a->data_limit), &a->options.data_limit))
		return 0;
	return fg_error(diag, NULL,
			"--data-limit takes a number of bytes such as 500k, "
			"not '%s'",
			a->data_limit);
}

static int read_colours(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;
	const char *stroke = a->stroke_color;

	if (stroke && !strcmp(stroke, "none"))
		stroke = NULL;
	o->has_stroke = stroke != NULL;
	o->text_given = a->uicolor != NULL;
	if (read_colour("uicolor", a->uicolor, &o->ui_colour, diag) ||
	    read_colour("search-color", a->search_color, &o->search_colour, diag) ||
	    read_colour("stroke-color", stroke, &o->stroke_colour, diag))
		return -1;
	return 0;
}

/*
 * Reads the theme and the background. Colours that the user gave are used in every
 * theme. The default colour of text is black or white, whichever is readable on the
 * background.
 */
static int read_theme(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;
	bool classic = a->theme == FG_THEME_CLASSIC;

	o->theme = classic ? FG_THEME_AUTO : a->theme;
	o->ground = fg_palette_ground((enum fg_palette)o->palette);
	if (classic && o->ground == FG_GROUND_NEUTRAL)
		o->ground = FG_GROUND_YELLOW;
	o->background_given = is_given(a->bgcolors);
	o->background = fg_background_of(
		o->ground, o->theme == FG_THEME_DARK ? FG_DARK : FG_LIGHT);
	if (o->background_given && fg_background_parse(a->bgcolors, &o->background))
		return fg_error(
			diag, NULL,
			"--bgcolors takes one of neutral, yellow, blue, green, grey, "
			"#rrggbb, not '%s'",
			a->bgcolors);
	if (!o->text_given)
		o->ui_colour = fg_background_text(o->background);
	return 0;
}

/*
 * Returns true if the default palette may be the new one, kind. Options that choose a
 * colour for each function keep their old default, hot.
 */
static bool may_use_new_palette(const struct fg_graph_args *a)
{
	const struct fg_graph_options *o = &a->options;

	return o->compat == FG_COMPAT_NONE && a->theme != FG_THEME_CLASSIC &&
	       !o->hash && !o->random && !o->cp;
}

/*
 * Reads --colors. With --compat=perl, an unknown name means hot and gives a warning,
 * because old Makefiles use names that flamegraph.pl never knew.
 */
static int read_palette(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;
	const char *name = a->palette;
	int choice;

	for (choice = 0; name && fg_palette_names[choice]; choice++)
		if (!strcmp(fg_palette_names[choice], name))
			break;
	if (!name) {
		if (o->palette == FG_PALETTE_KIND && !may_use_new_palette(a))
			o->palette = FG_PALETTE_HOT;
		return 0;
	}
	if (o->compat == FG_COMPAT_PERL && !fg_palette_names[choice]) {
		fg_warn(diag, NULL, "there is no palette '%s': hot is used instead",
			name);
		choice = FG_PALETTE_HOT;
	} else {
		choice = fg_opt_choose(fg_palette_names, name, "colors", diag);
	}
	if ((choice == FG_PALETTE_LIBRARY || choice == FG_PALETTE_KIND) && o->cp)
		return fg_error(diag, NULL,
				"--cp keeps a colour for each function, but --colors "
				"%s has one for each library: leave out one of them",
				name);
	o->palette = fg_palette_of(choice, o->compat);
	return choice < 0 ? -1 : 0;
}

static bool is_encoding_name(struct fg_str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!fg_is_alpha(name.ptr[i]) &&
		    (!i || (!fg_is_digit(name.ptr[i]) && !strchr("._-", name.ptr[i]))))
			return false;
	return name.len > 0;
}

static int read_encoding(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;

	o->encoding = "UTF-8";
	if (!a->encoding || !strcasecmp(a->encoding, "utf-8") ||
	    !strcasecmp(a->encoding, "utf8"))
		return 0;
	if (o->compat != FG_COMPAT_PERL) {
		fg_warn(diag, NULL,
			"--encoding %s is ignored: the output is always UTF-8",
			a->encoding);
		return 0;
	}
	if (!is_encoding_name(fg_str_from(a->encoding)))
		return fg_error(diag, NULL,
				"--encoding takes a name such as ISO-8859-1, not '%s'",
				a->encoding);
	o->encoding = a->encoding;
	return 0;
}

/*
 * Returns the default font. With the default palette it is the font of the reader's
 * system.
 */
static const char *default_font(const struct fg_graph_args *a)
{
	if (a->options.compat == FG_COMPAT_INFERNO)
		return "monospace";
	return a->options.palette == FG_PALETTE_KIND && a->theme != FG_THEME_CLASSIC ?
		       "system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,"
		       "sans-serif" :
		       "Verdana";
}

/* Sets defaults that depend on other options. */
static void choose_defaults(struct fg_graph_args *a)
{
	struct fg_graph_options *o = &a->options;

	o->classic_titles =
		a->theme == FG_THEME_CLASSIC || o->palette == FG_PALETTE_HOT;
	o->fonttype = a->fonttype ? a->fonttype : default_font(a);
	o->shorten = a->shorten;
	if (a->shorten == SHORTEN_NOT_GIVEN)
		o->shorten =
			o->compat == FG_COMPAT_PERL ? FG_SHORTEN_NONE : FG_SHORTEN_AUTO;
	o->fluid = a->width == FG_NOT_GIVEN;
	o->width = o->fluid ? DEFAULT_WIDTH : a->width;
}

static int read_time(const char *text, const char *option, uint64_t *ns,
		     struct fg_diag *diag)
{
	if (!text || !fg_slice_read_time(fg_str_from(text), ns))
		return 0;
	return fg_error(diag, NULL, "--%s takes a time such as 1.5 or 1500ms, not '%s'",
			option, text);
}

static int read_times(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_extract_range *r = &a->range;

	r->given = a->from || a->to;
	r->to = UINT64_MAX;
	if (read_time(a->from, "from", &r->from, diag) ||
	    read_time(a->to, "to", &r->to, diag))
		return -1;
	if (r->given && !a->extract)
		return fg_error(diag, NULL,
				"--from and --to need --extract: choose the slices to "
				"draw with filter-folded");
	if (r->from >= r->to)
		return fg_error(diag, NULL, "--from has to be before --to");
	return 0;
}

/*
 * Refuses "--heatmap only" together with options that ignore slices or keep an order in
 * which there is no heat map.
 */
static int check_heatmap(const struct fg_graph_options *o, struct fg_diag *diag)
{
	if (o->heatmap != FG_HEATMAP_ONLY ||
	    !(o->flamechart || o->no_sort || o->compat != FG_COMPAT_NONE))
		return 0;
	return fg_error(
		diag, NULL,
		"--heatmap only cannot be combined with --flamechart, --no-sort or "
		"--compat, which draw no heat map");
}

/* Refuses --source in a picture without data. */
static int check_source(const struct fg_graph_options *o, struct fg_diag *diag)
{
	if (o->source_dirs.count && !o->source)
		return fg_error(diag, NULL, "--source-dir needs --source");
	if (o->source && (o->data == FG_DATA_NONE || o->heatmap == FG_HEATMAP_ONLY))
		return fg_error(diag, NULL,
				"--source adds to the data: leave out --data none and "
				"--heatmap only");
	return 0;
}

static int read_filters(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;

	o->search = a->search;
	if (is_given(a->search)) {
		o->search_regex = fg_regex_new(a->search, "--search", diag);
		if (!o->search_regex)
			return -1;
	}
	o->base = a->filter.base;
	a->filter_used = a->filter;
	if (o->compat == FG_COMPAT_INFERNO)
		a->filter_used.base.count = 0;
	return fg_filter_new(&a->filter_used, NULL, diag, &o->stack_filter);
}

int fg_graph_args_check(struct fg_graph_args *a, struct fg_diag *diag)
{
	struct fg_graph_options *o = &a->options;

	o->title_by_kind = !a->title || (!*a->title && o->compat != FG_COMPAT_INFERNO);
	set_texts(a);
	if (read_palette(a, diag) || read_encoding(a, diag) || check_heatmap(o, diag) ||
	    check_source(o, diag))
		return -1;
	choose_defaults(a);
	if (read_times(a, diag) || check_ranges(o, diag) || read_minwidth(a, diag) ||
	    read_data_limit(a, diag) || read_colours(a, diag) || read_theme(a, diag))
		return -1;
	return read_filters(a, diag);
}
