/* Leaves out narrow frames, and computes the row and the pixels of all other frames. */
#include "flamegraph/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/*
 * If --total is less than the sum of the counts, but at least this share of it, we
 * blame rounding.
 */
#define NEARLY 0.98

static double choose_total(const struct fg_tree *tree,
			   const struct fg_graph_options *options, struct fg_diag *diag)
{
	double sum = fg_tree_number(tree, tree->total);
	double after = fg_tree_number(tree, tree->after_total);

	if (!(options->total > 0))
		return sum;
	if (tree->after && options->total > after)
		return sum + options->total - after;
	if (options->total >= sum)
		return options->total;
	if (options->total < NEARLY * sum)
		fg_warn(diag, NULL,
			"--total %g is ignored, because it is less than the sum of the "
			"counts, %.15g",
			options->total, sum);
	return sum;
}

/*
 * Returns the least count, in the tree's units, whose frame is at least as wide as
 * `min`.
 */
static uint64_t min_counts(const struct fg_layout *l, const struct fg_tree *tree,
			   struct fg_min_width min)
{
	double number =
		min.percent ? l->total * min.number / 100 : min.number / l->per_count;
	uint64_t counts;

	number *= (double)fg_pow10(tree->decimals);
	if (number >= (double)UINT64_MAX)
		return UINT64_MAX;
	counts = (uint64_t)number;
	return counts + ((double)counts < number);
}

/*
 * Fills l->frames with the frames that are wide enough. Skips the descendants of a
 * narrow frame, which are never wider than it.
 */
static void prune(struct fg_layout *l, const struct fg_tree *tree)
{
	struct fg_tree_starts starts = { NULL, 0 };
	unsigned depth = 0;
	uint32_t node = 0;

	while (node != FG_TREE_NONE) {
		bool wide = tree->nodes[node].total >= l->drawn;
		uint64_t start = fg_tree_start(&starts, tree, node, depth);

		if (wide || !node) {
			FG_GROW(l->frames, l->alloc, l->count + 1);
			l->frames[l->count++] =
				(struct fg_layout_frame){ node, depth, start };
			if (depth > l->max_depth)
				l->max_depth = depth;
		}
		node = fg_tree_walk(tree, node, wide, &depth);
	}
	free(starts.at);
}

static void set_height(struct fg_layout *l)
{
	l->height = (l->max_depth + 1.0) * l->frame_height + l->top + l->bottom;
}

void fg_layout_init(struct fg_layout *l, const struct fg_tree *tree,
		    const struct fg_graph_options *options, struct fg_diag *diag)
{
	double lines = options->subtitle && *options->subtitle ? 5 : 3;

	memset(l, 0, sizeof(*l));
	l->total = choose_total(tree, options, diag);
	l->width = (double)options->width;
	l->per_count = (l->width - 2 * FG_SIDE_PADDING) / l->total;
	l->top = lines * options->fontsize;
	l->bottom = 2 * options->fontsize + 10;
	if (options->inverted && options->compat == FG_COMPAT_INFERNO) {
		/* inferno-flamegraph writes the details line above the frames */
		l->top += options->fontsize + 4;
		l->bottom -= options->fontsize;
	}
	l->frame_height = (double)options->height;
	l->inverted = options->inverted;
	l->least = options->minwidth;
	/* a chart has the pixels of narrower frames, too: see timeaxis.h */
	if (options->flamechart && options->compat == FG_COMPAT_NONE &&
	    !options->minwidth_given && !tree->before)
		l->least = (struct fg_min_width){ .number = 0.5 };
	l->drawn = min_counts(l, tree, l->least);
	prune(l, tree);
	set_height(l);
}

/* Returns the totals of all frames except the root. The caller frees the array. */
static uint64_t *gather_totals(const struct fg_layout *l, const struct fg_tree *tree)
{
	uint64_t *totals = fg_xcalloc(l->count, sizeof(*totals));

	for (size_t i = 1; i < l->count; i++)
		totals[i - 1] = tree->nodes[l->frames[i].node].total;
	return totals;
}

/*
 * Returns the least threshold from l->drawn to `high` that keeps at most `most`
 * frames, or `high` if all of them keep more.
 */
static uint64_t find_threshold(const struct fg_layout *l, const struct fg_tree *tree,
			       size_t most, uint64_t high)
{
	uint64_t low = l->drawn;
	uint64_t *totals = gather_totals(l, tree);

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		size_t wide = 1;

		for (size_t i = 0; i + 1 < l->count; i++)
			wide += totals[i] >= middle;
		if (wide > most)
			low = middle + 1;
		else
			high = middle;
	}
	free(totals);
	return low;
}

static void keep_wide(struct fg_layout *l, const struct fg_tree *tree)
{
	size_t kept = 0;

	l->max_depth = 0;
	for (size_t i = 0; i < l->count; i++) {
		struct fg_layout_frame at = l->frames[i];

		if (i && tree->nodes[at.node].total < l->drawn)
			continue;
		l->frames[kept++] = at;
		if (at.depth > l->max_depth)
			l->max_depth = at.depth;
	}
	l->count = kept;
}

void fg_layout_thin(struct fg_layout *l, const struct fg_tree *tree, size_t most)
{
	const struct fg_min_width pixel = { .number = 1 };

	if (l->count <= most)
		return;
	l->drawn = find_threshold(l, tree, most, min_counts(l, tree, pixel));
	l->least.percent = false;
	l->least.number =
		fmin(pixel.number, fg_tree_number(tree, l->drawn) * l->per_count);
	keep_wide(l, tree);
	set_height(l);
}

void fg_layout_add_legend(struct fg_layout *l, double height)
{
	l->legend = height;
	l->bottom += height;
	set_height(l);
}

void fg_layout_add_heat(struct fg_layout *l, double height)
{
	l->heat = height;
	l->top += height;
	set_height(l);
}

void fg_layout_add_summary(struct fg_layout *l, double height)
{
	l->summary = height;
	l->top += height;
	set_height(l);
}

void fg_layout_deepen(struct fg_layout *l, uint32_t depth)
{
	if (depth > l->max_depth)
		l->max_depth = depth;
	set_height(l);
}

void fg_layout_release(struct fg_layout *l)
{
	free(l->frames);
	memset(l, 0, sizeof(*l));
}

double fg_layout_y(const struct fg_layout *l, uint32_t depth)
{
	if (l->inverted)
		return l->top + depth * l->frame_height;
	return l->height - l->bottom - (depth + 1.0) * l->frame_height + FG_FRAME_GAP;
}
