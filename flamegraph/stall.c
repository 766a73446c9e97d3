/*
 * Finds a stall by description length: it divides the slices into runs, so that naming
 * one frame for each run, and the samples as random stacks below it, takes the fewest
 * bits. The run whose samples are least likely by chance is the stall.
 */
#include "flamegraph/stall.h"

#include <math.h>

/*
 * A stall has less than this share of the profile: a frame with more is seen alone in
 * many slices.
 */
#define MOST_SHARE 0.5

/* A run's samples must be this unlikely by chance, as a natural logarithm. */
#define UNLIKELY (-25)

/* Consecutive slices, and the innermost frame that all of their stacks have. */
struct run {
	uint32_t node;
	double samples;
	uint64_t first, last; /* numbers of slices */
};

struct search {
	const struct fg_slicedata *slices;
	const struct fg_tree *tree;
	const uint32_t *nodes;
	double sample;
	struct run best;
};

/*
 * Returns the innermost frame of both stacks. A parent has a lower index. Returns at
 * once if `a` is the root, which it is in most slices of a busy profile.
 */
static uint32_t common(const struct fg_tree *t, uint32_t a, uint32_t b)
{
	while (a && a != b)
		if (a > b)
			a = t->nodes[a].parent;
		else
			b = t->nodes[b].parent;
	return a;
}

/* Returns the logarithm of the chance that all samples of the run are in its frame. */
static double score(const struct search *s, const struct run *r)
{
	const struct fg_tree_node *nodes = s->tree->nodes;

	return r->samples * log((double)nodes[r->node].total / (double)nodes[0].total);
}

static struct run run_of_slice(const struct search *s, size_t slice)
{
	const struct fg_slicedata *d = s->slices;
	size_t first = slice ? d->ends[slice - 1] : 0;
	struct run r = { .first = d->slices[slice], .last = d->slices[slice] };

	for (size_t i = first; i < d->ends[slice]; i++) {
		uint32_t node = s->nodes[d->stacks[d->items[i]]];

		r.node = i == first ? node : common(s->tree, r.node, node);
		r.samples += s->sample > 0 ? (double)d->counts[i] / s->sample : 1;
	}
	return r;
}

static void judge(struct search *s, const struct run *r)
{
	const struct fg_tree_node *nodes = s->tree->nodes;
	double share = (double)nodes[r->node].total / (double)nodes[0].total;

	if (share < MOST_SHARE && score(s, r) < UNLIKELY &&
	    (!s->best.node || score(s, r) < score(s, &s->best)))
		s->best = *r;
}

struct fg_stall fg_stall_find(const struct fg_slicedata *d, const struct fg_tree *t,
			      const uint32_t *nodes, double sample)
{
	struct search s = { d, t, nodes, sample, { .node = 0 } };
	double price = log((double)t->count); /* the cost of naming a frame */
	struct run run = { .node = 0 };

	for (size_t i = 0; i < d->slice_count; i++) {
		struct run next = run_of_slice(&s, i), both = next;

		if (i && next.first == run.last + 1) {
			both.node = common(t, run.node, next.node);
			both.samples += run.samples;
			both.first = run.first;
			if (score(&s, &both) <=
			    score(&s, &run) + score(&s, &next) + price) {
				run = both;
				continue;
			}
		}
		if (i)
			judge(&s, &run);
		run = next;
	}
	if (d->slice_count)
		judge(&s, &run);
	if (!s.best.node)
		return (struct fg_stall){ .node = 0 };
	return (struct fg_stall){ s.best.node, s.best.first * d->header.width,
				  (s.best.last + 1) * d->header.width };
}
