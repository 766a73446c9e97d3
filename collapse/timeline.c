/* Notes when stacks were counted, and writes them in that order for --time-order. */
#include "collapse/timeline.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* ---- the timeline */

/* The root_depth of an item whose entry is an index among all stacks. */
#define RENUMBERED UINT16_MAX

void fg_timeline_release(struct fg_timeline *l)
{
	free(l->items);
	*l = (struct fg_timeline){ NULL, 0, 0 };
}

void fg_timeline_add(struct fg_timeline *l, size_t *newest_plus_1,
		     const struct fg_timeline_item *item)
{
	if (*newest_plus_1) {
		struct fg_timeline_item *newest = &l->items[*newest_plus_1 - 1];

		if (newest->slot == item->slot && newest->entry == item->entry &&
		    newest->root_depth == item->root_depth &&
		    newest->minus == item->minus) {
			fg_sum_add_sum(&newest->weight, item->weight);
			return;
		}
	}
	FG_GROW(l->items, l->alloc, l->count + 1);
	l->items[l->count++] = *item;
	*newest_plus_1 = l->count;
}

void fg_timeline_scale(struct fg_timeline *l, uint64_t factor)
{
	for (size_t i = 0; i < l->count; i++)
		l->items[i].weight = fg_sum_mul(l->items[i].weight, factor);
}

void fg_timeline_renumber(struct fg_timeline *l, size_t root_depth,
			  const uint32_t *where)
{
	for (size_t i = 0; i < l->count; i++) {
		struct fg_timeline_item *item = &l->items[i];

		if (item->root_depth == root_depth) {
			item->entry = where[item->entry];
			item->root_depth = RENUMBERED;
		}
	}
}

uint32_t *fg_timeline_indices(const struct fg_timeline *l)
{
	uint32_t *numbers = fg_xcalloc(l->count, sizeof(*numbers));

	for (size_t i = 0; i < l->count; i++)
		numbers[i] = (uint32_t)i;
	return numbers;
}

/* ---- --time-order */

/*
 * Stacks are in the order of time within each lane. A lane is a thread or a CPU if
 * --root names these; otherwise all samples are in one lane.
 */
struct fg_sequence {
	struct fg_timeline *runs; /* the slot of a run is its lane */
	bool has_lanes; /* false if all samples are in one lane */
	struct fg_intern lanes; /* keys of lanes: the ids of their root frames */
	size_t *newest_plus_1; /* index plus 1 of each lane's newest run */
	size_t newest_alloc;
};

/*
 * Returns true if options give the samples of threads or CPUs root frames of their own.
 */
static bool has_lanes(const struct fg_samples_options *o)
{
	for (size_t i = 0; i < o->root_count; i++)
		switch (o->roots[i].kind) {
		case FG_ROOT_PID:
		case FG_ROOT_TID:
		case FG_ROOT_CPU:
		case FG_ROOT_PROCESS:
		case FG_ROOT_THREAD:
			return true;
		default:
			break;
		}
	return o->tid || o->pid;
}

struct fg_sequence *fg_sequence_new(const struct fg_samples_options *o,
				    struct fg_timeline *runs)
{
	struct fg_sequence *s = fg_xcalloc(1, sizeof(*s));

	s->runs = runs;
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
	free(s);
}

void fg_sequence_add(struct fg_sequence *s, size_t entry, const struct fg_roots *roots,
		     struct fg_sum weight)
{
	size_t lane_bytes = s->has_lanes ? roots->count * sizeof(roots->ids[0]) : 0;
	size_t known = s->lanes.count;
	uint32_t lane =
		fg_intern(&s->lanes, fg_str_of((const char *)roots->ids, lane_bytes));
	struct fg_timeline_item run = { lane, (uint32_t)entry, (uint16_t)roots->count,
					false, weight };

	FG_GROW(s->newest_plus_1, s->newest_alloc, s->lanes.count);
	if (lane == known)
		s->newest_plus_1[lane] = 0;
	fg_timeline_add(s->runs, &s->newest_plus_1[lane], &run);
}

static int compare_lanes(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_timeline_item *runs = context;

	return (runs[a].slot > runs[b].slot) - (runs[a].slot < runs[b].slot);
}

size_t fg_sequence_write(const struct fg_sequence *s,
			 const struct fg_timeline_output *l, struct fg_out *out)
{
	size_t count = s->runs->count;
	struct fg_counts_step *items = fg_xcalloc(count, sizeof(*items));
	struct fg_counts_steps steps = { .counts = l->counts, .items = items };
	uint32_t *order = fg_timeline_indices(s->runs);
	uint64_t lane = 0; /* the lane of the step before */
	size_t lines;

	fg_sort(order, count, compare_lanes, s->runs->items);
	for (size_t i = 0; i < count; i++) {
		const struct fg_timeline_item *run = &s->runs->items[order[i]];

		if (run->entry == FG_TIMELINE_GONE)
			continue;
		if (steps.count && lane == run->slot &&
		    items[steps.count - 1].entry == run->entry) {
			fg_sum_add_sum(&items[steps.count - 1].sum, run->weight);
			continue;
		}
		lane = run->slot;
		items[steps.count].entry = run->entry;
		items[steps.count++].sum = run->weight;
	}
	lines = fg_counts_write_steps(&steps, l->names, l->format, out);
	free(items);
	free(order);
	return lines;
}
