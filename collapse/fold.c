/* The distinct stacks at the end: order, callers, filter; then lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/sink.h"
#include "collapse/sink_state.h"
#include "lib/base/xalloc.h"

/* ---- stacks as options want them */

static void reverse(uint32_t *ids, size_t depth)
{
	for (size_t i = 0; i < depth / 2; i++) {
		uint32_t id = ids[i];

		ids[i] = ids[depth - 1 - i];
		ids[depth - 1 - i] = id;
	}
}

/* Puts stacks into the shape that the format and options ask for. */
struct shaper {
	const struct fg_sink *sink;
	struct fg_counts *all; /* the shaped stacks */
	struct fg_filter *filter; /* NULL where stacks stay as they are */
	uint32_t *ids; /* room for one stack */
	size_t alloc;
};

/* The chain starts with its last frame of FG_MARK_BASE; false where it has none. */
static bool cut_callers(const struct fg_sink *sink, uint32_t *ids, size_t *depth)
{
	size_t start = *depth;

	while (start && !fg_sink_has_mark(sink, ids[start - 1], FG_MARK_BASE))
		start--;
	if (!start)
		return false;
	*depth -= start - 1;
	memmove(ids, ids + start - 1, *depth * sizeof(*ids));
	return true;
}

static bool changes_stacks(const struct fg_sink *s)
{
	return s->root_first || s->rules.cuts_callers ||
	       fg_filter_options_change(&s->common->filter);
}

/* How many frames at the leaf are values, and no part of the chain. */
static size_t count_values(const struct fg_sink *s, const struct fg_counts_entry *entry,
			   size_t root_depth)
{
	size_t count = 0;

	while (count < s->rules.values_max && root_depth + count < entry->depth &&
	       fg_sink_has_mark(s, entry->ids[entry->depth - count - 1], FG_MARK_VALUE))
		count++;
	return count;
}

/* Copies a stack to m->ids as the format and its options want it, before the filter. */
static struct fg_filter_stack
shape(struct shaper *m, const struct fg_counts_entry *entry, size_t root_depth)
{
	size_t values = count_values(m->sink, entry, root_depth);
	size_t depth = entry->depth - root_depth - values;
	uint32_t *chain;

	FG_GROW(m->ids, m->alloc, (size_t)entry->depth + 1);
	if (entry->depth)
		memcpy(m->ids, entry->ids, entry->depth * sizeof(*m->ids));
	chain = m->ids + root_depth;
	if (m->sink->root_first)
		reverse(chain, depth);
	if (m->sink->rules.cuts_callers != FG_CUT_NONE &&
	    cut_callers(m->sink, chain, &depth) &&
	    m->sink->rules.cuts_callers == FG_CUT_ROOTS) {
		memmove(m->ids, chain, depth * sizeof(*chain));
		chain = m->ids;
		root_depth = 0;
	}
	memmove(chain + depth, entry->ids + entry->depth - values,
		values * sizeof(*chain));
	return (struct fg_filter_stack){ m->ids, root_depth + depth + values,
					 root_depth, values };
}

/* Adds all of `from`, shaped; `where`: the new index of each entry. */
static void merge(struct shaper *m, const struct fg_counts *from, size_t root_depth,
		  uint32_t *where)
{
	for (size_t i = 0; i < from->count; i++) {
		struct fg_filter_stack s = shape(m, &from->entries[i], root_depth);
		struct fg_counts_entry *sum;

		if (m->filter && !fg_filter_stack(m->filter, &s)) {
			if (where)
				where[i] = FG_PLACED_GONE;
			continue;
		}
		sum = fg_counts_entry(m->all, s.ids, s.depth);
		fg_sum_add_sum(&sum->sum, from->entries[i].sum);
		if (i < from->minus_alloc)
			fg_counts_take(m->all, sum, from->minus[i]);
		if (where)
			where[i] = (uint32_t)(sum - m->all->entries);
	}
}

/* ---- lines */

/* Puts the stacks of every number of roots together; they are in m->all only, then. */
static void gather(struct fg_sink *s, struct shaper *m)
{
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++) {
		struct fg_counts *from = &s->counts[roots];
		uint32_t *where = fg_xcalloc(from->count, sizeof(*where));

		merge(m, from, roots, where);
		fg_placed_renumber(&s->placed, roots, where);
		free(where);
		fg_counts_release(from);
	}
	if (!s->any_header)
		merge(m, &s->orphans, 0, NULL);
}

/* The only table that has stacks, where they have the shape that options want. */
static const struct fg_counts *only_table(const struct fg_sink *s)
{
	const struct fg_counts *only = NULL;

	if (changes_stacks(s) || s->sequence || s->slices ||
	    (!s->any_header && s->orphans.count))
		return NULL;
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++) {
		if (!s->counts[roots].count)
			continue;
		if (only || s->counts[roots].minus)
			return NULL;
		only = &s->counts[roots];
	}
	return only;
}

/* Nothing is looked up from now on. */
static void finish(struct fg_sink *s)
{
	fg_intern_trim(&s->names);
	fg_intern_release(&s->comms);
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++)
		fg_counts_finish(&s->counts[roots]);
	fg_counts_finish(&s->orphans);
}

void fg_sink_set_command(struct fg_sink *s, struct fg_str command)
{
	if (!command.len || s->mixed_commands)
		return;
	s->mixed_commands =
		s->command.len && !fg_str_eq(command, fg_buf_str(&s->command));
	fg_buf_clear(&s->command);
	if (!s->mixed_commands)
		fg_buf_add_str(&s->command, command);
}

/*
 * Counts of 1 are samples, whatever the event: perf script printed no periods. While
 * samples are to come they may have some, and what all of them weigh is not known.
 */
static void write_header(const struct fg_sink *s, struct fg_out *out)
{
	const char *unit = s->rules.unit;

	if (s->samples->weighs == FG_WEIGHT_FIELD)
		unit = fg_str_starts(fg_str_from(s->samples->weight), FG_STR("bytes")) ?
			       "bytes" : /* bytes_req, bytes_alloc */
			       s->samples->weight;
	else if (s->samples->weighs == FG_WEIGHT_SAMPLES)
		unit = "samples";
	else if (!unit && s->weights <= 1)
		unit = s->out ? "" : "samples";
	fg_events_write_header(s->events, unit, out);
	if (s->samples->weighs != FG_WEIGHT_FIELD &&
	    s->samples->weighs != FG_WEIGHT_LATENCY && !s->rules.unit && !s->out &&
	    s->weights && s->weights == s->common_weights)
		fg_out_addf(out, "# sample-weight: %" PRIu64 "\n", s->weights);
	if (s->command.len)
		fg_events_write_line("command", fg_buf_str(&s->command), FG_QUOTED_MAX,
				     out);
}

/* The header of folded(5) where stacks have values. */
static void write_value(const struct fg_sink *s, struct fg_out *out)
{
	const struct fg_str name = fg_buf_str(&s->value);
	const struct fg_str unit = fg_buf_str(&s->value_unit);

	fg_events_write_line("event", name, name.len, out);
	if (unit.len)
		fg_events_write_line("unit", unit, unit.len, out);
}

static void write_start(struct fg_sink *s, struct fg_out *out)
{
	if (s->started)
		return;
	s->started = true;
	if (s->slices)
		fg_slices_add_header(s->slices, &s->header);
	fg_out_add_str(out, fg_buf_str(&s->header));
	if (s->samples->header && s->format->has_values)
		write_value(s, out);
	else if (s->samples->header)
		write_header(s, out);
}

/* Counts are parts of single samples, as perf script printed no periods. */
static bool has_small_shares(const struct fg_sink *s)
{
	return s->samples->weighs == FG_WEIGHT_LATENCY && s->weights <= 1;
}

/* Writes the lines of all stacks so far. Returns how many there are. */
static size_t write_stacks(struct fg_sink *s, struct fg_out *out)
{
	const struct fg_counts_format format = {
		.style = s->rules.style,
		.decimals = s->decimals,
		.whole = !s->format->keeps_decimals && !has_small_shares(s),
		.keep = s->filter ? fg_filter_keeps : NULL,
		.data = s->filter,
	};
	const struct fg_counts *only = only_table(s);
	struct fg_counts all;
	const struct fg_placed_lines in_time = { &all, &s->names, &format,
						 &s->tally.shrunk };
	struct shaper m = { .sink = s, .all = &all };
	size_t lines;

	if (only)
		return fg_counts_write(only, &s->names, &format, out);
	fg_counts_init(&all);
	if (fg_filter_options_change(&s->common->filter))
		m.filter = s->filter;
	gather(s, &m);
	if (!s->slices)
		fg_counts_settle(&all, &s->tally.shrunk);
	fg_counts_finish(&all);
	if (s->sequence)
		lines = fg_sequence_write(s->sequence, &in_time, out);
	else if (s->slices)
		lines = fg_slices_write(s->slices, &in_time, out);
	else
		lines = fg_counts_write(&all, &s->names, &format, out);
	fg_counts_release(&all);
	free(m.ids);
	return lines;
}

void fg_sink_write_slices(struct fg_sink *s)
{
	write_start(s, s->out);
	s->lines += write_stacks(s, s->out);
	s->written_samples = s->tally.samples;
	if (fg_out_flush(s->out) || fg_filter_failed(s->filter))
		s->stops = true;
}

/* The header is there only if there are lines. */
static size_t write_if_any(struct fg_sink *s, struct fg_out *out)
{
	struct fg_out text;
	size_t lines;

	fg_out_init_memory(&text);
	write_start(s, &text);
	lines = write_stacks(s, &text);
	s->started = lines > 0;
	if (lines)
		fg_out_add_str(out, fg_buf_str(&text.buf));
	fg_out_close(&text);
	return lines;
}

size_t fg_sink_write(struct fg_sink *s, struct fg_out *out)
{
	finish(s);
	if (s->rules.may_be_left_out)
		return write_if_any(s, out);
	write_start(s, out);
	return s->lines + write_stacks(s, out);
}
