/* Where a grammar's stacks go: from frames and samples to counts. */
#include "collapse/sink.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/roots.h"
#include "lib/xalloc.h"

#define NO_ROOT UINT32_MAX

/* Comms whose root frame is remembered; few profiles have more. */
#define COMMS_MAX 4096

struct fg_sink *fg_sink_new(const struct fg_format *format,
			    const struct fg_common_options *common,
			    const struct fg_samples_options *samples,
			    struct fg_diag *diag)
{
	struct fg_sink *s = fg_xcalloc(1, sizeof(*s));

	s->format = format;
	s->common = common;
	s->samples = samples;
	s->diag = diag;
	s->common_weights = UINT64_MAX;
	fg_intern_init(&s->names);
	fg_intern_init(&s->comms);
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_init(&s->counts[i]);
	fg_counts_init(&s->orphans);
	s->events = fg_events_new(s->samples);
	if (s->samples->time_order)
		s->sequence = fg_sequence_new(s->samples);
	if (fg_filter_new(&s->common->filter, &s->names, diag, &s->filter) ||
	    fg_selection_new(s->samples, diag, &s->selection)) {
		fg_sink_free(s);
		return NULL;
	}
	return s;
}

void fg_sink_free(struct fg_sink *s)
{
	if (!s)
		return;
	fg_intern_release(&s->names);
	fg_intern_release(&s->comms);
	free(s->comm_roots);
	fg_stack_release(&s->stack);
	fg_stack_release(&s->more_roots);
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_release(&s->counts[i]);
	fg_counts_release(&s->orphans);
	fg_sequence_free(s->sequence);
	fg_selection_free(s->selection);
	fg_events_free(s->events);
	fg_filter_free(s->filter);
	fg_tally_release(&s->tally);
	fg_buf_release(&s->first_bytes);
	fg_buf_release(&s->text);
	free(s->marks);
	free(s);
}

/* ---- frames */

uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name)
{
	name = fg_str_trim(name);
	if (!name.len)
		name = FG_STR("[unknown]");
	if (!fg_str_has_char(name, ';'))
		return fg_intern(&s->names, name);
	fg_buf_clear(&s->text);
	fg_buf_add_str(&s->text, name);
	for (size_t i = 0; i < s->text.len; i++)
		if (s->text.ptr[i] == ';')
			s->text.ptr[i] = ':';
	return fg_intern(&s->names, fg_buf_str(&s->text));
}

void fg_sink_frame(struct fg_sink *s, struct fg_str name)
{
	fg_stack_add_root(&s->stack, fg_sink_name(s, name));
}

void fg_sink_root(struct fg_sink *s, struct fg_str name)
{
	if (s->roots.count < FG_ROOTS_MAX)
		s->roots.ids[s->roots.count++] = fg_sink_name(s, name);
	else
		fg_stack_add_root(&s->more_roots, fg_sink_name(s, name));
}

void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks)
{
	size_t had = s->marks_alloc;

	FG_GROW(s->marks, s->marks_alloc, (size_t)id + 1);
	memset(s->marks + had, 0, s->marks_alloc - had);
	s->marks[id] |= (uint8_t)marks;
}

/* ---- stacks */

void fg_sink_clear(struct fg_sink *s)
{
	fg_stack_clear(&s->stack);
	fg_stack_clear(&s->more_roots);
	s->roots.count = 0;
}

/* The entry of the stack under root frames, which stay on it. */
static struct fg_counts_entry *entry_under(struct fg_sink *s,
					   const struct fg_roots *roots)
{
	for (size_t i = roots->count; i-- > 0;)
		fg_stack_add_root(&s->stack, roots->ids[i]);
	return fg_counts_entry(&s->counts[roots->count], fg_stack_ids(&s->stack),
			       fg_stack_depth(&s->stack));
}

void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight)
{
	struct fg_counts_entry *entry = entry_under(s, roots);
	const struct fg_counts *counts = &s->counts[roots->count];

	s->weights |= weight;
	s->common_weights &= weight;
	fg_sum_add(&entry->sum, weight);
	if (s->sequence)
		fg_sequence_add(s->sequence, (size_t)(entry - counts->entries), roots,
				weight);
}

void fg_sink_count_orphan(struct fg_sink *s)
{
	struct fg_counts_entry *entry = fg_counts_entry(
		&s->orphans, fg_stack_ids(&s->stack), fg_stack_depth(&s->stack));

	fg_sum_add(&entry->sum, 1);
	s->orphan_samples++;
}

void fg_sink_add(struct fg_sink *s, uint64_t weight)
{
	fg_sink_add_count(s, (struct fg_count){ weight, 0 });
}

/* From now on counts are in units of 10^-decimals. */
static void scale_counts(struct fg_sink *s, unsigned decimals)
{
	uint64_t factor = fg_pow10(decimals - s->decimals);

	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		for (size_t k = 0; k < s->counts[i].count; k++) {
			struct fg_sum *sum = &s->counts[i].entries[k].sum;

			*sum = fg_sum_mul(*sum, factor);
		}
	s->decimals = decimals;
}

static void add_more_roots(struct fg_sink *s)
{
	for (size_t i = 0; i < fg_stack_depth(&s->more_roots); i++)
		fg_stack_add_root(&s->stack, fg_stack_ids(&s->more_roots)[i]);
}

void fg_sink_add_count(struct fg_sink *s, struct fg_count weight)
{
	fg_sink_add_sum(s, (struct fg_sum){ weight.digits, 0 }, weight.decimals);
}

static void tally_stack(struct fg_sink *s, size_t depth)
{
	s->tally.samples++;
	s->tally.kept++;
	s->tally.chains += depth > 0;
}

/* A weight in the unit of all counts, which may become a smaller one. */
static inline struct fg_sum scaled(struct fg_sink *s, struct fg_sum weight,
				   unsigned decimals)
{
	if (decimals > s->decimals)
		scale_counts(s, decimals);
	if (decimals == s->decimals)
		return weight;
	return fg_sum_mul(weight, fg_pow10(s->decimals - decimals));
}

void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals)
{
	tally_stack(s, fg_stack_depth(&s->stack));
	if (!fg_sum_is_zero(weight)) {
		weight = scaled(s, weight, decimals);
		add_more_roots(s);
		fg_sum_add_sum(&entry_under(s, &s->roots)->sum, weight);
	}
	fg_sink_clear(s);
}

void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals)
{
	tally_stack(s, path->depth);
	if (fg_sum_is_zero(weight))
		return;
	weight = scaled(s, weight, decimals);
	fg_sum_add_sum(&fg_counts_entry_of_path(&s->counts[0], path)->sum, weight);
}

/* ---- samples */

bool fg_sink_wants_time(const struct fg_sink *s)
{
	return s->selection && fg_selection_needs_time(s->selection);
}

bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample)
{
	return !s->selection || fg_selection_wants(s->selection, sample);
}

/* The root frame `root` of a sample, or NO_ROOT where it has none. */
static uint32_t root_of(struct fg_sink *s, const struct fg_sample *sample,
			enum fg_root root)
{
	fg_buf_clear(&s->text);
	fg_add_root(&s->text, s->samples, root, sample);
	return s->text.len ? fg_intern(&s->names, fg_buf_str(&s->text)) : NO_ROOT;
}

/* The same where it is the comm alone, as it is worked out once for each comm. */
static uint32_t root_of_comm(struct fg_sink *s, const struct fg_sample *sample)
{
	size_t known = s->comms.count;
	uint32_t comm;

	if (known == COMMS_MAX) {
		fg_intern_release(&s->comms);
		known = 0;
	}
	comm = fg_intern(&s->comms, sample->comm);
	if (comm == known) {
		FG_GROW(s->comm_roots, s->comm_roots_alloc, known + 1);
		s->comm_roots[comm] = root_of(s, sample, FG_ROOT_COMM);
	}
	return s->comm_roots[comm];
}

void fg_sink_set_roots(struct fg_sink *s, const struct fg_sample *sample,
		       struct fg_roots *roots)
{
	const struct fg_samples_options *o = s->samples;
	bool has_ids = o->pid || o->tid;

	roots->count = 0;
	for (size_t i = 0; i < o->root_count; i++) {
		uint32_t id = o->roots[i] == FG_ROOT_COMM && !has_ids ?
				      root_of_comm(s, sample) :
				      root_of(s, sample, o->roots[i]);

		if (id != NO_ROOT)
			roots->ids[roots->count++] = id;
	}
}

/* ---- the rest */

void fg_sink_odd_line(struct fg_sink *s, struct fg_place at, struct fg_str line)
{
	fg_tally_odd_line(&s->tally, at, line, s->diag);
}
