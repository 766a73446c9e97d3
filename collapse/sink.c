/* Where a grammar's stacks go: from frames and samples to counts. */
#include "collapse/sink.h"
#include "collapse/sink_state.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

#define NO_ROOT UINT32_MAX

/* Comms whose root frame is remembered; few profiles have more. */
#define COMMS_MAX 4096

/* Of a weight that is divided by the number of threads that run. */
#define SHARE_DECIMALS 6

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
	s->frame_room = FG_FRAMES_AT_FIRST;
	s->root_first = format->root_first;
	fg_intern_init_visible(&s->names);
	s->names.longest = FG_NAME_MAX;
	fg_intern_init(&s->comms);
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++)
		fg_counts_init(&s->counts[i]);
	fg_counts_init(&s->orphans);
	s->events = fg_events_new(s->samples);
	if (s->samples->time_order)
		s->sequence = fg_sequence_new(s->samples, &s->placed);
	if (s->samples->slice_width)
		s->slices = fg_slices_new(s->samples->slice_width, s->samples->every,
					  &s->placed);
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
	fg_slices_free(s->slices);
	fg_placed_release(&s->placed);
	free(s->parts);
	fg_selection_free(s->selection);
	fg_events_free(s->events);
	fg_filter_free(s->filter);
	fg_tally_release(&s->tally);
	fg_buf_release(&s->first_bytes);
	fg_buf_release(&s->header);
	fg_buf_release(&s->command);
	fg_buf_release(&s->value);
	fg_buf_release(&s->value_unit);
	fg_buf_release(&s->other_value);
	fg_buf_release(&s->text);
	free(s->marks);
	free(s);
}

/* ---- what a grammar works on, and how stacks are written */

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
	return &s->at;
}

struct fg_diag *fg_sink_diag(struct fg_sink *s)
{
	return s->diag;
}

struct fg_buf *fg_sink_header(struct fg_sink *s)
{
	return &s->header;
}

struct fg_events *fg_sink_events(struct fg_sink *s)
{
	return s->events;
}

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

/* ---- frames */

/*
 * Where the blank is before a number at the end, which folded(5) would read as a count.
 */
static size_t blank_before_count(struct fg_str name)
{
	size_t digits = fg_str_end_span(name, fg_is_digit);
	size_t at = name.len - digits - 1;

	return digits && digits < name.len && name.ptr[at] == ' ' ? at : name.len;
}

/* Names of structured profiles may hold anything. */
static bool is_clean(const struct fg_sink *s, struct fg_str name)
{
	return !fg_str_has_char(name, ';') &&
	       (!s->format->has_values ||
		(!fg_str_has_char(name, '\n') && !fg_str_has_char(name, '\r') &&
		 blank_before_count(name) == name.len));
}

uint32_t fg_sink_name(struct fg_sink *s, struct fg_str name)
{
	/* those of structured profiles are shown as they are */
	if (!s->format->has_values || !fg_str_trim(name).len)
		name = fg_str_trim(name);
	if (!name.len)
		name = FG_STR("[unknown]");
	if (is_clean(s, name))
		return fg_intern(&s->names, name);
	fg_buf_clear(&s->text);
	fg_buf_add_str(&s->text, name);
	for (size_t i = 0; i < s->text.len; i++) {
		char *c = &s->text.ptr[i];

		if (*c == ';')
			*c = ':';
		else if (s->format->has_values && (*c == '\n' || *c == '\r'))
			*c = ' ';
	}
	if (s->format->has_values && blank_before_count(name) < name.len)
		s->text.ptr[blank_before_count(name)] = '_';
	return fg_intern(&s->names, fg_buf_str(&s->text));
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

void fg_sink_mark(struct fg_sink *s, uint32_t id, unsigned marks)
{
	size_t had = s->marks_alloc;

	FG_GROW(s->marks, s->marks_alloc, (size_t)id + 1);
	memset(s->marks + had, 0, s->marks_alloc - had);
	s->marks[id] |= (uint8_t)marks;
}

bool fg_sink_has_mark(const struct fg_sink *s, uint32_t id, enum fg_mark mark)
{
	return id < s->marks_alloc && (s->marks[id] & mark);
}

/* ---- stacks */

void fg_sink_clear(struct fg_sink *s)
{
	fg_stack_clear(&s->stack);
	fg_stack_clear(&s->more_roots);
	s->roots.count = 0;
	s->roots.has_time = false;
	s->part_count = 0;
}

/* A stack of s->counts[root_count], for lists of what counted when. */
static inline struct fg_placed placed(const struct fg_sink *s, size_t root_count,
				      const struct fg_counts_entry *entry)
{
	return (struct fg_placed){
		.entry = (uint32_t)(entry - s->counts[root_count].entries),
		.root_depth = (uint16_t)root_count,
	};
}

/* Notes when a stack was counted, if --time-order or --slice asks for that. */
static inline void note_time(struct fg_sink *s, struct fg_placed item,
			     const struct fg_roots *roots)
{
	if (s->sequence)
		fg_sequence_add(s->sequence, item.entry, roots, item.weight);
	if (s->slices)
		fg_slices_add(s->slices, item, roots);
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

/* From now on counts are in units of 10^-decimals. */
static void scale_counts(struct fg_sink *s, unsigned decimals)
{
	uint64_t factor = fg_pow10(decimals - s->decimals);

	for (size_t i = 0; i <= FG_ROOTS_MAX; i++) {
		struct fg_counts *c = &s->counts[i];

		for (size_t k = 0; k < c->count; k++)
			c->entries[k].sum = fg_sum_mul(c->entries[k].sum, factor);
		for (size_t k = 0; k < c->minus_alloc; k++)
			c->minus[k] = fg_sum_mul(c->minus[k], factor);
	}
	fg_placed_scale(&s->placed, factor);
	s->decimals = decimals;
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

/*
 * weight / divisor in the unit of all counts. Fractions are summed up, and rounded when
 * a stack is written: a million samples add an error of less than 1.
 */
static struct fg_sum share(struct fg_sink *s, uint64_t weight, uint64_t divisor)
{
	struct fg_sum sum =
		fg_sum_mul((struct fg_sum){ weight, 0 }, fg_pow10(SHARE_DECIMALS));

	return scaled(s, fg_sum_div(sum, divisor, NULL), SHARE_DECIMALS);
}

void fg_sink_count(struct fg_sink *s, const struct fg_roots *roots, uint64_t weight)
{
	struct fg_counts_entry *entry = entry_under(s, roots);
	struct fg_sum sum = { weight, 0 };
	struct fg_placed item = placed(s, roots->count, entry);

	s->weights |= weight;
	s->common_weights &= weight;
	if (roots->parallelism)
		sum = share(s, weight, roots->parallelism);
	fg_sum_add_sum(&entry->sum, sum);
	if (s->part_count) {
		fg_sink_note_parts(s, item, 1);
		s->part_count = 0;
		return;
	}
	item.weight = sum;
	note_time(s, item, roots);
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

/* Adds a weight to the stack that is built, or takes it off if it is `minus`. */
static void add_weight(struct fg_sink *s, struct fg_sum weight, unsigned decimals,
		       bool minus)
{
	struct fg_counts_entry *entry;
	struct fg_placed item;

	weight = scaled(s, weight, decimals);
	add_more_roots(s);
	entry = entry_under(s, &s->roots);
	if (minus)
		fg_counts_take(&s->counts[s->roots.count], entry, weight);
	else
		fg_sum_add_sum(&entry->sum, weight);
	item = placed(s, s->roots.count, entry);
	item.minus = minus;
	item.weight = weight;
	if (s->part_count)
		fg_sink_note_parts(s, item, fg_pow10(s->decimals - decimals));
	else
		note_time(s, item, &s->roots);
}

void fg_sink_add_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals)
{
	tally_stack(s, fg_stack_depth(&s->stack));
	if (!fg_sum_is_zero(weight))
		add_weight(s, weight, decimals, false);
	fg_sink_clear(s);
}

void fg_sink_take_sum(struct fg_sink *s, struct fg_sum weight, unsigned decimals)
{
	tally_stack(s, fg_stack_depth(&s->stack));
	if (!fg_sum_is_zero(weight))
		add_weight(s, weight, decimals, true);
	fg_sink_clear(s);
}

void fg_sink_add_path(struct fg_sink *s, const struct fg_path *path,
		      struct fg_sum weight, unsigned decimals)
{
	struct fg_counts_entry *entry;
	struct fg_placed item;

	tally_stack(s, path->depth);
	if (fg_sum_is_zero(weight))
		return;
	weight = scaled(s, weight, decimals);
	entry = fg_counts_entry_of_path(&s->counts[0], path);
	fg_sum_add_sum(&entry->sum, weight);
	item = placed(s, 0, entry);
	item.weight = weight;
	note_time(s, item, &s->roots);
}

void fg_sink_expect_path(const struct fg_sink *s, const struct fg_path *path)
{
	fg_counts_expect_path(&s->counts[0], path);
}

/* ---- samples */

bool fg_sink_selects(struct fg_sink *s, const struct fg_sample *sample)
{
	if (sample->has_time)
		fg_sink_see_time(s, sample->time);
	return !s->selection || fg_selection_wants(s->selection, sample);
}

bool fg_sink_stops(const struct fg_sink *s)
{
	return s->stops;
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

void fg_sink_saw_header(struct fg_sink *s)
{
	s->any_header = true;
}

void fg_sink_end_orphans(struct fg_sink *s)
{
	if (s->any_header)
		s->tally.dropped += s->orphan_samples;
	else
		s->tally.kept += s->orphan_samples;
}

/* ---- what happened */

void fg_sink_odd(struct fg_sink *s, struct fg_str line)
{
	fg_sink_odd_line(s, s->at, line);
}

void fg_sink_odd_line(struct fg_sink *s, struct fg_place at, struct fg_str line)
{
	fg_tally_odd_line(&s->tally, at, line, s->diag);
}

void fg_sink_drop(struct fg_sink *s)
{
	s->tally.samples++;
	s->tally.dropped++;
}

void fg_sink_leave_out(struct fg_sink *s)
{
	s->tally.samples++;
	s->tally.ignored++;
	s->tally.deselected++;
}

void fg_sink_set_aside(struct fg_sink *s, uint64_t weight)
{
	s->tally.aside += weight;
}

void fg_sink_pass_over(struct fg_sink *s, uint64_t count)
{
	s->tally.stackless += count;
}

void fg_sink_lose_events(struct fg_sink *s, uint64_t count)
{
	s->tally.lost = fg_count_add(s->tally.lost, count);
}

void fg_sink_lose_samples(struct fg_sink *s, uint64_t count)
{
	s->tally.lost_samples = fg_count_add(s->tally.lost_samples, count);
}

void fg_sink_is_cut(struct fg_sink *s)
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
	return s->unended;
}

void fg_sink_set_unended(struct fg_sink *s, bool unended)
{
	s->unended = unended;
}

void fg_sink_may_be_cut(struct fg_sink *s, const char *why)
{
	const struct fg_place at = { s->at.input, 0 };

	fg_warn(s->diag, &at, "%s: the input may be cut short", why);
	s->tally.cut = true;
}
