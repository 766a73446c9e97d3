/* --time-order: which stack came when, and the lines in that order. */
#include "collapse/sequence.h"

#include <stdlib.h>

#include "lib/sort.h"
#include "lib/xalloc.h"

/* The root_depth of a run whose entry is the number among all stacks. */
#define RENUMBERED UINT32_MAX

/* Samples one after the other in one lane that had the same stack. */
struct run {
	uint32_t lane;
	uint32_t entry; /* in the counts of its number of roots */
	uint32_t root_depth;
	struct fg_sum weight;
};

/* A lane is what --root tells apart: a thread, a cpu; or all samples. */
struct fg_sequence {
	struct run *runs;
	size_t count, alloc;
	bool has_lanes; /* they are told apart; otherwise all samples are in one */
	struct fg_intern lanes; /* by the ids of the root frames */
	size_t *newest_plus_1; /* run by lane */
	size_t newest_alloc;
};

/* Whether samples of different threads or cpus are kept apart. */
static bool has_lanes(const struct fg_samples_options *o)
{
	for (size_t i = 0; i < o->root_count; i++)
		if (o->roots[i] == FG_ROOT_PID || o->roots[i] == FG_ROOT_TID ||
		    o->roots[i] == FG_ROOT_CPU)
			return true;
	return o->tid || o->pid;
}

struct fg_sequence *fg_sequence_new(const struct fg_samples_options *o)
{
	struct fg_sequence *s = fg_xcalloc(1, sizeof(*s));

	s->has_lanes = has_lanes(o);
	fg_intern_init(&s->lanes);
	return s;
}

void fg_sequence_free(struct fg_sequence *s)
{
	if (!s)
		return;
	fg_intern_release(&s->lanes);
	free(s->newest_plus_1);
	free(s->runs);
	free(s);
}

void fg_sequence_add(struct fg_sequence *s, size_t entry, const struct fg_roots *roots,
		     uint64_t weight)
{
	size_t lane_bytes = s->has_lanes ? roots->count * sizeof(roots->ids[0]) : 0;
	size_t known = s->lanes.count;
	uint32_t lane =
		fg_intern(&s->lanes, fg_str_of((const char *)roots->ids, lane_bytes));
	struct run *run;

	FG_GROW(s->newest_plus_1, s->newest_alloc, s->lanes.count);
	if (lane == known)
		s->newest_plus_1[lane] = 0;
	if (s->newest_plus_1[lane]) {
		run = &s->runs[s->newest_plus_1[lane] - 1];
		if (run->entry == entry && run->root_depth == roots->count) {
			fg_sum_add(&run->weight, weight);
			return;
		}
	}
	FG_GROW(s->runs, s->alloc, s->count + 1);
	run = &s->runs[s->count++];
	run->lane = lane;
	run->entry = (uint32_t)entry;
	run->root_depth = (uint32_t)roots->count;
	run->weight = (struct fg_sum){ weight, 0 };
	s->newest_plus_1[lane] = s->count;
}

void fg_sequence_renumber(struct fg_sequence *s, size_t root_depth,
			  const uint32_t *where)
{
	for (size_t i = 0; i < s->count; i++) {
		struct run *run = &s->runs[i];

		if (run->root_depth == root_depth) {
			run->entry = where[run->entry];
			run->root_depth = RENUMBERED;
		}
	}
}

static int compare_lanes(const void *context, uint32_t a, uint32_t b)
{
	const struct run *runs = context;

	return (runs[a].lane > runs[b].lane) - (runs[a].lane < runs[b].lane);
}

/* Lane by lane, each in time order; equal neighbours are one line. */
size_t fg_sequence_write(const struct fg_sequence *s, const struct fg_sequence_lines *l,
			 struct fg_out *out)
{
	struct fg_counts_step *items = fg_xcalloc(s->count, sizeof(*items));
	struct fg_counts_steps steps = { l->counts, items, 0 };
	uint32_t *order = fg_xcalloc(s->count, sizeof(*order));
	uint32_t lane = 0; /* of the last step */
	size_t lines;

	for (size_t i = 0; i < s->count; i++)
		order[i] = (uint32_t)i;
	fg_sort(order, s->count, compare_lanes, s->runs);
	for (size_t i = 0; i < s->count; i++) {
		const struct run *run = &s->runs[order[i]];

		if (run->entry == FG_SEQUENCE_GONE)
			continue;
		if (steps.count && lane == run->lane &&
		    items[steps.count - 1].entry == run->entry) {
			fg_sum_add_sum(&items[steps.count - 1].sum, run->weight);
			continue;
		}
		lane = run->lane;
		items[steps.count].entry = run->entry;
		items[steps.count++].sum = run->weight;
	}
	lines = fg_counts_write_steps(&steps, l->names, l->format, out);
	free(items);
	free(order);
	return lines;
}
