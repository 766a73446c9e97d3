/* The legend: swatches, each with what it stands for. */
#include "flamegraph/legend.h"

#include <stdio.h>

#include "flamegraph/number.h"
#include "flamegraph/xml.h"
#include "lib/utf8.h"

/* By --fontsize: a swatch, what is between it and its text, and after that. */
#define SWATCH 0.8
#define GAP 0.35
#define SPACE 1.0

/* By --fontsize: a line, the last one, and the baseline of the first from the top. */
#define LINE 1.3
#define LAST_LINE 1.5
#define FIRST 0.8

/* Libraries that a viewer shows in a narrow window, two in a line. */
#define LIBRARIES_IN_NARROW 6

/* The most characters of a library's name. */
#define NAME_CHARS 28

struct swatch {
	struct fg_rgb colour;
	bool is_heading; /* of what follows: without a colour */
	char text[192];
};

/* A heading, the libraries with a hue, the others, what is of none. */
#define SWATCHES_MAX (1 + FG_LIBRARY_HUES + 2)

struct legend {
	struct swatch swatches[SWATCHES_MAX];
	size_t count;
};

/* Where a swatch is. */
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

/* "+4.2%": `part` of the largest change, as a share of the larger side. */
static void add_change(struct legend *l, const struct fg_changes *d, double part)
{
	uint64_t most =
		d->after_total > d->before_total ? d->after_total : d->before_total;
	enum fg_change change = part < 0 ? FG_CHANGE_LESS : FG_CHANGE_MORE;
	struct fg_rgb colour = fg_changes_shade(change, part < 0 ? -part : part);
	struct swatch *s;

	if (d->options->diff_colors == FG_DIFF_CLASSIC)
		colour = fg_colour_delta(part, 1);
	if (d->options->negate)
		part = -part;
	s = add_swatch(l, colour);
	snprintf(s->text, sizeof(s->text), "%+.2g%%",
		 100 * part * d->max / (double)most);
}

static void add_word(struct legend *l, enum fg_change change, const char *word)
{
	struct swatch *s = add_swatch(l, fg_changes_shade(change, 1));

	snprintf(s->text, sizeof(s->text), "%s", word);
}

static void add_changes(struct legend *l, const struct fg_changes *d)
{
	add_change(l, d, -1);
	add_change(l, d, -0.25);
	add_word(l, FG_CHANGE_NONE, "alike, or noise");
	add_change(l, d, 0.25);
	add_change(l, d, 1);
	add_word(l, FG_CHANGE_NEW, "new");
	add_word(l, FG_CHANGE_GONE, "gone");
}

/* In the middle of the shades that its functions have. */
static void add_library(struct legend *l, const struct fg_graph *g, size_t rank,
			uint64_t self)
{
	const struct fg_libraries *libraries = g->libraries;
	const struct fg_shade middle = { { 0.5, 0.5, 0.5 } };
	struct swatch *s = add_swatch(l, fg_library_colour(rank, middle));
	double percent = 100 * fg_tree_number(&g->tree, self) / g->layout.total;
	size_t others = libraries->count - FG_LIBRARY_HUES;
	struct fg_str name = FG_STR("unknown"), shown;

	if (rank == FG_LIBRARY_HUES) {
		snprintf(s->text, sizeof(s->text), "%.1f%% %zu %s", percent, others,
			 others == 1 ? "other" : "others");
		return;
	}
	if (rank < FG_LIBRARY_HUES)
		name = fg_intern_name(&libraries->names, libraries->order[rank]);
	shown = fg_utf8_prefix(name, NAME_CHARS);
	snprintf(s->text, sizeof(s->text), "%.1f%% %.*s%s", percent, (int)shown.len,
		 shown.ptr, shown.len < name.len ? ".." : "");
}

static void add_libraries(struct legend *l, const struct fg_graph *g)
{
	const struct fg_libraries *libraries = g->libraries;
	struct swatch *heading = add_swatch(l, (struct fg_rgb){ 0, 0, 0 });
	uint64_t others = 0;

	heading->is_heading = true;
	snprintf(heading->text, sizeof(heading->text),
		 "Self by library, of all %.100s:", g->count_name);
	for (size_t rank = 0; rank < libraries->count; rank++) {
		uint64_t self = libraries->self[libraries->order[rank]];

		if (rank < FG_LIBRARY_HUES)
			add_library(l, g, rank, self);
		else
			others += self;
	}
	if (libraries->count > FG_LIBRARY_HUES)
		add_library(l, g, FG_LIBRARY_HUES, others);
	if (libraries->unknown)
		add_library(l, g, FG_LIBRARY_HUES + 1, libraries->unknown);
}

static struct legend make(const struct fg_graph *g)
{
	struct legend l = { .count = 0 };

	if (g->diff.on)
		add_changes(&l, &g->diff);
	else if (fg_graph_shows_libraries(g))
		add_libraries(&l, g);
	return l;
}

/* Moves to where the swatch after that one would be. */
static void move_on(const struct fg_graph *g, const struct swatch *s, struct place *at)
{
	double size = g->options->fontsize;
	size_t chars = fg_utf8_count(fg_str_from(s->text));
	double text = (double)chars * size * g->options->fontwidth;

	at->x += (s->is_heading ? 0 : SWATCH + GAP) * size + text + SPACE * size;
}

/* Where the swatch is: at `at` or, where it does not fit there, in a new line. */
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

/* The heading has a line of its own there, which the details leave room for. */
static unsigned lines_in_narrow(const struct fg_graph *g, const struct legend *l)
{
	size_t shown = l->count - 1;

	if (!fg_graph_shows_libraries(g))
		return 1;
	return (unsigned)((shown < LIBRARIES_IN_NARROW ? shown : LIBRARIES_IN_NARROW) +
			  1) /
	       2;
}

double fg_legend_height(const struct fg_graph *g)
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

static void add_number(struct fg_out *out, const char *name, double value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_add_number(&text, value);
	fg_xml_attr(out, name, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* `y`: of its text. */
static void write_swatch(const struct fg_graph *g, const struct swatch *s,
			 struct place at, double y, struct fg_out *out)
{
	double size = g->options->fontsize, side = s->is_heading ? 0 : SWATCH * size;
	char colour[FG_RGB_MAX];
	char *end = fg_put_colour(colour, s->colour);

	fg_out_add_str(out, FG_STR("<rect class=\"fg-swatch\""));
	add_number(out, "x", at.x);
	add_number(out, "y", y - SWATCH * size);
	add_number(out, "width", side);
	add_number(out, "height", side);
	fg_xml_attr(out, "fill",
		    s->is_heading ? FG_STR("none") :
				    fg_str_of(colour, (size_t)(end - colour)));
	fg_out_add_str(out, FG_STR("/><text"));
	add_number(out, "x", at.x + (s->is_heading ? 0 : (SWATCH + GAP) * size));
	add_number(out, "y", y);
	fg_out_add_char(out, '>');
	fg_xml_text(out, fg_str_from(s->text));
	fg_out_add_str(out, FG_STR("</text>\n"));
}

void fg_legend_write(const struct fg_graph *g, struct fg_out *out)
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
