/* The options of flamegraph. */
#include "flamegraph/options.h"

#include <string.h>
#include <strings.h>

#include "flamegraph/shorten.h"
#include "lib/optrows.h"
#include "lib/treedata.h"

#define DEFAULT_WIDTH 1200
#define SHORTEN_NOT_GIVEN (-1)
#define DEFAULT_DATA_LIMIT ((size_t)2 << 20)

#define OPTIONS struct fg_graph_options
#define PALETTE(text, line) TEXT(text, palette_text, "PALETTE", line, .letter = 'c')

const char *const fg_theme_names[] = {
	[FG_THEME_AUTO] = "auto",
	[FG_THEME_LIGHT] = "light",
	[FG_THEME_DARK] = "dark",
	NULL,
};

static const char *const data_modes[] = {
	[FG_DATA_FULL] = "full",
	[FG_DATA_DRAWN] = "drawn",
	[FG_DATA_NONE] = "none",
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

static const char *const diff_color_names[] = {
	[FG_DIFF_SAFE] = "safe",
	[FG_DIFF_CLASSIC] = "classic",
	NULL,
};

/* Rows without a help line keep shortened names working that users have in scripts. */
const struct fg_opt fg_graph_option_rows[] = {
	SECTION("Texts"),
	TEXT("title", title, "TEXT", "heading (default by the kind of graph)"),
	TEXT("subtitle", subtitle, "TEXT", "second heading (default none)"),
	TEXT("s", subtitle, "TEXT", NULL),
	TEXT("countname", countname, "TEXT",
	     "what is counted (default the unit, or samples)"),
	TEXT("unit", unit, "UNIT", "what counts are: ns, us, ms, s, bytes or a word"),
	TEXT("nametype", nametype, "TEXT", "label of a name (default Function:)"),
	TEXT("notes", notes, "TEXT", "write a comment into the SVG"),
	TEXT("no", notes, "TEXT", NULL),

	SECTION("Size"),
	UINT("width", width, "width of the picture in pixels (default 1200)"),
	UINT("height", height, "height of a frame in pixels (default 16)"),
	TEXT("minwidth", minwidth_text, "N[%]",
	     "leave out narrower frames, pixels or % (default 0.1 to 0.5)",
	     .older = true),
	TEXT("fonttype", fonttype, "FONT", "font (default Verdana)"),
	REAL("fontsize", fontsize, "size of text in pixels (default 12)"),
	REAL("fontwidth", fontwidth, "width of a character by its size (default 0.59)"),
	REAL("total", total, "draw as if the counts summed to N"),
	REAL("factor", factor, "multiply the counts shown by N (default 1)"),

	SECTION("Colours"),
	PALETTE("colors", "palette (default hot); see below"),
	PALETTE("color", NULL),
	PALETTE("colo", NULL),
	PALETTE("col", NULL),
	TEXT("bgcolors", bgcolors, "COLOUR",
	     "background: yellow, blue, green, grey or #rrggbb"),
	TEXT("b", bgcolors, "COLOUR", NULL),
	CHOICE("theme", theme, "THEME", fg_theme_names,
	       "auto, light or dark (default auto: as the browser prefers)"),
	FLAG("hash", hash, "similar names get similar colours"),
	FLAG("random", random, "a random colour for every frame"),
	FLAG("deterministic", deterministic, "colours by name alone (the default)"),
	FLAG("cp", cp, "keep colours by name in ./palette.map"),
	FLAG("colordiffusion", colordiffusion, "the wider a frame, the redder"),
	TEXT("uicolor", ui_text, "#rrggbb",
	     "text around the graph (default black or white)"),
	TEXT("search-color", search_text, "#rrggbb",
	     "frames that match the search (default #e600e6)"),
	TEXT("stroke-color", stroke_text, "COLOUR",
	     "outline of frames, #rrggbb or none (default none)"),

	SECTION("Graph"),
	FLAG("inverted", inverted, "icicle graph: the root is on top", .letter = 'i',
	     .older = true),
	FLAG("reverse", reverse, "merge from the leaves: reverse each stack",
	     .older = true),
	FLAG("flamechart", flamechart, "in the order of the input, left to right"),
	FLAG("no-sort", no_sort, "the input is sorted already; keep its order"),
	TEXT("search", search, "REGEX",
	     "colour frames whose name matches and print their share"),

	SECTION("Two columns"),
	FLAG("diff", diff, "draw a difference even if some lines have one count"),
	CHOICE("diff-view", diff_view, "VIEW", fg_diff_view_names,
	       "widths: union (default: what is gone, too), after, before"),
	CHOICE("diff-by", diff_by, "WHAT", fg_diff_by_names,
	       "colours compare inclusive (default) or self counts"),
	CHOICE("diff-colors", diff_colors, "RAMP", diff_color_names,
	       "safe (default: for any colour vision) or classic, red and blue"),
	FLAG("negate", negate, "swap the colours of more and less"),

	SECTION("Output"),
	CHOICE("data", data, "WHAT", data_modes,
	       "frames in the data: full (default), drawn, none"),
	TEXT("data-limit", data_limit_text, "N[k|m|g]",
	     "most bytes of data (default 2m; 0 for no limit)"),
	FLAG("extract", extract, "print the folded stacks of SVG files"),
	TEXT("nameattr", nameattr, "FILE", "attributes and links of frames by name"),
	CHOICE("shorten", shorten, "LANGUAGE", fg_shorten_names,
	       "how labels are shortened: auto, none, cxx, rust, go or java "
	       "(default auto)"),
	FLAG("truncate-text-right", truncate_text_right,
	     "cut labels on the right (the default)"),
	FLAG("pretty-xml", pretty_xml, "one element per line, indented"),
	FLAG("no-script", no_script, "leave out the viewer: a picture only"),
	FLAG("no-javascript", no_script, NULL),
	FLAG("csp", csp,
	     "print the hashes of script and styles for a policy, and exit"),
	CHOICE("compat", compat, "WITH", fg_compat_names,
	       "none (default), perl or inferno: as flamegraph.pl or "
	       "inferno-flamegraph"),
	TEXT("encoding", encoding, "NAME",
	     "declared with --compat=perl; the output is always UTF-8"),
	VERBOSITY(verbosity, "show lines that are ignored"),
	FG_OPT_END,
};

void fg_graph_options_init(struct fg_graph_options *o)
{
	memset(o, 0, sizeof(*o));
	o->nametype = "Function:";
	o->height = 16;
	o->fontsize = 12;
	o->fontwidth = 0.59;
	o->factor = 1;
	o->palette = FG_PALETTE_HOT;
	o->shorten = SHORTEN_NOT_GIVEN;
	o->data = FG_DATA_FULL;
	o->data_limit = DEFAULT_DATA_LIMIT;
	o->data_readable = FG_TREEDATA_MAX;
	o->width = FG_NOT_GIVEN;
	o->search_colour = (struct fg_rgb){ 230, 0, 230 };
}

void fg_graph_options_release(struct fg_graph_options *o)
{
	fg_opts_release(fg_graph_option_rows, o);
	fg_opts_release(fg_filter_rows, &o->filter);
	fg_regex_free(o->search_regex);
	fg_filter_free(o->stack_filter);
}

static bool is_given(const char *text)
{
	return text && *text;
}

/* inferno writes an empty title as it is. */
static void choose_title(struct fg_graph_options *o)
{
	if (o->title && (*o->title || o->compat == FG_COMPAT_INFERNO))
		return;
	if (o->flamechart)
		o->title = "Flame Chart";
	else
		o->title = o->inverted ? "Icicle Graph" : "Flame Graph";
}

struct range {
	const char *option;
	double value, min, max;
};

/* Beyond these limits a picture makes no sense, and its numbers could overflow. */
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

static int check_minwidth(struct fg_graph_options *o, struct fg_diag *diag)
{
	bool inferno = o->compat == FG_COMPAT_INFERNO;
	struct fg_str text;

	if (inferno && !o->minwidth_text)
		o->minwidth_text = FG_MIN_PERCENT;
	text = fg_str_from(o->minwidth_text ? o->minwidth_text : FG_MIN_WIDTH);
	o->minwidth.percent = fg_str_cut_end(&text, FG_STR("%")) || inferno;
	if (fg_str_double(text, &o->minwidth.number) || o->minwidth.number < 0)
		return fg_error(diag, NULL,
				"--minwidth takes a number or N%%, not '%s'",
				o->minwidth_text);
	return 0;
}

/* Reads a colour where the option was given; `wanted` says what it takes. */
static int check_colour(const char *option, const char *text, struct fg_rgb *colour,
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

static int check_data_limit(struct fg_graph_options *o, struct fg_diag *diag)
{
	if (!o->data_limit_text ||
	    !parse_size(fg_str_from(o->data_limit_text), &o->data_limit))
		return 0;
	return fg_error(diag, NULL,
			"--data-limit takes a number of bytes such as 500k, "
			"not '%s'",
			o->data_limit_text);
}

static int check_colours(struct fg_graph_options *o, struct fg_diag *diag)
{
	const char *stroke = o->stroke_text;

	if (stroke && !strcmp(stroke, "none"))
		stroke = NULL;
	o->has_stroke = stroke != NULL;
	if (check_colour("uicolor", o->ui_text, &o->ui_colour, diag) ||
	    check_colour("search-color", o->search_text, &o->search_colour, diag) ||
	    check_colour("stroke-color", stroke, &o->stroke_colour, diag))
		return -1;
	return 0;
}

/* Colours that are given hold in every theme, and text is chosen to go with them. */
static int check_theme(struct fg_graph_options *o, struct fg_diag *diag)
{
	enum fg_ground ground = fg_palette_ground((enum fg_palette)o->palette);
	bool dark = o->theme == FG_THEME_DARK;

	o->own_background = is_given(o->bgcolors);
	o->background = fg_background_of(ground, dark ? FG_DARK : FG_LIGHT);
	if (o->own_background && fg_background_parse(o->bgcolors, &o->background))
		return fg_error(
			diag, NULL,
			"--bgcolors takes one of yellow, blue, green, grey, #rrggbb, "
			"not '%s'",
			o->bgcolors);
	if (!o->ui_text)
		o->ui_colour = fg_background_text(o->background);
	return 0;
}

/* Makefiles of many years have names of palettes that were never in the script. */
static int check_palette(struct fg_graph_options *o, struct fg_diag *diag)
{
	const char *name = o->palette_text;
	int choice;

	for (choice = 0; name && fg_palette_names[choice]; choice++)
		if (!strcmp(fg_palette_names[choice], name))
			break;
	if (!name)
		return 0;
	if (o->compat == FG_COMPAT_PERL && !fg_palette_names[choice]) {
		fg_warn(diag, NULL, "there is no palette '%s', so it is hot", name);
		choice = FG_PALETTE_HOT;
	} else {
		choice = fg_opt_choose(fg_palette_names, name, "colors", diag);
	}
	o->palette = choice;
	if (choice == FG_PALETTE_LIBRARY && o->cp)
		return fg_error(diag, NULL,
				"--cp keeps the colours of functions, --colors library "
				"has those of libraries: leave out one of them");
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

static int check_encoding(struct fg_graph_options *o, struct fg_diag *diag)
{
	if (!o->encoding || !strcasecmp(o->encoding, "utf-8") ||
	    !strcasecmp(o->encoding, "utf8")) {
		o->encoding = "UTF-8";
	} else if (o->compat != FG_COMPAT_PERL) {
		fg_warn(diag, NULL,
			"--encoding %s is ignored: the output is always UTF-8",
			o->encoding);
		o->encoding = "UTF-8";
	} else if (!is_encoding_name(fg_str_from(o->encoding))) {
		return fg_error(diag, NULL,
				"--encoding takes a name such as ISO-8859-1, not '%s'",
				o->encoding);
	}
	return 0;
}

static void choose_compat(struct fg_graph_options *o)
{
	bool inferno = o->compat == FG_COMPAT_INFERNO;

	if (!o->fonttype)
		o->fonttype = inferno ? "monospace" : "Verdana";
	if (o->shorten == SHORTEN_NOT_GIVEN)
		o->shorten =
			o->compat == FG_COMPAT_PERL ? FG_SHORTEN_NONE : FG_SHORTEN_AUTO;
	if (inferno && o->palette == FG_PALETTE_JAVA)
		o->palette = FG_PALETTE_JAVA_LOOSE;
}

int fg_graph_options_check(struct fg_graph_options *o, struct fg_diag *diag)
{
	choose_title(o);
	if (check_palette(o, diag) || check_encoding(o, diag))
		return -1;
	choose_compat(o);
	o->fluid = o->width == FG_NOT_GIVEN;
	if (o->fluid)
		o->width = DEFAULT_WIDTH;
	if (check_ranges(o, diag) || check_minwidth(o, diag) ||
	    check_data_limit(o, diag) || check_colours(o, diag) || check_theme(o, diag))
		return -1;
	if (is_given(o->search)) {
		o->search_regex = fg_regex_new(o->search, "--search", diag);
		if (!o->search_regex)
			return -1;
	}
	o->filter_used = o->filter;
	if (o->compat == FG_COMPAT_INFERNO)
		o->filter_used.base.count = 0;
	return fg_filter_new(&o->filter_used, NULL, diag, &o->stack_filter);
}
