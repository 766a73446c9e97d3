/* The legend of a differential graph: swatches, each with what it stands for. */
#include "flamegraph/legend.h"

#include <stdio.h>

#include "flamegraph/number.h"
#include "flamegraph/xml.h"

/* By --fontsize: a swatch, what is between it and its text, and after that. */
#define SWATCH 0.8
#define GAP 0.35
#define SPACE 1.0

/* The baseline, by --fontsize from the bottom. */
#define RISE 0.7

struct swatch {
	struct fg_rgb colour;
	char text[32];
};

/* "+4.2%": `part` of the largest change, as a share of the larger side. */
static struct swatch swatch_of(const struct fg_changes *d, double part)
{
	uint64_t most =
		d->after_total > d->before_total ? d->after_total : d->before_total;
	enum fg_change change = part < 0 ? FG_CHANGE_LESS : FG_CHANGE_MORE;
	struct swatch s = { .colour =
				    fg_changes_shade(change, part < 0 ? -part : part) };

	if (d->options->diff_colors == FG_DIFF_CLASSIC)
		s.colour = fg_colour_delta(part, 1);
	if (d->options->negate)
		part = -part;
	snprintf(s.text, sizeof(s.text), "%+.2g%%", 100 * part * d->max / (double)most);
	return s;
}

static void add_number(struct fg_out *out, const char *name, double value)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_add_number(&text, value);
	fg_xml_attr(out, name, fg_buf_str(&text));
	fg_buf_release(&text);
}

/* Returns where the next one starts. */
static double write_swatch(const struct fg_graph *g, const struct swatch *s, double x,
			   struct fg_out *out)
{
	double size = g->options->fontsize;
	double y = g->layout.height - RISE * size;
	char colour[FG_RGB_MAX];
	char *end = fg_put_colour(colour, s->colour);
	struct fg_str text = fg_str_from(s->text);

	fg_out_add_str(out, FG_STR("<rect class=\"fg-swatch\""));
	add_number(out, "x", x);
	add_number(out, "y", y - SWATCH * size);
	add_number(out, "width", SWATCH * size);
	add_number(out, "height", SWATCH * size);
	fg_xml_attr(out, "fill", fg_str_of(colour, (size_t)(end - colour)));
	fg_out_add_str(out, FG_STR("/><text"));
	x += (SWATCH + GAP) * size;
	add_number(out, "x", x);
	add_number(out, "y", y);
	fg_out_add_char(out, '>');
	fg_xml_text(out, text);
	fg_out_add_str(out, FG_STR("</text>\n"));
	return x + (double)text.len * size * g->options->fontwidth + SPACE * size;
}

void fg_legend_write(const struct fg_graph *g, struct fg_out *out)
{
	const struct fg_changes *d = &g->diff;
	struct swatch swatches[] = {
		[2] = { fg_changes_shade(FG_CHANGE_NONE, 0), "alike, or noise" },
		[5] = { fg_changes_shade(FG_CHANGE_NEW, 1), "new" },
		[6] = { fg_changes_shade(FG_CHANGE_GONE, 1), "gone" },
	};
	double x = FG_SIDE_PADDING;

	if (!d->on)
		return;
	swatches[0] = swatch_of(d, -1);
	swatches[1] = swatch_of(d, -0.25);
	swatches[3] = swatch_of(d, 0.25);
	swatches[4] = swatch_of(d, 1);
	for (size_t i = 0; i < FG_COUNT_OF(swatches); i++)
		x = write_swatch(g, &swatches[i], x, out);
}
