/* Draws the heat map: cells, an axis of time, and a legend of the shades. */
#include "flamegraph/heatmap.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "flamegraph/diffmarks.h"
#include "lib/profile/amount.h"
#include "flamegraph/heatgrid.h"
#include "lib/svg/xml.h"

#define SECOND UINT64_C(1000000000)

/*
 * In pixels: the height of all cells of a column, the least and the greatest width of a
 * column, and the least distance between ticks.
 */
#define MAP_HEIGHT 150
#define LEAST_COLUMN 4
#define MOST_COLUMN 24
#define TICK_SPACE 80

/*
 * Heights as multiples of --fontsize: the line above the cells, the axis, the legend.
 */
#define HEAD_LINE 1.6
#define AXIS_LINE 1.5
#define LEGEND_LINE 1.9

/*
 * The colour of cells. The deeper a shade, the more opaque it is, so deep shades stand
 * out on a light and on a dark background.
 */
#define HUE "#d9480f"

double fg_heatmap_height(const struct fg_graph_options *options)
{
	return MAP_HEIGHT +
	       ceil((HEAD_LINE + AXIS_LINE + LEGEND_LINE) * options->fontsize);
}

static void add(struct fg_out *out, const char *text)
{
	fg_out_add_str(out, fg_str_from(text));
}

static void add_text(struct fg_out *out, double x, double y, struct fg_buf *text)
{
	fg_out_addf(out, "<text x=\"%.4g\" y=\"%.4g\">", x, y);
	fg_xml_text(out, fg_buf_str(text));
	add(out, "</text>\n");
	fg_buf_clear(text);
}

/* Appends a width of time like "20 ms". */
static void add_width(struct fg_buf *b, uint64_t ns)
{
	struct fg_buf text = FG_BUF_INIT;
	size_t digits = 0;

	if (ns % (60 * SECOND) == 0) {
		fg_buf_addf(b, "%" PRIu64 " min", ns / (60 * SECOND));
		return;
	}
	fg_slice_add_width(&text, ns);
	while (digits < text.len && fg_is_digit(text.ptr[digits]))
		digits++;
	fg_buf_add(b, text.ptr, digits);
	fg_buf_add_char(b, ' ');
	fg_buf_add_str(b, fg_str_from_pos(fg_buf_str(&text), digits));
	fg_buf_release(&text);
}

/*
 * Appends a time like "12.5 s", "1:05 min" or "14:05 h". The form depends on `end`, the
 * last time of the axis, so that all times of the axis have the same form.
 */
static void add_time(struct fg_buf *b, uint64_t ns, uint64_t end)
{
	uint64_t seconds = ns / SECOND;

	if (end <= 120 * SECOND)
		fg_buf_addf(b, "%.6g s", (double)ns / (double)SECOND);
	else if (end <= 7200 * SECOND)
		fg_buf_addf(b, "%" PRIu64 ":%02" PRIu64 " min", seconds / 60,
			    seconds % 60);
	else
		fg_buf_addf(b, "%" PRIu64 ":%02" PRIu64 " h", seconds / 3600,
			    seconds / 60 % 60);
}

/* ---- cells */

/* The end of the path so far, in cells. */
struct pen {
	size_t x, y;
};

/* Adds the cells of one shade to a path. Adjacent cells of a column are one line. */
static void add_shade(const struct fg_heatgrid *g, unsigned shade, struct fg_buf *path)
{
	struct pen pen = { 0, 0 };

	for (size_t x = 0; x < g->columns; x++) {
		const double *cells = g->cells + x * g->rows;

		for (size_t y = 0; y < g->rows;) {
			size_t from = y;

			while (y < g->rows && cells[y] > 0 &&
			       fg_heatgrid_shade(g, cells[y]) == shade)
				y++;
			if (y == from) {
				y++;
				continue;
			}
			fg_buf_addf(path, "m%zu %lldv%zu", x - pen.x,
				    (long long)from - (long long)pen.y, y - from);
			pen = (struct pen){ x, y };
		}
	}
}

static void write_cells(const struct fg_heatgrid *g, double width, double top,
			struct fg_out *out)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_out_addf(out,
		    "<g class=\"fg-cells\" transform=\"translate(%d,%.4g) "
		    "scale(%.6g,%.6g)\" fill=\"none\" stroke=\"" HUE
		    "\" shape-rendering=\"crispEdges\">\n",
		    FG_SIDE_PADDING, top + MAP_HEIGHT, width / (double)g->columns,
		    -(double)MAP_HEIGHT / (double)g->rows);
	for (unsigned shade = 0; shade < FG_HEAT_SHADES; shade++) {
		fg_buf_clear(&path);
		add_shade(g, shade, &path);
		if (!path.len)
			continue;
		fg_out_addf(out, "<path stroke-opacity=\"%.3g\" d=\"M.5 0",
			    (shade + 1.0) / FG_HEAT_SHADES);
		fg_out_add_str(out, fg_buf_str(&path));
		add(out, "\"/>\n");
	}
	fg_buf_release(&path);
	add(out, "</g>\n");
}

/* ---- texts */

/* Distances between ticks, in seconds. */
static const double ticks[] = {
	1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2,  0.5,  1,	   2,	  5,	 10,
	15,   30,   60,	  120,	300,  600,  900, 1800, 3600, 7200, 10800, 21600, 43200,
};

/*
 * Returns the number of columns between two ticks. The time between two ticks is then a
 * round number, and their texts do not overlap.
 */
static uint64_t find_step(const struct fg_heatgrid *g, double width)
{
	double seconds = (double)g->column / (double)SECOND;
	double columns = TICK_SPACE * (double)g->columns / width;

	for (size_t i = 0; i < FG_COUNT_OF(ticks); i++) {
		double step = ticks[i] / seconds;

		if (step >= columns && step >= 1 && fabs(step - round(step)) < 1e-6)
			return (uint64_t)round(step);
	}
	return (uint64_t)fmax(1, ceil(columns));
}

static void write_axis(const struct fg_heatgrid *g, double width, double y,
		       struct fg_out *out)
{
	double column = width / (double)g->columns;
	uint64_t end = (g->first + g->columns) * g->column;
	uint64_t step = find_step(g, width);
	struct fg_buf text = FG_BUF_INIT;

	fg_out_addf(out, "<path d=\"M%d %.4gh%.6g\" stroke=\"#808080\"/>\n",
		    FG_SIDE_PADDING, y + 0.5, width);
	for (uint64_t at = 0; at < g->columns; at++) {
		if ((g->first + at) % step)
			continue;
		add_time(&text, (g->first + at) * g->column, end);
		add_text(out, FG_SIDE_PADDING + (double)at * column, y + 13, &text);
	}
	fg_buf_release(&text);
}

/*
 * Appends "Heat map: columns of 1 s, in them 20 ms from the bottom": the times that a
 * column and a cell span.
 */
static void add_caption(const struct fg_heatgrid *g, const struct fg_slice_header *h,
			struct fg_buf *text)
{
	struct fg_buf start = FG_BUF_INIT;
	struct fg_str lines;

	fg_buf_add_str(text, FG_STR("Heat map: columns of "));
	add_width(text, g->column);
	fg_buf_add_str(text, FG_STR(", in them "));
	add_width(text, g->row);
	fg_buf_add_str(text, FG_STR(" from the bottom"));
	if (!h->has_start)
		return;
	fg_slice_add_header(&start, h);
	lines = fg_buf_str(&start);
	fg_str_cut(&lines, '\n');
	fg_str_cut(&lines, ' ');
	fg_str_cut(&lines, ' ');
	fg_buf_add_str(text, FG_STR("; 0 s is "));
	fg_buf_add_str(text, fg_str_before(lines, strlen("2026-11-23T14:05:00")));
	fg_buf_add_str(text, FG_STR("Z"));
	fg_buf_release(&start);
}

/* Draws the swatch of a shade. Returns the distance from `x` to its text. */
static double write_swatch(double x, double y, unsigned shade, struct fg_out *out)
{
	fg_out_addf(out,
		    "<path d=\"M%.4g %.4gh10v10h-10z\" fill=\"" HUE
		    "\" fill-opacity=\"%.3g\"/>\n",
		    x, y - 9, (shade + 1.0) / FG_HEAT_SHADES);
	return 14;
}

/*
 * Writes the highest count that each shade stands for. Leaves out shades that no whole
 * count falls into.
 */
static void write_legend(struct fg_graph *g, const struct fg_heatgrid *grid, double y,
			 struct fg_out *out)
{
	struct fg_str unit = fg_str_from(fg_unit_name(&g->unit, g->options));
	double one = g->words.factor / (double)fg_pow10(g->tree.decimals);
	double character = g->options->fontsize * g->options->fontwidth;
	double x = FG_SIDE_PADDING, last = 0;
	struct fg_buf text = FG_BUF_INIT;

	add_width(&text, grid->row);
	fg_buf_add_str(&text, FG_STR(" with up to:"));
	for (unsigned shade = 0; shade < FG_HEAT_SHADES; shade++) {
		double most = floor((shade + 1.0) * grid->top / FG_HEAT_SHADES);
		double after = (double)text.len + 1.5;

		if (!(most > last))
			continue;
		last = most;
		if (text.len) {
			add_text(out, x, y, &text);
			x += after * character;
		}
		x += write_swatch(x, y, shade, out);
		fg_amount_add(&text, unit, most * one);
	}
	fg_diffmarks_add_word(&text, g);
	if (grid->max > grid->top)
		fg_buf_add_str(&text, FG_STR(" and more"));
	add_text(out, x, y, &text);
	fg_buf_release(&text);
}

/*
 * Returns the width of the map: at most `width`, and less if columns would be too wide.
 */
static double width_of(const struct fg_heatgrid *g, double width)
{
	return fmin(width, (double)g->columns * MOST_COLUMN);
}

void fg_heatmap_write(struct fg_graph *g, double top, struct fg_out *out)
{
	const struct fg_slicedata *d = &g->slices.slices;
	double room = g->layout.width - 2 * FG_SIDE_PADDING,
	       size = g->options->fontsize;
	double map = top + ceil(HEAD_LINE * size), foot = map + MAP_HEIGHT, width;
	struct fg_buf caption = FG_BUF_INIT;
	struct fg_heatgrid grid;

	if (!g->slices.on)
		return;
	fg_heatgrid_init(&grid, d, (size_t)fmax(room / LEAST_COLUMN, 1));
	width = width_of(&grid, room);
	add_caption(&grid, &d->header, &caption);
	add(out, "<g class=\"fg-heat\" role=\"img\"");
	fg_xml_attr(out, "aria-label", fg_buf_str(&caption));
	add(out, ">\n");
	add_text(out, FG_SIDE_PADDING, top + size, &caption);
	write_cells(&grid, width, map, out);
	write_axis(&grid, width, foot, out);
	write_legend(g, &grid, foot + (AXIS_LINE + 1) * size, out);
	add(out, "</g>\n");
	fg_buf_release(&caption);
	fg_heatgrid_release(&grid);
}
