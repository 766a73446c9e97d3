/* Folded lines into a tree, in as many decimals as all need, as far as these fit. */
#include "lib/profile/treefit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/* Where the frames of a summed up tree start; the caller frees the array. */
static uint64_t *make_starts(const struct fg_tree *t)
{
	uint64_t *starts = fg_xcalloc(t->count, sizeof(*starts));

	for (size_t i = 0; i < t->count; i++) {
		uint64_t at = starts[i] + t->nodes[i].self;

		for (uint32_t child = t->nodes[i].first; child != FG_TREE_NONE;
		     child = t->nodes[child].next) {
			starts[child] = at;
			at += t->nodes[child].total;
		}
	}
	return starts;
}

static uint64_t rescaled(uint64_t n, unsigned from, unsigned to)
{
	struct fg_count count = { n, from };

	fg_count_scale(count, to, &n);
	return n;
}

/*
 * Rounds where frames start and end, so that the widths still add up to their sum.
 */
static void round_nodes(struct fg_tree *t, unsigned from)
{
	size_t bytes = fg_size_mul(t->count, sizeof(*t->nodes));
	struct fg_tree_node *built = fg_xmalloc(bytes);
	uint64_t *starts;

	memcpy(built, t->nodes, bytes);
	for (size_t i = 0; i < t->count; i++)
		t->nodes[i].total = t->nodes[i].self;
	fg_tree_sum_up(t);
	starts = t->starts ? t->starts : make_starts(t);
	for (size_t i = 0; i < t->count; i++) {
		struct fg_tree_node *node = &t->nodes[i];
		uint64_t end = rescaled(starts[i] + node->total, from, t->decimals);

		starts[i] = rescaled(starts[i], from, t->decimals);
		node->self = end - starts[i];
		node->built = built[i].built;
	}
	for (size_t i = 1; i < t->count; i++)
		t->nodes[t->nodes[i].parent].self -= t->nodes[i].self;
	if (starts != t->starts)
		free(starts);
	free(built);
}

/* Makes all counts be in units of 10^-decimals; they fit. */
static void set_decimals(struct fg_tree *t, unsigned decimals)
{
	unsigned from = t->decimals;

	t->decimals = decimals;
	t->max_delta = rescaled(t->max_delta, from, decimals);
	t->total = rescaled(t->total, from, decimals);
	t->before_total = rescaled(t->before_total, from, decimals);
	for (size_t i = 0; i < t->before_alloc && i < t->count; i++)
		t->before[i] = rescaled(t->before[i], from, decimals);
	if (decimals < from) {
		round_nodes(t, from);
		return;
	}
	for (size_t i = 0; i < t->count; i++) {
		t->nodes[i].self = rescaled(t->nodes[i].self, from, decimals);
		if (t->starts)
			t->starts[i] = rescaled(t->starts[i], from, decimals);
	}
}

/* Whether the totals stay below 2^64 with `line` added, `decimals` being used. */
static bool fits(const struct fg_tree *t, const struct fg_folded *line,
		 unsigned decimals)
{
	struct fg_count totals[2] = { { t->before_total, t->decimals },
				      { t->total, t->decimals } };
	struct fg_count adds[2] = { { 0, 0 }, line->count[line->columns - 1] };

	if (line->columns == 2)
		adds[0] = line->count[0];
	for (unsigned column = 0; column < 2; column++) {
		uint64_t add, total;

		if (fg_count_scale(adds[column], decimals, &add) ||
		    fg_count_scale(totals[column], decimals, &total) ||
		    total > UINT64_MAX - add)
			return false;
	}
	return true;
}

/*
 * Makes room for the counts of `line`: chooses how many decimals are kept, as many as
 * any count has as long as the totals fit, and rescales what is there. Whole counts are
 * never rounded. Returns 0, or -1 where the totals would exceed 2^64-1.
 */
static int fit(struct fg_tree *t, const struct fg_folded *line)
{
	unsigned decimals = t->decimals;

	for (unsigned column = 0; column < line->columns; column++)
		if (line->count[column].decimals > decimals)
			decimals = line->count[column].decimals;
	while (!fits(t, line, decimals))
		if (!decimals--)
			return -1;
	if (decimals != t->decimals)
		set_decimals(t, decimals);
	return 0;
}

int fg_tree_add(struct fg_tree *t, const struct fg_folded *line)
{
	struct fg_str stack = line->stack;
	uint64_t counts[2] = { 0, 0 };

	while (!t->keep_leaf && fg_str_cut_end(&stack, FG_STR(";")))
		;
	if (fit(t, line))
		return -1;
	for (unsigned i = 0; i < line->columns; i++)
		fg_count_scale(line->count[i], t->decimals,
			       &counts[2 - line->columns + i]);
	return fg_tree_count(t, fg_tree_leaf(t, stack), line->columns, counts);
}
