/* Draws the heat map: cells, an axis of time, and a legend of the shades. */
#include "flamegraph/heatmap.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "flamegraph/whole.h"
#include "lib/profile/amount.h"
#include "flamegraph/heatgrid.h"
#include "lib/svg/xml.h"

#define SECOND UINT64_C(1000000000)

/*
 * In pixels: the height of all cells of a column, and the least distance between ticks
 * whose texts are short or long.
 */
#define MAP_HEIGHT 150
#define TICK_SPACE 50
#define LONG_TICK_SPACE 80

/* A column has at most this many ticks on the axis beside the cells. */
#define ROW_TICKS 5

/* The space for the texts of that axis, in characters, and its ticks, in pixels. */
#define ROW_TEXT 7
#define ROW_TICK 4

/* Times up to this have short texts. */
#define SHORT_END (120 * SECOND)

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

/* Appends a width of time like "20 ms" or "1.5 min". */
static void add_width(struct fg_buf *b, uint64_t ns)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = {
		{ 3600 * SECOND, "h" },	 { 60 * SECOND, "min" },     { SECOND, "s" },
		{ SECOND / 1000, "ms" }, { SECOND / 1000000, "us" }, { 1, "ns" },
	};
	size_t i = 0;

	while (units[i].ns > 1 &&
	       (ns < units[i].ns || ns % units[i].ns * 10 % units[i].ns))
		i++;
	fg_buf_addf(b, "%.15g %s", (double)ns / (double)units[i].ns, units[i].name);
}

/*
 * Appends a time like "12.5 s", "1:05 min" or "14:05 h". The form depends on `end`, the
 * last time of the axis, so that all times of the axis have the same form.
 */
static void add_time(struct fg_buf *b, uint64_t ns, uint64_t end)
{
	uint64_t seconds = ns / SECOND;

	if (end <= SHORT_END)
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

/* The place of the cells in the picture, in pixels. */
struct area {
	double left, top, width;
};

static void write_cells(const struct fg_heatgrid *g, struct area at, struct fg_out *out)
{
	struct fg_buf path = FG_BUF_INIT;

	fg_out_addf(out,
		    "<g class=\"fg-cells\" transform=\"translate(%.6g,%.4g) "
		    "scale(%.6g,%.6g)\" fill=\"none\" stroke=\"" HUE
		    "\" shape-rendering=\"crispEdges\">\n",
		    at.left, at.top + MAP_HEIGHT, at.width / (double)g->columns,
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
	1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3,	 5e-3,	1e-2,  2e-2,
	5e-2, 0.1,  0.2,  0.5,	1,    2,    5,	  10,	 15,	30,    60,
	120,  300,  600,  900,	1800, 3600, 7200, 10800, 21600, 43200,
};

static uint64_t end_of(const struct fg_heatgrid *g)
{
	return (g->first + g->columns) * g->column;
}

/*
 * Returns the number of columns between two ticks. The time between two ticks is then a
 * round number, and their texts do not overlap.
 */
static uint64_t find_step(const struct fg_heatgrid *g, double width)
{
	double seconds = (double)g->column / (double)SECOND;
	double space = end_of(g) <= SHORT_END ? TICK_SPACE : LONG_TICK_SPACE;
	double columns = space * (double)g->columns / width;

	for (size_t i = 0; i < FG_COUNT_OF(ticks); i++) {
		double step = ticks[i] / seconds;

		if (step >= columns && step >= 1 && fabs(step - round(step)) < 1e-6)
			return (uint64_t)round(step);
	}
	return (uint64_t)fmax(1, ceil(columns));
}

/* Writes the axis below the cells. The last text must not leave the picture. */
static void write_axis(const struct fg_heatgrid *g, struct area at, double character,
		       struct fg_out *out)
{
	double column = at.width / (double)g->columns, y = at.top + MAP_HEIGHT;
	uint64_t step = find_step(g, at.width);
	struct fg_buf text = FG_BUF_INIT;

	fg_out_addf(out, "<path d=\"M%.6g %.4gh%.6g\" stroke=\"#808080\"/>\n", at.left,
		    y + 0.5, at.width);
	for (uint64_t i = 0; i < g->columns; i++) {
		double x = (double)i * column;

		if ((g->first + i) % step)
			continue;
		add_time(&text, (g->first + i) * g->column, end_of(g));
		if (i && x + (double)text.len * character > at.width + FG_SIDE_PADDING)
			break;
		add_text(out, at.left + x, y + 13, &text);
	}
	fg_buf_release(&text);
}

/*
 * Returns the time between two ticks beside the cells: a round part of a column's time.
 */
static uint64_t find_row_step(const struct fg_heatgrid *g)
{
	for (size_t i = 0; i < FG_COUNT_OF(ticks); i++) {
		uint64_t step = (uint64_t)round(ticks[i] * (double)SECOND);

		if (g->column % step == 0 && g->column / step <= ROW_TICKS)
			return step;
	}
	return g->column / 2;
}

/* Writes the axis beside the cells, which shows the time within a column. */
static void write_row_axis(const struct fg_heatgrid *g, struct area at, double size,
			   struct fg_out *out)
{
	double per_ns = MAP_HEIGHT / ((double)g->rows * (double)g->row);
	uint64_t step = find_row_step(g);
	struct fg_buf text = FG_BUF_INIT;

	add(out, "<g text-anchor=\"end\">\n");
	for (uint64_t ns = step; step && ns <= g->column; ns += step) {
		double y = at.top + MAP_HEIGHT - (double)ns * per_ns;

		fg_out_addf(out, "<path d=\"M%.6g %.6gh%d\" stroke=\"#808080\"/>\n",
			    at.left - ROW_TICK, floor(y) + 0.5, ROW_TICK);
		add_width(&text, ns);
		add_text(out, at.left - 2 * ROW_TICK,
			 fmax(y + size / 3, at.top + size * 0.7), &text);
	}
	add(out, "</g>\n");
	fg_buf_release(&text);
}

/*
 * Appends "Heat map: time goes up each column of 1 s, then to the next; a cell is 20
 * ms".
 */
static void add_caption(const struct fg_heatgrid *g, const struct fg_slice_header *h,
			struct fg_buf *text)
{
	struct fg_buf start = FG_BUF_INIT;
	struct fg_str lines;

	fg_buf_add_str(text, FG_STR("Heat map: time goes up each column of "));
	add_width(text, g->column);
	fg_buf_add_str(text, FG_STR(", then to the next; a cell is "));
	add_width(text, g->row);
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
		double most = floor(fg_heatgrid_most(grid, shade));
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
	fg_whole_add_word(&text, g);
	add_text(out, x, y, &text);
	fg_buf_release(&text);
}

void fg_heatmap_write(struct fg_graph *g, double top, struct fg_out *out)
{
	const struct fg_slicedata *d = &g->slices.slices;
	double size = g->options->fontsize, character = size * g->options->fontwidth;
	double beside = FG_SIDE_PADDING + ROW_TEXT * character;
	struct area at = { beside, top + ceil(HEAD_LINE * size),
			   g->layout.width - FG_SIDE_PADDING - beside };
	struct fg_buf caption = FG_BUF_INIT;
	struct fg_heatgrid grid;

	if (!g->slices.on)
		return;
	fg_heatgrid_init(&grid, d, at.width, MAP_HEIGHT);
	add_caption(&grid, &d->header, &caption);
	add(out, "<g class=\"fg-heat\" role=\"img\"");
	fg_xml_attr(out, "aria-label", fg_buf_str(&caption));
	add(out, ">\n");
	add_text(out, FG_SIDE_PADDING, top + size, &caption);
	write_cells(&grid, at, out);
	write_axis(&grid, at, character, out);
	write_row_axis(&grid, at, size, out);
	write_legend(g, &grid, at.top + MAP_HEIGHT + (AXIS_LINE + 1) * size, out);
	add(out, "</g>\n");
	fg_buf_release(&caption);
	fg_heatgrid_release(&grid);
}
