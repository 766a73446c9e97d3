/* Counts samples under their root frames, and keeps the marks, command and events. */
#include "collapse/samples.h"

#include <string.h>

#include "collapse/sink_internal.h"
#include "lib/base/xalloc.h"

#define NO_ROOT UINT32_MAX

/* We remember the root frames of at most this many comms; few profiles have more. */
#define COMMS_MAX 4096

/* Decimals of a weight that is divided by the number of running threads. */
#define SHARE_DECIMALS 6

/* ---- how stacks are written */

void fg_sink_set_rules(struct fg_sink *s, const struct fg_sink_rules *rules)
{
	s->rules = *rules;
	s->names.visible = !rules->raw_names;
	s->names.longest = rules->raw_names ? 0 : FG_NAME_MAX;
}

void fg_sink_reverse(struct fg_sink *s)
{
	s->root_first = !s->root_first;
}

void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks)
{
	size_t had = s->marks.alloc;

	FG_GROW(s->marks.bits, s->marks.alloc, (size_t)id + 1);
	memset(s->marks.bits + had, 0, s->marks.alloc - had);
	s->marks.bits[id] |= (uint8_t)marks;
}

bool fg_sink_has_mark(const struct fg_sink *s, uint32_t id, enum fg_mark mark)
{
	return fg_sink_is_marked(s, id, mark);
}

void fg_sink_set_command(struct fg_sink *s, struct fg_str command)
{
	if (!command.len || s->command.mixed)
		return;
	s->command.mixed = s->command.text.len &&
			   !fg_str_eq(command, fg_buf_str(&s->command.text));
	fg_buf_clear(&s->command.text);
	if (!s->command.mixed)
		fg_buf_add_str(&s->command.text, command);
}

/* ---- counting */

struct fg_events *fg_sink_events(struct fg_sink *s)
{
	return s->events;
}

bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample)
{
	if (sample->has_time)
		fg_sink_note_time(s, sample->time);
	if (s->selection && !fg_selection_wants(s->selection, sample))
		return false;
	if (sample->has_time)
		fg_sink_note_length(s, sample->time, sample->time);
	return true;
}

/* Returns the root frame of a sample, or NO_ROOT if it has none. */
static uint32_t root_of(struct fg_sink *s, const struct fg_sample *sample,
			enum fg_root root)
{
	fg_buf_clear(&s->scratch);
	fg_add_root(&s->scratch, s->samples, root, sample);
	return s->scratch.len ? fg_intern(&s->names, fg_buf_str(&s->scratch)) : NO_ROOT;
}

/* Like root_of() for the comm alone. Works the frame out once for each comm. */
static uint32_t root_of_comm(struct fg_sink *s, const struct fg_sample *sample)
{
	size_t known = s->comms.names.count;
	uint32_t comm;

	if (known == COMMS_MAX) {
		fg_intern_release(&s->comms.names);
		known = 0;
	}
	comm = fg_intern(&s->comms.names, sample->comm);
	if (comm == known) {
		FG_GROW(s->comms.roots, s->comms.alloc, known + 1);
		s->comms.roots[comm] = root_of(s, sample, FG_ROOT_COMM);
	}
	return s->comms.roots[comm];
}

void fg_sink_set_roots(struct fg_sink *s, const struct fg_sample *sample,
		       struct fg_roots *roots)
{
	const struct fg_samples_options *o = s->samples;
	bool has_ids = o->pid || o->tid;

	roots->count = 0;
	roots->parallelism = o->weighs == FG_WEIGHT_LATENCY ? sample->parallelism : 0;
	roots->has_time = sample->has_time;
	roots->time = sample->time;
	for (size_t i = 0; i < o->root_count; i++) {
		uint32_t id = o->roots[i].kind == FG_ROOT_COMM && !has_ids ?
				      root_of_comm(s, sample) :
				      root_of(s, sample, o->roots[i].kind);

		if (id != NO_ROOT)
			roots->ids[roots->count++] = id;
	}
}

/*
 * Returns weight / divisor with SHARE_DECIMALS decimals. Counts are rounded only when a
 * stack is written, so a million samples make an error of less than 1.
 */
static struct fg_sink_weight share(uint64_t weight, uint64_t divisor)
{
	struct fg_sum sum =
		fg_sum_mul((struct fg_sum){ weight, 0 }, fg_pow10(SHARE_DECIMALS));

	return (struct fg_sink_weight){ fg_sum_div(sum, divisor, NULL), SHARE_DECIMALS,
					false };
}

void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight)
{
	struct fg_sink_weight whole = { { weight, 0 }, 0, false };

	s->weights.any |= weight;
	s->weights.common &= weight;
	fg_sink_count_weight(s, roots,
			     roots->parallelism ? share(weight, roots->parallelism) :
						  whole);
}

uint64_t fg_sink_slice_start(const struct fg_sink *s, uint64_t time)
{
	return s->slices ? fg_slices_start(s->slices, time) : 0;
}

/* ---- stacks without a header */

void fg_sink_count_orphan(struct fg_sink *s)
{
	struct fg_counts_entry *entry = fg_counts_entry(
		&s->orphans.counts, fg_stack_ids(&s->stack), fg_stack_depth(&s->stack));

	fg_sum_add(&entry->sum, 1);
	s->orphans.samples++;
}

void fg_sink_saw_header(struct fg_sink *s)
{
	s->orphans.any_header = true;
}

void fg_sink_end_orphans(struct fg_sink *s)
{
	if (s->orphans.any_header)
		s->tally.dropped += s->orphans.samples;
	else
		s->tally.kept += s->orphans.samples;
}
