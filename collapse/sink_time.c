/* When samples and stacks were, for a sink that asks: --time, --slice. */
#include "collapse/sink.h"
#include "collapse/sink_state.h"

#include "lib/base/xalloc.h"

bool fg_sink_wants_time(const struct fg_sink *s)
{
	return s->slices || (s->selection && fg_selection_needs_time(s->selection));
}

void fg_sink_set_time(struct fg_sink *s, uint64_t ns)
{
	s->roots.has_time = true;
	s->roots.time = ns;
	if (s->slices)
		fg_slices_see(s->slices, ns);
}

void fg_sink_add_time(struct fg_sink *s, uint64_t ns, struct fg_sum part)
{
	if (!s->slices)
		return;
	fg_slices_see(s->slices, ns);
	FG_GROW(s->parts, s->part_alloc, s->part_count + 1);
	s->parts[s->part_count++] = (struct fg_part){ ns, part };
}

static void add_part(struct fg_sink *s, uint64_t time, uint64_t weight)
{
	fg_sink_add_time(s, time, (struct fg_sum){ weight, 0 });
}

void fg_sink_add_span(struct fg_sink *s, uint64_t from, uint64_t to)
{
	if (!s->slices || from >= to)
		return;
	fg_slices_see(s->slices, from);
	if (s->part_count) {
		struct fg_part *last = &s->parts[s->part_count - 1];
		uint64_t end = fg_slices_end(s->slices, last->time);

		if (from >= last->time && from < end) {
			end = end < to ? end : to;
			fg_sum_add(&last->weight, end - from);
			from = end;
		}
	}
	if (!fg_slices_cut(s->slices, from, to)) {
		add_part(s, to - 1, to - from);
		return;
	}
	for (uint64_t end; from < to; from = end) {
		end = fg_slices_end(s->slices, from);
		end = end < to ? end : to;
		add_part(s, from, end - from);
	}
}

/*
 * To write slices takes time and room for all names so far, so they wait where samples
 * are few beside these.
 */
static bool is_worth_writing(const struct fg_sink *s)
{
	return s->tally.samples - s->written_samples > s->names.count / 1024;
}

void fg_sink_see_time(struct fg_sink *s, uint64_t ns)
{
	if (!s->slices)
		return;
	fg_slices_see(s->slices, ns);
	if (s->out && s->placed.count && fg_slices_ended(s->slices, ns) &&
	    is_worth_writing(s))
		fg_sink_write_slices(s);
}

uint64_t fg_sink_slice_start(const struct fg_sink *s, uint64_t time)
{
	return s->slices ? fg_slices_start(s->slices, time) : 0;
}

void fg_sink_set_clock(struct fg_sink *s, uint64_t time, uint64_t start)
{
	if (s->slices)
		fg_slices_set_clock(s->slices, time, start);
}

void fg_sink_note_parts(struct fg_sink *s, struct fg_placed item, uint64_t factor)
{
	struct fg_roots roots = { .has_time = true };

	for (size_t i = 0; i < s->part_count; i++) {
		roots.time = s->parts[i].time;
		item.weight = fg_sum_mul(s->parts[i].weight, factor);
		fg_slices_add(s->slices, item, &roots);
	}
}
