/*
 * Takes stacks from a grammar, counts them, and writes them in the end.
 *
 * Stacks are counted as they come, in the grammar's order of frames, in one table for
 * each number of root frames. Only at the end are the distinct stacks reversed, cut and
 * filtered as the options ask, merged into one table, sorted and written.
 */
#include "collapse/sink.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/sink_internal.h"
#include "lib/base/xalloc.h"
#include "lib/profile/quality.h"

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
	s->weights.common = UINT64_MAX;
	s->frame_budget = FG_FRAMES_AT_FIRST;
	s->root_first = format->root_first;
	fg_intern_init_visible(&s->names);
	s->names.longest = FG_NAME_MAX;
	fg_intern_init(&s->comms.names);
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_init(&s->counts[i]);
	fg_counts_init(&s->orphans.counts);
	s->events = fg_events_new(s->samples);
	if (s->samples->time_order)
		s->sequence = fg_sequence_new(s->samples, &s->timeline);
	if (s->samples->slice_width)
		s->slices = fg_slices_new(s->samples->slice_width, s->samples->every,
					  &s->timeline);
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
	fg_intern_release(&s->comms.names);
	free(s->comms.roots);
	fg_stack_release(&s->stack);
	fg_stack_release(&s->more_roots);
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_release(&s->counts[i]);
	fg_counts_release(&s->orphans.counts);
	fg_sequence_free(s->sequence);
	fg_slices_free(s->slices);
	fg_timeline_release(&s->timeline);
	free(s->parts.items);
	fg_selection_free(s->selection);
	fg_events_free(s->events);
	fg_filter_free(s->filter);
	fg_tally_release(&s->tally);
	fg_buf_release(&s->input.first_bytes);
	fg_buf_release(&s->header);
	fg_buf_release(&s->command.text);
	fg_buf_release(&s->value.name);
	fg_buf_release(&s->value.unit);
	fg_buf_release(&s->value.other);
	fg_buf_release(&s->value.names);
	fg_buf_release(&s->scratch);
	free(s->marks.bits);
	free(s);
}

/* ---- the parts of the sink */

struct fg_stack *fg_sink_stack(struct fg_sink *s)
{
	return &s->stack;
}

struct fg_intern *fg_sink_names(struct fg_sink *s)
{
	return &s->names;
}

struct fg_tally *fg_sink_tally(struct fg_sink *s)
{
	return &s->tally;
}

struct fg_place *fg_sink_at(struct fg_sink *s)
{
	return &s->input.at;
}

struct fg_diag *fg_sink_diag(struct fg_sink *s)
{
	return s->diag;
}

struct fg_buf *fg_sink_header(struct fg_sink *s)
{
	return &s->header;
}

/* ---- frames */

/*
 * Returns the index of the space before a number at the end of a name, which folded(5)
 * would read as a count. Returns the length of the name if it does not end like that.
 */
static size_t space_before_count(struct fg_str name)
{
	size_t digits = fg_str_end_span(name, fg_is_digit);
	size_t at = name.len - digits - 1;

	return digits && digits < name.len && name.ptr[at] == ' ' ? at : name.len;
}

/*
 * Returns true if a name needs no change. Names in structured profiles may contain any
 * characters.
 */
static bool is_clean(const struct fg_sink *s, struct fg_str name)
{
	return !fg_str_has_char(name, ';') &&
	       (!s->format->has_values ||
		(!fg_str_has_char(name, '\n') && !fg_str_has_char(name, '\r') &&
		 space_before_count(name) == name.len));
}

uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name)
{
	/* Names of structured profiles keep the spaces at their ends. */
	if (!s->format->has_values || !fg_str_trim(name).len)
		name = fg_str_trim(name);
	if (!name.len)
		name = FG_STR("[unknown]");
	if (is_clean(s, name))
		return fg_intern(&s->names, name);
	fg_buf_clear(&s->scratch);
	fg_buf_add_str(&s->scratch, name);
	for (size_t i = 0; i < s->scratch.len; i++) {
		char *c = &s->scratch.ptr[i];

		if (*c == ';')
			*c = ':';
		else if (s->format->has_values && (*c == '\n' || *c == '\r'))
			*c = ' ';
	}
	if (s->format->has_values && space_before_count(name) < name.len)
		s->scratch.ptr[space_before_count(name)] = '_';
	return fg_intern(&s->names, fg_buf_str(&s->scratch));
}

void fg_sink_frame(struct fg_sink *s, struct fg_str name)
{
	fg_stack_add_root(&s->stack, fg_sink_name(s, name));
}

void fg_sink_module(struct fg_sink *s, struct fg_str path)
{
	struct fg_str name = fg_str_basename(fg_str_trim(path));
	struct fg_buf text = FG_BUF_INIT;

	fg_str_cut_start(&name, FG_STR("["));
	fg_str_cut_end(&name, FG_STR("]"));
	fg_buf_add_char(&text, '[');
	fg_buf_add_str(&text, name);
	fg_buf_add_char(&text, ']');
	fg_sink_frame(s, fg_buf_str(&text));
	fg_buf_release(&text);
}

void fg_sink_root_id(struct fg_sink *s, uint32_t id)
{
	if (s->roots.count < FG_ROOTS_MAX)
		s->roots.ids[s->roots.count++] = id;
	else
		fg_stack_add_root(&s->more_roots, id);
}

void fg_sink_root(struct fg_sink *s, struct fg_str name)
{
	fg_sink_root_id(s, fg_sink_name(s, name));
}

/* ---- times */

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
	FG_GROW(s->parts.items, s->parts.alloc, s->parts.count + 1);
	s->parts.items[s->parts.count++] = (struct fg_part){ ns, part };
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
	if (s->parts.count) {
		struct fg_part *last = &s->parts.items[s->parts.count - 1];
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

void fg_sink_set_clock(struct fg_sink *s, uint64_t time, uint64_t start)
{
	if (s->slices)
		fg_slices_set_clock(s->slices, time, start);
}

static void add_parts(struct fg_sink *s, struct fg_timeline_item item, uint64_t factor)
{
	struct fg_roots roots = { .has_time = true };

	for (size_t i = 0; i < s->parts.count; i++) {
		roots.time = s->parts.items[i].time;
		item.weight = fg_sum_mul(s->parts.items[i].weight, factor);
		fg_slices_add(s->slices, item, &roots);
	}
}

/* ---- counting */

void fg_sink_clear(struct fg_sink *s)
{
	fg_stack_clear(&s->stack);
	fg_stack_clear(&s->more_roots);
	s->roots.count = 0;
	s->roots.has_time = false;
	s->parts.count = 0;
}

/* Makes a timeline item for `entry`, which is in s->counts[root_count]. */
static inline struct fg_timeline_item item_of(const struct fg_sink *s,
					      size_t root_count,
					      const struct fg_counts_entry *entry,
					      struct fg_sum weight)
{
	return (struct fg_timeline_item){
		.entry = (uint32_t)(entry - s->counts[root_count].entries),
		.root_depth = (uint16_t)root_count,
		.weight = weight,
	};
}

/* Adds a stack to the timeline, if --time-order or --slice needs it. */
static inline void add_to_timeline(struct fg_sink *s, struct fg_timeline_item item,
				   const struct fg_roots *roots)
{
	if (s->sequence)
		fg_sequence_add(s->sequence, item.entry, roots, item.weight);
	if (s->slices)
		fg_slices_add(s->slices, item, roots);
}

/* Adds root frames to the stack, and returns the entry of the whole stack. */
static struct fg_counts_entry *entry_under(struct fg_sink *s,
					   const struct fg_roots *roots)
{
	for (size_t i = roots->count; i-- > 0;)
		fg_stack_add_root(&s->stack, roots->ids[i]);
	return fg_counts_entry(&s->counts[roots->count], fg_stack_ids(&s->stack),
			       fg_stack_depth(&s->stack));
}

/* Makes 10^-decimals the unit of all counts. */
static void scale_counts(struct fg_sink *s, unsigned decimals)
{
	uint64_t factor = fg_pow10(decimals - s->decimals);

	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_scale(&s->counts[i], factor);
	fg_timeline_scale(&s->timeline, factor);
	s->decimals = decimals;
}

/*
 * Converts a weight to the unit of all counts. If the weight has more decimals, makes
 * that unit smaller first.
 */
static inline struct fg_sum scaled(struct fg_sink *s, struct fg_sum weight,
				   unsigned decimals)
{
	if (decimals > s->decimals)
		scale_counts(s, decimals);
	if (decimals == s->decimals)
		return weight;
	return fg_sum_mul(weight, fg_pow10(s->decimals - decimals));
}

static void add_more_roots(struct fg_sink *s)
{
	for (size_t i = 0; i < fg_stack_depth(&s->more_roots); i++)
		fg_stack_add_root(&s->stack, fg_stack_ids(&s->more_roots)[i]);
}

static void tally_stack(struct fg_sink *s, size_t depth)
{
	s->tally.samples++;
	s->tally.kept++;
	s->tally.chains += depth > 0;
}

void fg_sink_count_weight(struct fg_sink *s, const struct fg_roots *roots,
			  struct fg_sink_weight weight)
{
	struct fg_sum sum = scaled(s, weight.sum, weight.decimals);
	struct fg_counts_entry *entry = entry_under(s, roots);
	struct fg_timeline_item item = item_of(s, roots->count, entry, sum);

	item.minus = weight.minus;
	if (weight.minus)
		fg_counts_subtract(&s->counts[roots->count], entry, sum);
	else
		fg_sum_add_sum(&entry->sum, sum);
	if (s->parts.count)
		add_parts(s, item, fg_pow10(s->decimals - weight.decimals));
	else
		add_to_timeline(s, item, roots);
	s->parts.count = 0;
}

/* Counts the stack that is being built, and empties it. */
static void add_weight(struct fg_sink *s, struct fg_sink_weight weight)
{
	tally_stack(s, fg_stack_depth(&s->stack));
	if (!fg_sum_is_zero(weight.sum)) {
		add_more_roots(s);
		fg_sink_count_weight(s, &s->roots, weight);
	}
	fg_sink_clear(s);
}

void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals)
{
	add_weight(s, (struct fg_sink_weight){ weight, decimals, false });
}

void fg_sink_subtract_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals)
{
	add_weight(s, (struct fg_sink_weight){ weight, decimals, true });
}

void fg_sink_add(struct fg_sink *s, uint64_t weight)
{
	fg_sink_add_sum(s, (struct fg_sum){ weight, 0 }, 0);
}

void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals)
{
	struct fg_counts_entry *entry;

	tally_stack(s, path->depth);
	if (fg_sum_is_zero(weight))
		return;
	weight = scaled(s, weight, decimals);
	entry = fg_counts_entry_of_path(&s->counts[0], path);
	fg_sum_add_sum(&entry->sum, weight);
	add_to_timeline(s, item_of(s, 0, entry, weight), &s->roots);
}

void fg_sink_expect_path(const struct fg_sink *s, const struct fg_path *path)
{
	fg_counts_expect_path(&s->counts[0], path);
}

/* ---- the shape of the stacks that are written */

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
	struct fg_filter *filter; /* NULL if options change no stacks */
	uint32_t *ids; /* scratch for one stack */
	size_t alloc;
};

/*
 * Removes the callers of the last frame with FG_MARK_BASE. Returns false if there is no
 * such frame.
 */
static bool cut_callers(const struct fg_sink *sink, uint32_t *ids, size_t *depth)
{
	size_t start = *depth;

	while (start && !fg_sink_is_marked(sink, ids[start - 1], FG_MARK_BASE))
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

/* Returns how many frames at the leaf are values and not part of the call chain. */
static size_t count_values(const struct fg_sink *s, const struct fg_counts_entry *entry,
			   size_t root_depth)
{
	size_t count = 0;

	while (count < s->rules.values_max && root_depth + count < entry->depth &&
	       fg_sink_is_marked(s, entry->ids[entry->depth - count - 1],
				 FG_MARK_VALUE))
		count++;
	return count;
}

/* Copies a stack to m->ids, reversed and cut. The caller applies the filter. */
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

/* Adds all stacks of `from`, shaped. Sets where[i] to the new index of entry i. */
static void merge(struct shaper *m, const struct fg_counts *from, size_t root_depth,
		  uint32_t *where)
{
	for (size_t i = 0; i < from->count; i++) {
		struct fg_filter_stack s = shape(m, &from->entries[i], root_depth);
		struct fg_counts_entry *sum;

		if (m->filter && !fg_filter_stack(m->filter, &s)) {
			if (where)
				where[i] = FG_TIMELINE_GONE;
			continue;
		}
		sum = fg_counts_entry(m->all, s.ids, s.depth);
		fg_sum_add_sum(&sum->sum, from->entries[i].sum);
		if (i < from->minus_alloc)
			fg_counts_subtract(m->all, sum, from->minus[i]);
		if (where)
			where[i] = (uint32_t)(sum - m->all->entries);
	}
}

/* ---- lines */

/* Moves the stacks of all tables, one for each number of root frames, to m->all. */
static void gather(struct fg_sink *s, struct shaper *m)
{
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++) {
		struct fg_counts *from = &s->counts[roots];
		uint32_t *where = fg_xcalloc(from->count, sizeof(*where));

		merge(m, from, roots, where);
		fg_timeline_renumber(&s->timeline, roots, where);
		free(where);
		fg_counts_release(from);
	}
	if (!s->orphans.any_header)
		merge(m, &s->orphans.counts, 0, NULL);
}

/*
 * Returns the only table that has stacks, if they already have the right shape. Returns
 * NULL if several tables have stacks or if stacks must change.
 */
static const struct fg_counts *only_table(const struct fg_sink *s)
{
	const struct fg_counts *only = NULL;

	if (changes_stacks(s) || s->sequence || s->slices ||
	    (!s->orphans.any_header && s->orphans.counts.count))
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

/*
 * Frees the tables that are only needed to look up names and stacks. Call it after the
 * last sample.
 */
static void finish(struct fg_sink *s)
{
	fg_intern_trim(&s->names);
	fg_intern_release(&s->comms.names);
	for (size_t roots = 0; roots <= FG_ROOTS_MAX; roots++)
		fg_counts_finish(&s->counts[roots]);
	fg_counts_finish(&s->orphans.counts);
}

/*
 * Writes the header of folded(5) for samples. If all samples weigh 1, perf script
 * printed no periods, so the unit is samples, whatever the event. With --every we do
 * not know the weights of later samples yet, so the unit is left out.
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
	else if (!unit && s->weights.any <= 1)
		unit = s->output.out ? "" : "samples";
	fg_events_write_header(s->events, s->rules.event, unit, out);
	if (s->samples->weighs != FG_WEIGHT_FIELD &&
	    s->samples->weighs != FG_WEIGHT_LATENCY && !s->rules.unit &&
	    !s->output.out && s->weights.any && s->weights.any == s->weights.common)
		fg_out_addf(out, "# sample-weight: %" PRIu64 "\n", s->weights.any);
	if (s->command.text.len)
		fg_events_write_line("command", fg_buf_str(&s->command.text),
				     FG_QUOTED_MAX, out);
}

static uint64_t length_of_input(const struct fg_sink *s)
{
	return s->length.any ? s->length.to - s->length.from : 0;
}

/* Returns the number of lines and entries that were not understood. */
static uint64_t count_malformed(const struct fg_tally *t)
{
	uint64_t count = t->malformed;

	for (size_t i = 0; i < t->loss_count; i++)
		if (!t->losses[i].counted)
			count = fg_count_add(count, t->losses[i].count);
	return count;
}

/*
 * Writes the header line about the quality of the recording, without what earlier such
 * lines counted: a reader adds them up. With --every there is one before the stacks of
 * each slice.
 */
static void write_quality(struct fg_sink *s, struct fg_out *out)
{
	const struct fg_tally *t = &s->tally;
	struct fg_quality q = { .known = { false, true } };
	uint64_t *of = q.of[1]; /* the only column */
	struct fg_buf line = FG_BUF_INIT;

	of[s->format->has_samples ? FG_QUALITY_SAMPLES : FG_QUALITY_STACKS] = t->kept;
	of[FG_QUALITY_NS] = fg_count_add(s->length.before, length_of_input(s));
	of[FG_QUALITY_LOST] = t->lost > t->lost_samples ? t->lost : t->lost_samples;
	of[FG_QUALITY_DROPPED] = t->dropped;
	of[FG_QUALITY_TRUNCATED] = t->truncated;
	of[FG_QUALITY_FRAMELESS] = t->frameless;
	of[FG_QUALITY_MALFORMED] = count_malformed(t);
	of[FG_QUALITY_CUT] = t->cut;
	for (size_t i = 0; i < FG_QUALITY_KINDS; i++) {
		uint64_t now = of[i];

		of[i] -= s->output.quality[i];
		s->output.quality[i] = now;
	}
	fg_quality_add_line(&q, &line);
	fg_out_add_str(out, fg_buf_str(&line));
	fg_buf_release(&line);
}

/* Writes the header of folded(5) for a format with values. */
static void write_value(const struct fg_sink *s, struct fg_out *out)
{
	const struct fg_str name = fg_buf_str(&s->value.name);
	const struct fg_str unit = fg_buf_str(&s->value.unit);

	fg_events_write_line("event", name, name.len, out);
	if (unit.len)
		fg_events_write_line("unit", unit, unit.len, out);
}

/* Writes the lines before all stacks, unless they are written. */
static void write_start(struct fg_sink *s, struct fg_out *out)
{
	if (s->output.started)
		return;
	s->output.started = true;
	if (s->slices)
		fg_slices_add_header(s->slices, &s->header);
	fg_out_add_str(out, fg_buf_str(&s->header));
	if (s->samples->header && s->format->has_values)
		write_value(s, out);
	else if (s->samples->header && s->format->has_samples)
		write_header(s, out);
}

/* Returns true if counts are fractions of samples, because there are no periods. */
static bool has_small_shares(const struct fg_sink *s)
{
	return s->samples->weighs == FG_WEIGHT_LATENCY && s->weights.any <= 1;
}

/* Writes all stacks so far, without a header. Returns the number of lines. */
static size_t write_lines(struct fg_sink *s, struct fg_out *out)
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
	const struct fg_timeline_output timeline = { &all, &s->names, &format,
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
		lines = fg_sequence_write(s->sequence, &timeline, out);
	else if (s->slices)
		lines = fg_slices_write(s->slices, &timeline, out);
	else
		lines = fg_counts_write(&all, &s->names, &format, out);
	fg_counts_release(&all);
	free(m.ids);
	return lines;
}

/*
 * Writes all stacks so far, with the header lines that belong before them. Returns the
 * number of their lines.
 */
static size_t write_stacks(struct fg_sink *s, struct fg_out *out)
{
	write_start(s, out);
	if (s->samples->header)
		write_quality(s, out);
	return write_lines(s, out);
}

/* Writes the slices that have ended, and forgets their stacks. */
static void write_slices(struct fg_sink *s)
{
	s->output.lines += write_stacks(s, s->output.out);
	s->output.samples = s->tally.samples;
	if (fg_out_flush(s->output.out) || fg_filter_failed(s->filter))
		s->failed = true;
}

/* Like fg_sink_write(), but writes the header only if there are lines. */
static size_t write_if_any(struct fg_sink *s, struct fg_out *out)
{
	struct fg_out text;
	size_t lines;

	fg_out_init_memory(&text);
	lines = write_stacks(s, &text);
	s->output.started = lines > 0;
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
	return s->output.lines + write_stacks(s, out);
}

/* ---- slices that end while we read, with --every */

/*
 * Returns true if there are enough new samples to write slices. Writing takes time and
 * memory in proportion to the number of names so far, so a few samples can wait.
 */
static bool is_worth_writing(const struct fg_sink *s)
{
	return s->tally.samples - s->output.samples > s->names.count / 1024;
}

void fg_sink_note_time(struct fg_sink *s, uint64_t ns)
{
	if (!s->slices)
		return;
	fg_slices_see(s->slices, ns);
	if (s->output.out && s->timeline.count && fg_slices_ended(s->slices, ns) &&
	    is_worth_writing(s))
		write_slices(s);
}

void fg_sink_note_length(struct fg_sink *s, uint64_t from, uint64_t to)
{
	struct fg_sink_length *l = &s->length;

	if (!l->any || from < l->from)
		l->from = from;
	if (!l->any || to > l->to)
		l->to = to;
	l->any = true;
}

void fg_sink_end_length(struct fg_sink *s)
{
	s->length.before = fg_count_add(s->length.before, length_of_input(s));
	s->length.any = false;
}

/* ---- what is not counted */

void fg_sink_malformed(struct fg_sink *s, struct fg_str line)
{
	fg_sink_malformed_at(s, s->input.at, line);
}

void fg_sink_malformed_at(struct fg_sink *s, struct fg_place at, struct fg_str line)
{
	fg_tally_malformed(&s->tally, at, line, s->diag);
}

void fg_sink_skip(struct fg_sink *s, enum fg_skip reason, uint64_t amount)
{
	fg_tally_skip(&s->tally, reason, amount);
}

void fg_sink_lose(struct fg_sink *s, const char *what, uint64_t count)
{
	if (count)
		fg_tally_loss(&s->tally, what)->count += count;
}

void fg_sink_lose_callers(struct fg_sink *s, const char *what, uint64_t count)
{
	fg_sink_lose(s, what, count);
	if (!count)
		return;
	fg_tally_loss(&s->tally, what)->counted = true;
	s->tally.truncated = fg_count_add(s->tally.truncated, count);
}

void fg_sink_lose_weight(struct fg_sink *s, const char *what, struct fg_sum weight)
{
	struct fg_loss *loss = fg_tally_loss(&s->tally, what);

	loss->count++;
	fg_sum_add_sum(&loss->weight, weight);
}

void fg_sink_set_cut(struct fg_sink *s)
{
	s->tally.cut = true;
}

void fg_sink_set_cause(struct fg_sink *s, const char *cause)
{
	s->cause = cause;
}

void fg_sink_set_fault(struct fg_sink *s, const char *fault)
{
	s->fault = fault;
}

bool fg_sink_is_unended(const struct fg_sink *s)
{
	return s->input.unended;
}

void fg_sink_set_unended(struct fg_sink *s, bool unended)
{
	s->input.unended = unended;
}

void fg_sink_warn_cut(struct fg_sink *s, const char *why)
{
	const struct fg_place at = { s->input.at.input, 0 };

	fg_warn(s->diag, &at, "%s: the input may be cut short", why);
	s->tally.cut = true;
}

bool fg_sink_has_failed(const struct fg_sink *s)
{
	return s->failed;
}
