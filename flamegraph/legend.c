/* Writes the legend: swatches, each with its text. */
#include "flamegraph/legend.h"

#include <math.h>
#include <stdio.h>

#include "flamegraph/diffmarks.h"
#include "flamegraph/whole.h"
#include "lib/base/number.h"
#include "lib/svg/xml.h"
#include "lib/base/utf8.h"

/* Multiples of --fontsize: a swatch, the gap to its text, and the space after that. */
#define SWATCH 0.8
#define GAP 0.35
#define SPACE 1.0

/*
 * Multiples of --fontsize: a line, the last line, and the first baseline from the top.
 */
#define LINE 1.3
#define LAST_LINE 1.5
#define FIRST 0.8

/* The number of libraries that the viewer shows in a narrow window, two in a line. */
#define LIBRARIES_IN_NARROW 6

/* The most characters of a library's name. */
#define NAME_CHARS 28

struct swatch {
	struct fg_rgb colour;
	bool is_heading; /* a text before the swatches, without a colour */
	char text[192];
};

/*
 * The most swatches: a heading, one for each library with a hue, one for all other
 * libraries, and one for functions without a library.
 */
#define SWATCHES_MAX (1 + FG_LIBRARY_HUES + 2)

struct legend {
	struct swatch swatches[SWATCHES_MAX];
	size_t count;
};

struct place {
	double x;
	unsigned line;
};

static struct swatch *add_swatch(struct legend *l, struct fg_rgb colour)
{
	struct swatch *s = &l->swatches[l->count++];

	*s = (struct swatch){ .colour = colour };
	return s;
}

/* Adds a heading, such as "Self by module:". */
static void add_heading(struct legend *l, const char *text)
{
	struct swatch *heading = add_swatch(l, (struct fg_rgb){ 0, 0, 0 });

	heading->is_heading = true;
	snprintf(heading->text, sizeof(heading->text), "%.180s:", text);
}

/* Writes a share in percent with its sign and two digits, never with an exponent. */
static void put_share(struct swatch *s, double share, const char *word)
{
	double left = fabs(share);
	int decimals = 0;

	if (left >= 0.0001 && left < 99.5) {
		snprintf(s->text, sizeof(s->text), "%+.2g%%%s", share, word);
		return;
	}
	for (; left > 0 && left < 9.95; left *= 10)
		decimals++;
	snprintf(s->text, sizeof(s->text), "%+.*f%%%s", decimals, share, word);
}

/*
 * Adds a swatch for `part` of the largest change, from -1 to 1. Its text is the change
 * as a share of the larger total, like "+4.2%", followed by `word`.
 */
static void add_change(struct legend *l, const struct fg_changes *d, double part,
		       const char *word)
{
	uint64_t most =
		d->after_total > d->before_total ? d->after_total : d->before_total;
	enum fg_change change = part < 0 ? FG_CHANGE_LESS : FG_CHANGE_MORE;
	struct fg_rgb colour = fg_changes_shade(d, change, part < 0 ? -part : part);

	if (d->options->diff_colors == FG_DIFF_CLASSIC)
		colour = fg_colour_delta(part, 1);
	if (d->options->negate)
		part = -part;
	put_share(add_swatch(l, colour), 100 * part * d->max / (double)most, word);
}

static void add_word(struct legend *l, const struct fg_changes *d,
		     enum fg_change change, const char *word)
{
	struct swatch *s = add_swatch(l, fg_changes_shade(d, change, 1));

	snprintf(s->text, sizeof(s->text), "%s", word);
}

/*
 * Appends "Change of total, % of 1,200 samples" or, if counts were scaled
 * because shares are compared, "Change of total as a share of 0.334 s -> 1.077 s".
 */
static void add_scale(struct fg_graph *g, struct fg_buf *text)
{
	bool is_scaled = g->diff.totals.scaled;

	fg_buf_addf(text,
		    is_scaled ? "Change of %s as a share of " : "Change of %s, %% of ",
		    g->options->diff_by == FG_DIFF_SELF ? "self" : "total");
	if (is_scaled)
		fg_whole_add_recorded(g, text);
	else
		fg_whole_add_largest(g, text);
}

/*
 * Adds the swatches of a difference. Adds the one for noise only if we know the weight
 * of a sample, because otherwise we cannot tell noise.
 */
static void add_changes(struct legend *l, struct fg_graph *g)
{
	const struct fg_changes *d = &g->diff;
	bool turned = d->options->negate;
	struct fg_buf heading = FG_BUF_INIT;

	add_scale(g, &heading);
	add_heading(l, fg_buf_cstr(&heading));
	fg_buf_release(&heading);
	add_change(l, d, -1, turned ? " more" : " less");
	add_change(l, d, -0.25, "");
	add_word(l, d, FG_CHANGE_NONE, d->sample > 0 ? "alike, or noise" : "alike");
	add_change(l, d, 0.25, "");
	add_change(l, d, 1, turned ? " less" : " more");
	add_word(l, d, FG_CHANGE_NEW, "new");
	add_word(l, d, FG_CHANGE_GONE, "gone");
}

/* Appends the text of a library's swatch, without its share. */
static void add_library_name(const struct fg_libraries *l, size_t rank,
			     struct fg_buf *text)
{
	size_t others = l->count - FG_LIBRARY_HUES;
	struct fg_str name, shown;

	if (rank == FG_LIBRARY_HUES) {
		fg_buf_addf(text, "%zu %s", others, others == 1 ? "other" : "others");
	} else if (rank > FG_LIBRARY_HUES) {
		fg_buf_add_str(text, l->by == FG_BY_KIND ? FG_STR("no module") :
							   FG_STR("unknown"));
	} else {
		name = fg_intern_name(&l->names, l->order[rank]);
		shown = fg_utf8_fitting(name, NAME_CHARS);
		fg_buf_add_str(text, shown);
		fg_buf_add_str(text, shown.len < name.len ? FG_STR("..") : FG_STR(""));
	}
}

/* Adds the swatch of a library, in the middle of the shades of its functions. */
static void add_library(struct legend *l, const struct fg_graph *g, size_t rank,
			uint64_t self)
{
	const struct fg_shade middle = FG_LIBRARIES_MIDDLE;
	struct swatch *s =
		add_swatch(l, fg_libraries_rank_colour(g->libraries, rank, middle));
	double percent = fg_percent(fg_tree_number(&g->tree, self), g->layout.total);
	struct fg_buf name = FG_BUF_INIT;

	add_library_name(g->libraries, rank, &name);
	snprintf(s->text, sizeof(s->text), "%s %.1f%%", fg_buf_cstr(&name), percent);
	fg_buf_release(&name);
}

/* An entry of the legend of libraries. */
struct entry {
	size_t rank;
	uint64_t self;
};

/* Inserts an entry behind those that have at least as many own counts. */
static size_t insert(struct entry *entries, size_t count, struct entry e)
{
	size_t at = count;

	for (; at && entries[at - 1].self < e.self; at--)
		entries[at] = entries[at - 1];
	entries[at] = e;
	return count + 1;
}

static void add_libraries(struct legend *l, const struct fg_graph *g)
{
	const struct fg_libraries *libraries = g->libraries;
	struct entry entries[FG_LIBRARY_HUES + 2];
	struct entry others = { FG_LIBRARY_HUES, 0 };
	struct entry unknown = { FG_LIBRARY_HUES + 1, libraries->unknown };
	size_t count = 0;

	add_heading(l,
		    libraries->by == FG_BY_KIND ? "Self by module" : "Self by library");
	for (size_t rank = 0; rank < libraries->count; rank++) {
		uint64_t self = libraries->self[libraries->order[rank]];

		if (rank < FG_LIBRARY_HUES)
			count = insert(entries, count, (struct entry){ rank, self });
		else
			others.self += self;
	}
	if (libraries->count > FG_LIBRARY_HUES)
		count = insert(entries, count, others);
	if (unknown.self)
		count = insert(entries, count, unknown);
	for (size_t i = 0; i < count; i++)
		add_library(l, g, entries[i].rank, entries[i].self);
}

/* Returns the sum of the own counts of all waiting frames, in the tree's units. */
static uint64_t sum_waits(const struct fg_graph *g)
{
	const struct fg_tree *tree = &g->tree;
	uint64_t sum = 0;

	for (size_t i = 1; i < tree->count; i++)
		if (fg_str_ends(fg_intern_name(&tree->names, tree->nodes[i].name),
				FG_STR("_[o]")))
			sum += tree->nodes[i].self;
	return sum;
}

/*
 * Adds the shares of running and waiting, for profiles of collapse-perf --wall. Only
 * waiting has a swatch, because all waiting frames have one colour and running frames
 * have many.
 */
static void add_waits(struct legend *l, const struct fg_graph *g)
{
	const struct fg_shade middle = { { 0.5, 0.5, 0.5 } };
	uint64_t sum = sum_waits(g);
	double total = g->layout.total, waits = fg_tree_number(&g->tree, sum);
	struct swatch *s;

	if (!sum)
		return;
	s = add_swatch(l, (struct fg_rgb){ 0, 0, 0 });
	s->is_heading = true;
	snprintf(s->text, sizeof(s->text),
		 *g->words.spoken ? "Of all %.100s: %.1f%% on CPU" :
				    "%.100s%.1f%% on CPU",
		 g->words.spoken, fg_percent(total - waits, total));
	s = add_swatch(l, fg_palette_colour((enum fg_palette)g->options->palette,
					    FG_STR("_[o]"), middle));
	snprintf(s->text, sizeof(s->text), "%.1f%% waiting", fg_percent(waits, total));
}

static struct legend make(struct fg_graph *g)
{
	struct legend l = { .count = 0 };

	if (g->diff.on)
		add_changes(&l, g);
	else if (fg_graph_shows_libraries(g))
		add_libraries(&l, g);
	else if (fg_palette_marks_kinds((enum fg_palette)g->options->palette))
		add_waits(&l, g);
	return l;
}

/* Moves `at` past a swatch and its text. */
static void move_on(const struct fg_graph *g, const struct swatch *s, struct place *at)
{
	double size = g->options->fontsize;
	size_t columns = fg_utf8_columns(fg_str_from(s->text));
	double text = (double)columns * size * g->options->fontwidth;

	at->x += (s->is_heading ? 0 : SWATCH + GAP) * size + text + SPACE * size;
}

/*
 * Returns the place of a swatch: `at`, or the start of a new line if it does not fit
 * there. Then moves `at` to the place for the next swatch.
 */
static struct place place(const struct fg_graph *g, const struct swatch *s,
			  struct place *at)
{
	struct place here = *at;

	move_on(g, s, at);
	if (at->x > g->layout.width && here.x > FG_SIDE_PADDING) {
		here = (struct place){ FG_SIDE_PADDING, here.line + 1 };
		*at = here;
		move_on(g, s, at);
	}
	return here;
}

static unsigned count_lines(const struct fg_graph *g, const struct legend *l)
{
	struct place at = { FG_SIDE_PADDING, 1 };

	for (size_t i = 0; i < l->count; i++)
		place(g, &l->swatches[i], &at);
	return at.line;
}

/*
 * Returns how many lines the legend needs in a narrow window, not counting its heading.
 * The heading takes one more line, for which there is space beside the details line.
 */
static unsigned lines_in_narrow(const struct fg_graph *g, const struct legend *l)
{
	size_t shown = l->count - 1;

	if (!fg_graph_shows_libraries(g) || g->libraries->by == FG_BY_KIND)
		return 1;
	return (unsigned)((shown < LIBRARIES_IN_NARROW ? shown : LIBRARIES_IN_NARROW) +
			  1) /
	       2;
}

double fg_legend_height(struct fg_graph *g)
{
	struct legend l = make(g);
	unsigned lines;

	if (!l.count)
		return 0;
	lines = count_lines(g, &l);
	if (lines < lines_in_narrow(g, &l))
		lines = lines_in_narrow(g, &l);
	return ((lines - 1) * LINE + LAST_LINE) * g->options->fontsize;
}

/* Writes a swatch. `y` is the baseline of its text. */
static void write_swatch(const struct fg_graph *g, const struct swatch *s,
			 struct place at, double y, struct fg_out *out)
{
	double size = g->options->fontsize, side = s->is_heading ? 0 : SWATCH * size;
	char fill[FG_DIFFMARKS_FILL_MAX], *end;

	fg_out_add_str(out, FG_STR("<rect class=\"fg-swatch\""));
	fg_xml_attr_number(out, "x", at.x);
	fg_xml_attr_number(out, "y", y - SWATCH * size);
	fg_xml_attr_number(out, "width", side);
	fg_xml_attr_number(out, "height", side);
	end = s->is_heading ? fg_put_str(fill, FG_STR("none")) :
			      fg_diffmarks_put_fill(fill, &g->diff, s->colour, true);
	fg_out_add_str(out, FG_STR(" fill=\""));
	fg_out_add_str(out, fg_str_of(fill, (size_t)(end - fill)));
	fg_out_add_char(out, '"');
	fg_out_add_str(out, FG_STR("/><text"));
	fg_xml_attr_number(out, "x",
			   at.x + (s->is_heading ? 0 : (SWATCH + GAP) * size));
	fg_xml_attr_number(out, "y", y);
	fg_out_add_char(out, '>');
	fg_xml_text(out, fg_str_from(s->text));
	fg_out_add_str(out, FG_STR("</text>\n"));
}

void fg_legend_write(struct fg_graph *g, struct fg_out *out)
{
	struct legend l = make(g);
	double size = g->options->fontsize;
	double first = g->layout.height - g->layout.legend + FIRST * size;
	struct place at = { FG_SIDE_PADDING, 0 };

	for (size_t i = 0; i < l.count; i++) {
		const struct swatch *s = &l.swatches[i];
		struct place here = place(g, s, &at);

		write_swatch(g, s, here, first + here.line * LINE * size, out);
	}
}
