/* Computes differential graphs: widths, significant changes, and their colours. */
#include "flamegraph/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/profile/sample_weight.h"
#include "lib/base/xalloc.h"

/* A change of fewer standard deviations than this is noise. */
#define DEVIATIONS 2

/*
 * The least common divisor of all counts that we treat as the weight of a sample.
 * Smaller divisors occur by chance, because plain numbers of samples have them too.
 */
#define LEAST_WEIGHT 1000

/* Two weights that differ by less than this share are treated as equal. */
#define NEARLY 0.001

/* ---- widths */

/*
 * Returns the count that gives a frame its width. In the union view that is the count
 * in the second profile or, if the frame is gone, the count in the first.
 */
static uint64_t width_of(int view, uint64_t before, uint64_t after)
{
	if (view == FG_DIFF_BEFORE)
		return before;
	return after || view == FG_DIFF_AFTER ? after : before;
}

/*
 * Replaces the counts of all nodes by their widths in `view`. First saves the self
 * count that each node has in the second profile in t->after. Returns -1 after
 * reporting that the sum of the widths exceeds 2^64-1.
 */
static int widen(struct fg_tree *t, int view, struct fg_diag *diag)
{
	t->after = fg_xcalloc(t->count, sizeof(*t->after));
	t->after_total = t->total;
	t->total = 0;
	for (size_t i = 0; i < t->count; i++) {
		struct fg_tree_node *node = &t->nodes[i];

		t->after[i] = node->self;
		node->self = width_of(view, t->before[i], node->self);
		node->total = node->self;
		if (t->total > UINT64_MAX - node->self)
			return fg_error(diag, NULL,
					"the sum of the counts, with frames that are "
					"gone, exceeds 2^64-1: use --diff-view after");
		t->total += node->self;
	}
	fg_tree_sum_up(t);
	return 0;
}

/* Moves those children of `parent` that are gone to the right of the others. */
static void part_children(struct fg_changes *d, struct fg_tree *t, uint32_t parent)
{
	uint32_t stays = FG_TREE_NONE, *stays_end = &stays;
	uint32_t gone = FG_TREE_NONE, *gone_end = &gone;

	for (uint32_t i = t->nodes[parent].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next) {
		if (fg_changes_after(d, i)) {
			*stays_end = i;
			stays_end = &t->nodes[i].next;
		} else {
			*gone_end = i;
			gone_end = &t->nodes[i].next;
		}
	}
	*gone_end = FG_TREE_NONE;
	*stays_end = gone;
	t->nodes[parent].first = stays;
}

/* Sets the weights of a sample (d->weights, d->sample) and the recorded totals. */
static void find_samples(struct fg_changes *d, const struct fg_unit *unit,
			 struct fg_diag *diag)
{
	const struct fg_sample_weight_hints hints = {
		.header = fg_buf_str(&unit->sample_weight),
		.differ = unit->mixed_weights,
		.least = LEAST_WEIGHT,
	};
	struct fg_sample_weight w;

	fg_sample_weight_find(&w, d->tree, &hints, diag);
	for (unsigned i = 0; w.source != FG_SAMPLE_WEIGHT_UNKNOWN && i < 2; i++)
		d->weights[i] = w.of[i];
	/*
	 * the mean of both weights is good enough: we ask for noise only if the counts
	 * are similar
	 */
	d->sample = (d->weights[FG_BEFORE] + d->weights[FG_AFTER]) / 2;
	fg_totals_find(&d->totals, d->tree, unit, &w, diag);
}

double fg_changes_sample(const struct fg_changes *d)
{
	const struct fg_totals *t = &d->totals;
	double before = d->weights[FG_BEFORE], after = d->weights[FG_AFTER];

	if (t->scaled)
		before *= t->of[FG_BEFORE] / t->of[FG_AFTER];
	return fabs(before - after) <= NEARLY * after ?
		       after / (double)fg_pow10(d->tree->decimals) :
		       0;
}

/* ---- changes */

uint64_t fg_changes_before(const struct fg_changes *d, uint32_t node)
{
	return d->before[node];
}

uint64_t fg_changes_after(const struct fg_changes *d, uint32_t node)
{
	return d->after ? d->after[node] : d->tree->nodes[node].total;
}

/* Sets *before and *after to the counts that the colour of a frame compares. */
static void compared(const struct fg_changes *d, uint32_t node, double *before,
		     double *after)
{
	uint64_t counts[2] = { fg_changes_before(d, node), fg_changes_after(d, node) };

	if (d->options->diff_by == FG_DIFF_SELF)
		fg_tree_own(d->tree, node, counts);
	*before = (double)counts[FG_BEFORE];
	*after = (double)counts[FG_AFTER];
}

bool fg_changes_is_noise(const struct fg_changes *d, double before, double after)
{
	double change = fabs(after - before);

	if (!(d->sample > 0))
		return change == 0;
	return change / d->sample < DEVIATIONS * sqrt((before + after) / d->sample);
}

/* Returns the change in counts, or 0 if it is noise. --negate swaps its sign. */
static double change_of(const struct fg_changes *d, uint32_t node)
{
	double before, after;

	compared(d, node, &before, &after);
	if (fg_changes_is_noise(d, before, after))
		return 0;
	return d->options->negate ? before - after : after - before;
}

enum fg_change fg_changes_change(const struct fg_changes *d, uint32_t node)
{
	double change;

	if (node && !fg_changes_after(d, node))
		return FG_CHANGE_GONE;
	change = change_of(d, node);
	if (change == 0)
		return FG_CHANGE_NONE;
	if (!fg_changes_before(d, node))
		return FG_CHANGE_NEW;
	return change > 0 ? FG_CHANGE_MORE : FG_CHANGE_LESS;
}

/* ---- colours */

/*
 * Vermilion, blue and purple from the palette of Okabe and Ito, which people with any
 * colour vision can tell apart. The first row is for a light background, the second for
 * a dark one: frames that did not change recede on both.
 */
static const struct fg_rgb shades[][5] = {
	{ [FG_CHANGE_NONE] = { 240, 240, 240 },
	  [FG_CHANGE_LESS] = { 0, 123, 189 },
	  [FG_CHANGE_MORE] = { 213, 94, 0 },
	  [FG_CHANGE_NEW] = { 204, 121, 167 },
	  [FG_CHANGE_GONE] = { 201, 206, 210 } },
	{ [FG_CHANGE_NONE] = { 46, 50, 56 },
	  [FG_CHANGE_LESS] = { 0, 123, 189 },
	  [FG_CHANGE_MORE] = { 213, 94, 0 },
	  [FG_CHANGE_NEW] = { 204, 121, 167 },
	  [FG_CHANGE_GONE] = { 74, 81, 88 } },
};

bool fg_changes_are_dark(const struct fg_changes *d)
{
	return fg_colour_is_dark(d->options->background.top);
}

static unsigned char mixed(unsigned char from, unsigned char to, double part)
{
	return (unsigned char)(from + (to - from) * part + 0.5);
}

struct fg_rgb fg_changes_shade(const struct fg_changes *d, enum fg_change change,
			       double part)
{
	const struct fg_rgb *of = shades[fg_changes_are_dark(d)];
	struct fg_rgb none = of[FG_CHANGE_NONE], full = of[change];

	if (change != FG_CHANGE_LESS && change != FG_CHANGE_MORE)
		return full;
	part = part < 1 ? sqrt(part) : 1; /* makes small changes visible, too */
	return (struct fg_rgb){ mixed(none.r, full.r, part),
				mixed(none.g, full.g, part),
				mixed(none.b, full.b, part) };
}

struct fg_rgb fg_changes_colour(const struct fg_changes *d, uint32_t node)
{
	enum fg_change change = fg_changes_change(d, node);
	double number = change_of(d, node);

	if (d->options->diff_colors == FG_DIFF_SAFE || change == FG_CHANGE_GONE)
		return fg_changes_shade(d, change, fabs(number) / d->max);
	return fg_colour_delta(number, d->max);
}

/* ---- texts */

/* Writes "0.52" or "2.0", the ratio of after to before. */
static char *put_ratio(char *p, double ratio)
{
	unsigned decimals = ratio < 1 ? 2 : 1;

	return fg_put_fixed(p, fg_fixed(ratio, decimals), decimals);
}

static char *put_share(char *p, double counts, double total)
{
	p = fg_put_fixed(p, fg_fixed(total > 0 ? 100 * counts / total : 0, 2), 2);
	*p++ = '%';
	return p;
}

/* Writes "(+25, x2.0)" or "(+25, new)". */
static char *put_change(char *p, double before, double after)
{
	p = fg_put_str(p, after < before ? FG_STR("(-") : FG_STR("(+"));
	p = fg_put_thousands(p, fg_rounded(fabs(after - before)));
	p = fg_put_str(p, FG_STR(", "));
	if (!(before > 0))
		p = fg_put_str(p, FG_STR("new"));
	else if (!(after > 0))
		p = fg_put_str(p, FG_STR("gone"));
	else
		p = put_ratio(fg_put_str(p, FG_STR("\xc3\x97")), after / before);
	*p++ = ')';
	return p;
}

/*
 * Returns the count that stands for 100 % of a column: `total`, the sum of its counts,
 * or --total if that is larger.
 */
static double whole_of(const struct fg_changes *d, uint64_t total)
{
	double sum = fg_tree_number(d->tree, total);
	double least = d->options->total;

	return (sum > least ? sum : least) * d->factor;
}

char *fg_changes_put_tooltip(char *p, const struct fg_changes *d, uint32_t node,
			     struct fg_str count_name)
{
	const struct fg_str arrow = FG_STR(" \xe2\x86\x92 ");
	double before = fg_tree_number(d->tree, fg_changes_before(d, node)) * d->factor;
	double after = fg_tree_number(d->tree, fg_changes_after(d, node)) * d->factor;

	p = fg_put_str(p, FG_STR(" ("));
	p = fg_put_thousands(p, fg_rounded(before));
	p = fg_put_str(p, arrow);
	p = fg_put_thousands(p, fg_rounded(after));
	if (count_name.len)
		*p++ = ' ';
	p = fg_put_str(p, count_name);
	*p++ = ' ';
	p = put_change(p, before, after);
	p = fg_put_str(p, FG_STR(", "));
	if (!node)
		return fg_put_str(p, FG_STR("100%)"));
	p = put_share(p, before, whole_of(d, d->before_total));
	p = fg_put_str(p, arrow);
	p = put_share(p, after, whole_of(d, d->after_total));
	*p++ = ')';
	return p;
}

struct found {
	uint64_t before, after;
};

static struct found add_found(const struct fg_changes *d, uint32_t node,
			      struct found sum)
{
	sum.before += fg_changes_before(d, node);
	sum.after += fg_changes_after(d, node);
	return sum;
}

/* Adds up the inclusive counts of the outermost matches, for both sides. */
static struct found sum_found(const struct fg_changes *d, const struct fg_search *s)
{
	const struct fg_tree *t = d->tree;
	struct found sum = { 0, 0 };
	unsigned depth = 1;
	uint32_t node = t->nodes[0].first;

	if (s->root)
		return add_found(d, 0, sum);
	while (node != FG_TREE_NONE) {
		bool found = s->found[t->nodes[node].name];

		if (found)
			sum = add_found(d, node, sum);
		node = fg_tree_walk(t, node, !found, &depth);
	}
	return sum;
}

void fg_changes_add_matched(const struct fg_changes *d, const struct fg_search *s,
			    struct fg_buf *text)
{
	struct found found = sum_found(d, s);
	char before[FG_NUMBER_MAX], after[FG_NUMBER_MAX];

	*fg_put_percent(before, (double)found.before, (double)d->before_total) = '\0';
	*fg_put_percent(after, (double)found.after, (double)d->after_total) = '\0';
	fg_buf_addf(text, "Matched: %s \xe2\x86\x92 %s", before, after);
}

/* ---- a graph */

static void find_max(struct fg_changes *d)
{
	d->max = (double)fg_pow10(d->tree->decimals);
	for (uint32_t i = 1; i < d->tree->count; i++) {
		double change = fabs(change_of(d, i));

		if (change > d->max && fg_changes_after(d, i))
			d->max = change;
	}
}

/*
 * Flame charts and --no-sort keep the order of the input, so frames that are gone
 * cannot move to the right. A picture without data can show only one count per frame,
 * its width.
 */
bool fg_changes_draws_gone(const struct fg_graph_options *o)
{
	return o->compat == FG_COMPAT_NONE && o->diff_view != FG_DIFF_AFTER &&
	       o->data != FG_DATA_NONE && !o->flamechart && !o->no_sort;
}

int fg_changes_init(struct fg_changes *d, struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_graph_options *options,
		    struct fg_diag *diag)
{
	memset(d, 0, sizeof(*d));
	d->on = tree->before && options->compat == FG_COMPAT_NONE;
	d->tree = tree;
	d->options = options;
	d->factor = options->factor;
	if (!d->on)
		return 0;
	d->before_total = tree->before_total;
	d->after_total = tree->total;
	if (fg_changes_draws_gone(options) &&
	    (d->before_total || options->diff_view == FG_DIFF_UNION) &&
	    widen(tree, options->diff_view, diag))
		return -1;
	d->before = fg_tree_sums_before(tree);
	d->after = tree->after ? fg_tree_sums(tree, tree->after) : NULL;
	for (uint32_t i = 0; tree->after && i < tree->count; i++)
		part_children(d, tree, i);
	find_samples(d, unit, diag);
	find_max(d);
	return 0;
}

void fg_changes_release(struct fg_changes *d)
{
	free(d->before);
	free(d->after);
	memset(d, 0, sizeof(*d));
}
