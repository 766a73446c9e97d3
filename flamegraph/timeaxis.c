/* Draws the axis of a flame chart, and the pixels of its narrow frames. */
#include "flamegraph/timeaxis.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/profile/amount.h"
#include "lib/svg/xml.h"

/* The least distance between two ticks, in pixels. */
#define TICK_SPACE 90

/* The height of the axis as a multiple of --fontsize. */
#define HEIGHT 2.5

bool fg_timeaxis_is_drawn(const struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;

	return o->flamechart && o->compat == FG_COMPAT_NONE && !g->tree.before &&
	       !g->profile.other_count && !g->profile.name.len;
}

double fg_timeaxis_height(const struct fg_graph_options *options)
{
	return ceil(HEIGHT * options->fontsize);
}

static uint32_t depth_of(const struct fg_tree *t)
{
	unsigned depth = 0, most = 0;

	for (uint32_t node = 0; node != FG_TREE_NONE;) {
		most = depth > most ? depth : most;
		node = fg_tree_walk(t, node, true, &depth);
	}
	return most;
}

void fg_timeaxis_init(struct fg_graph *g)
{
	if (!fg_timeaxis_is_drawn(g))
		return;
	if (!g->options->minwidth_given)
		fg_layout_deepen(&g->layout, depth_of(&g->tree));
	fg_layout_add_heat(&g->layout, fg_timeaxis_height(g->options));
}

/* ---- the axis */

/* Returns the least round number that is at least `least`: 1, 2 or 5 times 10^n. */
static double round_up(double least)
{
	static const double digits[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(least) + 1e-9));
	size_t i = 0;

	while (i + 1 < FG_COUNT_OF(digits) && digits[i] * power < least * (1 - 1e-9))
		i++;
	return digits[i] * power;
}

/* Appends a number that is not of a known unit: "1,500", "1.5 M". */
static void add_number(struct fg_buf *text, double number, double step)
{
	static const struct {
		double one;
		const char *letter;
	} large[] = { { 1e12, " T" }, { 1e9, " G" }, { 1e6, " M" } };

	for (size_t i = 0; i < FG_COUNT_OF(large); i++)
		if (step >= large[i].one) {
			fg_amount_add(text, FG_STR(""), number / large[i].one);
			fg_buf_add_str(text, fg_str_from(large[i].letter));
			return;
		}
	fg_amount_add(text, FG_STR(""), number);
}

/* The place of the axis, in pixels, and the numbers on it. */
struct axis {
	struct fg_str unit;
	double y; /* the line below the texts */
	double per_number; /* pixels per number that is shown */
	double total, step;
};

static struct axis measure(struct fg_graph *g)
{
	const struct fg_layout *l = &g->layout;
	double size = g->options->fontsize;
	struct axis a = { .unit = fg_str_from(fg_unit_name(&g->unit, g->options)),
			  .y = l->top - size / 2,
			  .total = l->total * g->words.factor,
			  .per_number = l->per_count / g->words.factor };

	a.step = round_up(TICK_SPACE / a.per_number);
	if (!fg_amount_has_unit(a.unit) && a.step < 1)
		a.step = 1;
	return a;
}

/* Writes the texts of the ticks. A text must not leave the picture. */
static void write_texts(const struct fg_graph *g, const struct axis *a,
			struct fg_out *out)
{
	double character = g->options->fontsize * g->options->fontwidth;
	struct fg_buf text = FG_BUF_INIT;

	for (uint64_t i = 0; (double)i * a->step <= a->total; i++) {
		double number = (double)i * a->step;
		double x = FG_SIDE_PADDING + number * a->per_number + 3;

		fg_buf_clear(&text);
		if (!i)
			fg_buf_add_str(&text, FG_STR("0"));
		else if (fg_amount_has_unit(a->unit))
			fg_amount_add(&text, a->unit, number);
		else
			add_number(&text, number, a->step);
		if (x + (double)text.len * character > g->layout.width)
			break;
		fg_out_addf(out, "<text x=\"%.6g\" y=\"%.6g\">", x, a->y - 4);
		fg_xml_text(out, fg_buf_str(&text));
		fg_out_add_str(out, FG_STR("</text>\n"));
	}
	fg_buf_release(&text);
}

void fg_timeaxis_write(struct fg_graph *g, struct fg_out *out)
{
	struct axis a;

	if (!fg_timeaxis_is_drawn(g))
		return;
	a = measure(g);
	/* the class fg-heat makes the texts light in dark mode, see theme.css */
	fg_out_addf(out,
		    "<g class=\"fg-ticks fg-heat\">\n<path fill=\"none\" "
		    "stroke=\"#808080\" d=\"M%d %.6gH%.6g",
		    FG_SIDE_PADDING, a.y, g->layout.width - FG_SIDE_PADDING);
	for (uint64_t i = 0; (double)i * a.step <= a.total; i++)
		fg_out_addf(out, "M%.6g %.6gV%.6g",
			    floor(FG_SIDE_PADDING + (double)i * a.step * a.per_number) +
				    0.5,
			    a.y - g->options->fontsize, a.y);
	fg_out_add_str(out, FG_STR("\"/>\n"));
	write_texts(g, &a, out);
	fg_out_add_str(out, FG_STR("</g>\n"));
}

/* ---- narrow frames */

/* A run of pixels in a row that belong to frames of the same colour. */
struct run {
	uint32_t name, depth;
	int64_t from, to;
};

struct narrow {
	struct run *runs;
	size_t count, alloc;
	/* by depth: the end of the pixels that are taken, and the last run plus 1 */
	int64_t *taken;
	size_t *last;
};

static void take_pixel(struct narrow *n, uint32_t name, uint32_t depth, int64_t pixel)
{
	struct run *last = n->last[depth] ? &n->runs[n->last[depth] - 1] : NULL;

	if (n->taken[depth] > pixel)
		return;
	n->taken[depth] = pixel + 1;
	if (last && last->name == name && last->to == pixel) {
		last->to++;
		return;
	}
	FG_GROW(n->runs, n->alloc, n->count + 1);
	n->runs[n->count++] = (struct run){ name, depth, pixel, pixel + 1 };
	n->last[depth] = n->count;
}

static void find_narrow(const struct fg_graph *g, struct narrow *n)
{
	const struct fg_layout *l = &g->layout;
	const struct fg_tree *t = &g->tree;
	struct fg_tree_starts starts = { NULL, 0 };
	unsigned depth = 0;

	for (uint32_t node = 0; node != FG_TREE_NONE;) {
		uint64_t start = fg_tree_start(&starts, t, node, depth);
		double left = fg_layout_x(l, fg_tree_number(t, start));
		double right =
			fg_layout_x(l, fg_tree_number(t, start + t->nodes[node].total));
		int64_t end = (int64_t)ceil(right);

		if (right - left < 1)
			take_pixel(n, t->nodes[node].name, depth,
				   (int64_t)floor((left + right) / 2));
		else if (end > n->taken[depth])
			n->taken[depth] = end;
		node = fg_tree_walk(t, node, true, &depth);
	}
	free(starts.at);
}

/* Orders runs by the colour of their names. */
static int compare_runs(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static struct fg_rgb colour_of(const struct fg_graph *g, uint32_t name)
{
	return g->search.found && g->search.found[name] ?
		       g->options->search_colour :
		       fg_names_colour(&g->names, name);
}

static void write_runs(struct fg_graph *g, const struct narrow *n, struct fg_out *out)
{
	const struct fg_layout *l = &g->layout;
	double middle = (l->frame_height - FG_FRAME_GAP) / 2;

	for (size_t i = 0; i < n->count; i++) {
		const struct run *run = &n->runs[i];

		if (!i || run->name != run[-1].name) {
			fg_out_add_str(out,
				       i ? FG_STR("\"/>\n<path") : FG_STR("<path"));
			fg_colour_attr(out, "stroke", colour_of(g, run->name));
			fg_out_add_str(out, FG_STR(" d=\""));
		}
		fg_out_addf(out, "M%lld %.6gh%lld", (long long)run->from,
			    fg_layout_y(l, run->depth) + middle,
			    (long long)(run->to - run->from));
	}
	fg_out_add_str(out, FG_STR("\"/>\n"));
}

void fg_timeaxis_write_narrow(struct fg_graph *g, struct fg_out *out)
{
	struct narrow n = { .runs = NULL };
	size_t rows = (size_t)g->layout.max_depth + 1;

	if (!fg_timeaxis_is_drawn(g) || g->options->minwidth_given)
		return;
	n.taken = fg_xcalloc(rows, sizeof(*n.taken));
	n.last = fg_xcalloc(rows, sizeof(*n.last));
	find_narrow(g, &n);
	if (n.count) {
		qsort(n.runs, n.count, sizeof(*n.runs), compare_runs);
		fg_out_addf(
			out,
			"<g class=\"fg-narrow\" fill=\"none\" stroke-width=\"%.6g\">\n",
			g->layout.frame_height - FG_FRAME_GAP);
		write_runs(g, &n, out);
		fg_out_add_str(out, FG_STR("</g>\n"));
	}
	free(n.runs);
	free(n.taken);
	free(n.last);
}
