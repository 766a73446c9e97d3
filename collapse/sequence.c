/* --time-order: which stack came when, and the lines in that order. */
#include "collapse/sequence.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* A lane is what --root tells apart: a thread, a cpu; or all samples. */
struct fg_sequence {
	struct fg_placed_list *runs; /* the place is the lane */
	bool has_lanes; /* they are told apart; otherwise all samples are in one */
	struct fg_intern lanes; /* by the ids of the root frames */
	size_t *newest_plus_1; /* run by lane */
	size_t newest_alloc;
};

/* Whether samples of different threads or cpus are kept apart. */
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
				    struct fg_placed_list *runs)
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
	struct fg_placed run = { lane, (uint32_t)entry, (uint16_t)roots->count, false,
				 weight };

	FG_GROW(s->newest_plus_1, s->newest_alloc, s->lanes.count);
	if (lane == known)
		s->newest_plus_1[lane] = 0;
	fg_placed_add(s->runs, &s->newest_plus_1[lane], &run);
}

static int compare_lanes(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_placed *runs = context;

	return (runs[a].place > runs[b].place) - (runs[a].place < runs[b].place);
}

/* Lane by lane, each in time order; equal neighbours are one line. */
size_t fg_sequence_write(const struct fg_sequence *s, const struct fg_placed_lines *l,
			 struct fg_out *out)
{
	size_t count = s->runs->count;
	struct fg_counts_step *items = fg_xcalloc(count, sizeof(*items));
	struct fg_counts_steps steps = { .counts = l->counts, .items = items };
	uint32_t *order = fg_placed_numbers(s->runs);
	uint64_t lane = 0; /* of the last step */
	size_t lines;

	fg_sort(order, count, compare_lanes, s->runs->items);
	for (size_t i = 0; i < count; i++) {
		const struct fg_placed *run = &s->runs->items[order[i]];

		if (run->entry == FG_PLACED_GONE)
			continue;
		if (steps.count && lane == run->place &&
		    items[steps.count - 1].entry == run->entry) {
			fg_sum_add_sum(&items[steps.count - 1].sum, run->weight);
			continue;
		}
		lane = run->place;
		items[steps.count].entry = run->entry;
		items[steps.count++].sum = run->weight;
	}
	lines = fg_counts_write_steps(&steps, l->names, l->format, out);
	free(items);
	free(order);
	return lines;
}
