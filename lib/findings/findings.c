/* Finds the functions that explain a difference. */
#include "lib/findings/findings.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* The least change that is a finding, in percent of the total. */
#define LEAST_POINTS 0.5

/* Like LEAST_POINTS, if it is not known which changes are noise. */
#define LEAST_POINTS_UNKNOWN 2.0

/* A total that has changed by less than this, in percent, counts as unchanged. */
#define LEAST_TOTAL 1.0

/*
 * If no function explains the change of the total, a change by less than this, in
 * percent, is ignored, because two runs of one program may differ by so much.
 */
#define LEAST_ALIKE 5.0

/* A change that is less than this part of the largest one explains nothing. */
#define LEAST_PART 0.2

/*
 * Functions with fewer samples, in both columns together, tell nothing about the
 * typical function. TYPICAL_FUNCTIONS are needed to know it.
 */
#define TYPICAL_FUNCTIONS 8
#define TYPICAL_SAMPLES 20

/* The median of |z|, if z is normally distributed. */
#define NORMAL_MEDIAN 0.6745

/*
 * A change of up to UNEXPLAINED_LEAST deviations counts as noise. One of more than
 * UNEXPLAINED_MOST counts as that many.
 */
#define UNEXPLAINED_LEAST 1
#define UNEXPLAINED_MOST 4

/* We assume this number of samples if the weight of a sample is not known. */
#define ASSUMED_SAMPLES 1000

/* A change is followed into a callee that has at least this part of it. */
#define CONCENTRATED 0.8

struct search {
	const struct fg_findings_input *in;
	struct fg_findings *found;
	double factor; /* turns scaled counts into recorded ones */
	double deviations; /* a change needs so many to be significant */
	double spread; /* the relative deviation between two runs, without sampling */
};

struct fg_proportion fg_findings_samples(const struct fg_columns *p,
					 const struct fg_sample_weight *weight,
					 unsigned column, uint64_t count)
{
	double of = weight->of[column];

	return (struct fg_proportion){ (double)count / of,
				       (double)p->totals[column] / of };
}

/* Returns a count as it was recorded, before diff-folded scaled it. */
static double cost(const struct search *s, unsigned column, uint64_t count)
{
	double number = fg_tree_number(&s->in->profile->tree, count);

	return column == FG_BEFORE ? number * s->factor : number;
}

/* Returns a change in percent of the former total, or of both totals for shares. */
static double points(const struct search *s, const uint64_t *counts)
{
	const struct fg_columns *p = s->in->profile;
	double before = cost(s, FG_BEFORE, p->totals[FG_BEFORE]);

	if (!s->found->costs)
		return fg_columns_change(p, counts);
	return 100 *
	       (cost(s, FG_AFTER, counts[FG_AFTER]) -
		cost(s, FG_BEFORE, counts[FG_BEFORE])) /
	       before;
}

static struct fg_proportion samples(const struct search *s, unsigned column,
				    uint64_t count)
{
	const struct fg_findings_input *in = s->in;

	if (in->weight->source != FG_SAMPLE_WEIGHT_UNKNOWN)
		return fg_findings_samples(in->profile, in->weight, column, count);
	return (struct fg_proportion){
		ASSUMED_SAMPLES * ((double)count / (double)in->profile->totals[column]),
		ASSUMED_SAMPLES,
	};
}

static struct fg_comparison comparison(const struct search *s, const uint64_t *counts)
{
	struct fg_comparison c = { .costs = s->found->costs };

	c.before = samples(s, FG_BEFORE, counts[FG_BEFORE]);
	c.after = samples(s, FG_AFTER, counts[FG_AFTER]);
	if (c.costs) /* as many samples as would be the former total */
		c.after.n /= s->found->ratio;
	return c;
}

/*
 * Returns how much of the differences is left unexplained if all costs, or all shares,
 * are the same. A function that has really changed adds only so much, however large it
 * is.
 */
static double unexplained(struct search *s, bool costs)
{
	const struct fg_functions *all = s->in->functions;
	double sum = 0;

	s->found->costs = costs;
	for (size_t i = 0; i < all->count; i++) {
		struct fg_comparison c = comparison(s, all->items[i].self);
		double z = fmin(fabs(fg_comparison_z(&c)), UNEXPLAINED_MOST);

		sum += fmax(z - UNEXPLAINED_LEAST, 0);
	}
	return sum;
}

/*
 * Decides if costs or shares are compared. Takes the assumption, all costs or all
 * shares are the same, that leaves less unexplained. Takes costs if the total is the
 * same.
 */
static void choose_costs(struct search *s)
{
	double costs = unexplained(s, true), shares = unexplained(s, false);

	s->found->costs =
		costs < shares || fabs(s->found->ratio - 1) * 100 < LEAST_TOTAL;
}

/* ---- noise */

/* Returns the change of the function, divided by the mean of before and after. */
static double relative_change(const struct fg_comparison *c)
{
	double before = c->before.x / c->before.n, after = c->after.x / c->after.n;

	return before + after > 0 ? 2 * (after - before) / (before + after) : 0;
}

/*
 * Returns the deviations of a change. `spread` is the relative deviation between two
 * runs, apart from sampling.
 */
static double deviations_of(const struct fg_comparison *c, double spread)
{
	double z = fabs(fg_comparison_z(c)), change = fabs(relative_change(c));

	/* both deviations are independent, so their squares add up */
	return z > 0 ? 1 / hypot(1 / z, spread / change) : 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

static double median_deviations(const struct fg_comparison *all, size_t count,
				double spread)
{
	double *each = fg_xcalloc(count, sizeof(*each)), median;

	for (size_t i = 0; i < count; i++)
		each[i] = deviations_of(&all[i], spread);
	qsort(each, count, sizeof(*each), compare_doubles);
	median = each[count / 2];
	free(each);
	return median;
}

/*
 * Returns the relative deviation between runs with which the typical function has
 * changed by no more than noise, at most `most`. Functions that have changed more than
 * twofold are not typical.
 */
static double find_spread(const struct search *s, double most)
{
	const struct fg_functions *all = s->in->functions;
	struct fg_comparison *typical = fg_xcalloc(all->count + 1, sizeof(*typical));
	double low = 0, high = most;
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct fg_comparison c = comparison(s, all->items[i].self);

		if (c.before.x + c.after.x >= TYPICAL_SAMPLES &&
		    fabs(relative_change(&c)) < 2.0 / 3)
			typical[count++] = c;
	}
	if (count < TYPICAL_FUNCTIONS ||
	    median_deviations(typical, count, 0) <= NORMAL_MEDIAN)
		high = 0;
	for (unsigned i = 0; i < 20 && high > 0; i++) {
		double middle = (low + high) / 2;

		if (median_deviations(typical, count, middle) > NORMAL_MEDIAN)
			low = middle;
		else
			high = middle;
	}
	free(typical);
	return high;
}

/*
 * Finds how many deviations a change must have to be significant, and the deviation
 * between runs. That is limited, so that a function which costs three times as much is
 * always found if it has enough samples, whatever the other functions do.
 */
static void find_limits(struct search *s)
{
	const struct fg_functions *functions = s->in->functions;
	struct fg_limited *all = fg_xcalloc(functions->count, sizeof(*all));
	double alpha = (1 - s->in->confidence / 100) / 2; /* in each direction */

	for (size_t i = 0; i < functions->count; i++)
		all[i].counts = comparison(s, functions->items[i].self);
	s->deviations = fg_gate_deviations(all, functions->count, alpha);
	s->spread = find_spread(s, 0.9 / s->deviations);
	free(all);
}

static bool is_significant(const struct search *s, const uint64_t *counts)
{
	struct fg_comparison c = comparison(s, counts);
	struct fg_comparison turned = { c.after, c.before, c.costs };
	bool grown = relative_change(&c) > 0;

	return deviations_of(&c, s->spread) > s->deviations &&
	       fg_comparison_tail(grown ? &c : &turned) <=
		       fg_two_sided(s->deviations) / 2;
}

/* ---- the functions */

static int compare_findings(const void *context, uint32_t a, uint32_t b)
{
	const struct search *s = context;
	const struct fg_finding *items = s->found->items;
	double one = fabs(items[a].points), other = fabs(items[b].points);

	if (one > other || one < other)
		return one > other ? -1 : 1;
	return fg_str_cmp(
		fg_intern_name(s->in->functions->names, items[a].function->name),
		fg_intern_name(s->in->functions->names, items[b].function->name));
}

static void sort_findings(struct search *s)
{
	struct fg_findings *found = s->found;
	uint32_t *order = fg_xcalloc(found->count, sizeof(*order));
	struct fg_finding *sorted = fg_xcalloc(found->count, sizeof(*sorted));

	for (size_t i = 0; i < found->count; i++)
		order[i] = (uint32_t)i;
	fg_sort(order, found->count, compare_findings, s);
	for (size_t i = 0; i < found->count; i++)
		sorted[i] = found->items[order[i]];
	free(order);
	free(found->items);
	found->items = sorted;
	while (found->count && fabs(sorted[found->count - 1].points) <
				       LEAST_PART * fabs(sorted[0].points))
		found->count--;
}

/* Returns true if a change is large enough, and no noise as far as that is known. */
static bool is_finding(const struct search *s, const struct fg_function *f)
{
	bool known = s->in->weight->source != FG_SAMPLE_WEIGHT_UNKNOWN;
	double change = points(s, f->self);

	/*
	 * a function that has grown less than the total, so that its share is smaller,
	 * explains nothing
	 */
	return fabs(change) >= (known ? LEAST_POINTS : LEAST_POINTS_UNKNOWN) &&
	       change * fg_columns_change(s->in->profile, f->self) >= 0 &&
	       (!known || is_significant(s, f->self));
}

static void find_functions(struct search *s)
{
	const struct fg_functions *all = s->in->functions;
	struct fg_findings *found = s->found;

	if (s->in->weight->source != FG_SAMPLE_WEIGHT_UNKNOWN)
		find_limits(s);
	found->items = fg_xcalloc(all->count, sizeof(*found->items));
	for (size_t i = 0; i < all->count; i++) {
		const struct fg_function *f = &all->items[i];

		if (is_finding(s, f))
			found->items[found->count++] = (struct fg_finding){
				f,
				points(s, f->self),
				{ cost(s, FG_BEFORE, f->self[FG_BEFORE]),
				  cost(s, FG_AFTER, f->self[FG_AFTER]) },
				FG_TREE_NONE,
			};
	}
	sort_findings(s);
}

/* ---- the frames */

/* Finds for each finding the frame whose own counts have changed most. */
static void find_nodes(struct search *s)
{
	const struct fg_tree *t = &s->in->profile->tree;
	/* indexed by id of the name: index of the finding + 1 */
	uint32_t *index = fg_xcalloc(t->names.count, sizeof(*index));
	double *most = fg_xcalloc(s->found->count, sizeof(*most));

	for (size_t i = 0; i < s->found->count; i++)
		index[s->found->items[i].function->name] = (uint32_t)i + 1;
	for (uint32_t node = 1; node < t->count; node++) {
		uint32_t i = index[t->nodes[node].name];
		struct fg_finding *f = i ? &s->found->items[i - 1] : NULL;
		uint64_t counts[2];
		double change;

		if (!f)
			continue;
		fg_tree_own(t, node, counts);
		change = points(s, counts) * (f->points < 0 ? -1 : 1);
		if (f->node != FG_TREE_NONE && change <= most[i - 1])
			continue;
		most[i - 1] = change;
		f->node = node;
	}
	free(index);
	free(most);
}

/* Returns the child with the largest change in a direction, or FG_TREE_NONE. */
static uint32_t most_changed(const struct search *s, uint32_t parent, double direction,
			     double *change)
{
	const struct fg_tree_node *nodes = s->in->profile->tree.nodes;
	uint32_t most = FG_TREE_NONE;

	*change = 0;
	for (uint32_t i = nodes[parent].first; i != FG_TREE_NONE; i = nodes[i].next) {
		uint64_t counts[2];
		double of_child;

		fg_columns_total(s->in->profile, i, counts);
		of_child = points(s, counts) * direction;
		if (of_child > *change) {
			*change = of_child;
			most = i;
		}
	}
	return most;
}

/*
 * Finds the frame that most of the change is below: the frame with the largest change,
 * then the callee with most of that, and so on.
 */
static void find_below(struct search *s)
{
	const struct fg_columns *p = s->in->profile;
	double direction = s->found->items[0].points < 0 ? -1 : 1;
	double change = LEAST_POINTS, next;
	uint32_t node = FG_TREE_NONE;
	uint64_t counts[2];

	for (uint32_t i = 1; i < p->tree.count; i++) {
		fg_columns_total(p, i, counts);
		if (points(s, counts) * direction < change)
			continue;
		change = points(s, counts) * direction;
		node = i;
	}
	while (node != FG_TREE_NONE) {
		uint32_t child = most_changed(s, node, direction, &next);

		if (child == FG_TREE_NONE || next < CONCENTRATED * change)
			break;
		node = child;
		change = next;
	}
	s->found->below = node;
	s->found->below_points = change * direction;
}

/*
 * Decides why no function is a finding although the total has changed. If no share has
 * changed either, all functions may have changed alike.
 */
static enum fg_verdict decide_unexplained(struct search *s)
{
	struct fg_findings *f = s->found;
	bool costs = f->costs;
	enum fg_verdict verdict = FG_VERDICT_SCALED;

	if (costs) {
		free(f->items);
		f->costs = false;
		find_functions(s);
		verdict = f->count ? FG_VERDICT_SPREAD : FG_VERDICT_SCALED;
		f->costs = verdict == FG_VERDICT_SPREAD;
		f->count = 0;
	}
	return verdict;
}

/* Finds the callees that have most of the change below a frame. */
static void find_parts(struct search *s)
{
	struct fg_findings *f = s->found;
	const struct fg_columns *p = s->in->profile;
	const struct fg_tree_node *nodes = p->tree.nodes;
	uint32_t i = f->below == FG_TREE_NONE ? FG_TREE_NONE : nodes[f->below].first;

	for (; i != FG_TREE_NONE; i = nodes[i].next) {
		struct fg_change_part part = { nodes[i].name, 0 };
		uint64_t counts[2];
		size_t at = f->part_count;

		fg_columns_total(p, i, counts);
		part.points = points(s, counts);
		if (part.points / f->below_points < LEAST_PART / 2)
			continue;
		while (at && fabs(f->parts[at - 1].points) < fabs(part.points)) {
			if (at < FG_CHANGE_PARTS)
				f->parts[at] = f->parts[at - 1];
			at--;
		}
		if (at < FG_CHANGE_PARTS)
			f->parts[at] = part;
		if (f->part_count < FG_CHANGE_PARTS)
			f->part_count++;
	}
}

/* Returns true if no stack has counts in both columns. */
static bool is_disjoint(const struct fg_columns *p)
{
	for (uint32_t i = 1; i < p->tree.count; i++) {
		uint64_t counts[2];

		fg_tree_own(&p->tree, i, counts);
		if (counts[FG_BEFORE] && counts[FG_AFTER])
			return false;
	}
	return true;
}

static void decide(struct search *s)
{
	struct fg_findings *f = s->found;
	double change = fabs(f->ratio - 1) * 100;
	bool same = s->in->totals->noise || change < LEAST_TOTAL ||
		    (!f->count && change < LEAST_ALIKE);

	if (s->in->weight->source == FG_SAMPLE_WEIGHT_UNKNOWN)
		f->verdict = FG_VERDICT_UNKNOWN;
	else if (same)
		f->verdict = f->count ? FG_VERDICT_SHIFTED : FG_VERDICT_SAME;
	else if (!f->count)
		f->verdict = decide_unexplained(s);
	else
		f->verdict = f->ratio > 1 ? FG_VERDICT_MORE : FG_VERDICT_LESS;
}

void fg_findings_find(struct fg_findings *f, const struct fg_findings_input *in)
{
	const struct fg_columns *p = in->profile;
	struct search s = { in, f, 1, 0, 0 };

	*f = (struct fg_findings){ .below = FG_TREE_NONE };
	if (in->totals->scaled)
		s.factor = in->totals->of[FG_BEFORE] / in->totals->of[FG_AFTER];
	if (p->totals[FG_BEFORE] && p->totals[FG_AFTER]) {
		f->ratio = cost(&s, FG_AFTER, p->totals[FG_AFTER]) /
			   cost(&s, FG_BEFORE, p->totals[FG_BEFORE]);
		f->disjoint = is_disjoint(p);
		choose_costs(&s);
		find_functions(&s);
	}
	if (f->count) {
		find_nodes(&s);
		find_below(&s);
		find_parts(&s);
	}
	decide(&s);
}

void fg_findings_release(struct fg_findings *f)
{
	free(f->items);
	*f = (struct fg_findings){ .below = FG_TREE_NONE };
}
