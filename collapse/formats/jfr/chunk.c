/*
 * The events of a chunk: reads them, and counts the samples when the chunk ends.
 *
 * A sample names its stack by the key of a constant, which may come later in the chunk.
 * So jfr_samples_add() keeps samples until count_samples() adds their stacks.
 */
#include "collapse/formats/jfr/chunk.h"

#include <stdlib.h>

#include "collapse/formats/jfr/layout.h"
#include "collapse/formats/jfr/wanted.h"
#include "lib/base/xalloc.h"

/* Ids of types that are the same in all recordings. */
#define TYPE_METADATA 0
#define TYPE_CHECKPOINT 1

void jfr_chunk_release(struct jfr_chunk *c)
{
	jfr_metadata_release(&c->metadata);
	jfr_constants_release(&c->constants);
	free(c->seen);
	free(c->wanted);
	fg_buf_release(&c->metadata_bytes);
	fg_buf_release(&c->waiting);
}

/* ---- types of events */

/* Returns true if the class is that of an event with a stack. */
static bool is_event(const struct jfr_class *c)
{
	const struct jfr_field *f = jfr_class_field(c, FG_STR("stackTrace"));

	return f && !f->array;
}

static bool is_wanted(const struct jfr *j, const struct jfr_class *c)
{
	return is_event(c) && jfr_wants(j, c->name);
}

/* ---- the value to count */

static void add_values(struct jfr_values *v, const struct jfr_class *c)
{
	for (size_t i = 0; i < c->field_count; i++) {
		const struct jfr_field *f = &c->fields[i];

		if (jfr_field_counts(f))
			jfr_values_add(v, f->name, jfr_field_unit(f));
	}
}

/*
 * Chooses the value to count from those of the wanted events, if the chunk has such
 * events. Returns 0, or -1 if the run is over.
 */
static int choose(struct jfr *j)
{
	const struct jfr_metadata *m = &j->chunk.metadata;
	struct jfr_values values;
	bool wanted = false;
	int status = 0;

	jfr_values_start(&values);
	for (size_t i = 0; i < m->class_count; i++)
		if (is_wanted(j, &m->classes[i])) {
			add_values(&values, &m->classes[i]);
			wanted = true;
		}
	if (wanted)
		status = jfr_values_choose(j, &values);
	jfr_values_release(&values);
	return status;
}

/* ---- metadata */

/*
 * Notes which events the chunk had, and forgets their classes. Call it before the
 * metadata is freed.
 */
static void forget_metadata(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;

	for (size_t i = 0; c->seen && i < c->metadata.class_count; i++) {
		if (c->seen[i] && is_event(&c->metadata.classes[i]))
			jfr_note_events(j, c->metadata.classes[i].name, c->seen[i]);
	}
	free(c->seen);
	free(c->wanted);
	c->seen = NULL;
	c->wanted = NULL;
	jfr_samples_forget(&j->samples);
}

/* Looks up the wanted events in new metadata. Returns 0, or -1 after reporting. */
static int start_metadata(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;
	const struct jfr_metadata *m = &c->metadata;
	struct fg_str weight;

	c->seen = fg_xcalloc(m->class_count, sizeof(*c->seen));
	c->wanted = fg_xcalloc(m->class_count, sizeof(*c->wanted));
	if (!j->chosen && choose(j))
		return -1;
	weight = fg_buf_str(&j->weight);
	for (size_t i = 0; i < m->class_count; i++)
		c->wanted[i] = is_wanted(j, &m->classes[i]) ?
				       jfr_samples_want(&j->samples, &m->classes[i],
							weight.len ? &weight : NULL) :
				       SIZE_MAX;
	return 0;
}

/* ---- events */

/*
 * Returns true if an event has a stack. Returns false if it has none, or if it would
 * take long to find out.
 */
static bool has_stack(const struct jfr_class *class, struct jfr_bytes b)
{
	if (!class->stack)
		return false;
	jfr_skip_numbers(&b, class->stack - 1, 8);
	return jfr_long(&b);
}

/* Reads an event. Returns false if its type is unknown; later metadata may have it. */
static bool read_known(struct jfr *j, uint64_t type, struct jfr_bytes *b)
{
	struct jfr_chunk *c = &j->chunk;
	const struct jfr_class *class;
	size_t index;

	if (type == TYPE_CHECKPOINT)
		return !jfr_constants_add(&c->constants, &c->metadata, b);
	class = jfr_metadata_class(&c->metadata, type);
	if (!class)
		return false;
	index = (size_t)(class - c->metadata.classes);
	c->seen[index] += has_stack(class, *b);
	if (c->wanted[index] != SIZE_MAX)
		jfr_samples_add(&j->samples, c->wanted[index], &c->constants, b);
	return true;
}

struct jfr_bytes jfr_chunk_bytes(const struct jfr *j, struct fg_str s)
{
	const char *at = s.len ? s.ptr : ""; /* NULL + 0 is undefined */

	return (struct jfr_bytes){ at, at + s.len, j->chunk.constants.fixed, false };
}

/* Reads the events that waited for the metadata, and drops those still unknown. */
static void read_waiting(struct jfr *j)
{
	struct jfr_bytes b = jfr_chunk_bytes(j, fg_buf_str(&j->chunk.waiting));

	while (jfr_left(&b)) {
		struct jfr_bytes event = b;
		uint64_t size = jfr_int(&event);

		event.end = b.at + size; /* only whole events are kept */
		b.at = event.end;
		read_known(j, jfr_long(&event), &event);
	}
	fg_buf_clear(&j->chunk.waiting);
}

/* Reads a metadata event. A chunk may have several, if types are added meanwhile. */
static int read_metadata(struct jfr *j, struct jfr_bytes *b)
{
	struct jfr_chunk *c = &j->chunk;
	struct fg_str bytes = fg_str_of(b->at, jfr_left(b));
	struct jfr_metadata fresh = { .class_count = 0 };

	if (c->has_metadata && fg_str_eq(bytes, fg_buf_str(&c->metadata_bytes)))
		return 0;
	if (jfr_metadata_read(&fresh, b)) {
		jfr_metadata_release(&fresh); /* it may not be metadata at all */
		return 0;
	}
	jfr_layout_work_out(&fresh);
	forget_metadata(j);
	jfr_metadata_release(&c->metadata);
	c->metadata = fresh;
	c->has_metadata = true;
	fg_buf_clear(&c->metadata_bytes);
	fg_buf_add_str(&c->metadata_bytes, bytes);
	return start_metadata(j);
}

int jfr_chunk_read_event(struct jfr *j, struct fg_str event)
{
	struct jfr_chunk *c = &j->chunk;
	struct jfr_bytes b = jfr_chunk_bytes(j, event);
	uint64_t type;
	bool first;

	jfr_int(&b);
	type = jfr_long(&b);
	if (b.bad) {
		j->samples.damaged++;
	} else if (type == TYPE_METADATA) {
		first = !c->has_metadata;
		if (read_metadata(j, &b))
			return -1;
		if (first && c->has_metadata)
			read_waiting(j);
	} else if (!c->has_metadata || !read_known(j, type, &b)) {
		fg_buf_add_str(&c->waiting, event);
	}
	return 0;
}

/* ---- samples */

/*
 * Without --event, decides which type of event the run counts: one that has samples in
 * this chunk. Does nothing if an earlier chunk has decided that.
 */
static void choose_type(struct jfr *j)
{
	for (size_t i = 0; i < j->samples.event_count; i++) {
		const struct jfr_event *e = &j->samples.events[i];

		if (e->samples && e->class && (!j->event.len || !j->event_is_final))
			jfr_choose_type(j, e->class->name);
	}
	j->event_is_final = j->event.len;
}

/* Returns the time of a sample in ns since 1970. */
static uint64_t time_of(const struct jfr *j, const struct jfr_sample *sample)
{
	const struct jfr_chunk *c = &j->chunk;
	bool after = sample->time >= c->start_ticks;
	struct fg_sum ns = { after ? sample->time - c->start_ticks :
				     c->start_ticks - sample->time,
			     0 };

	if (j->samples.ticks_a_second)
		ns = fg_sum_div(fg_sum_mul(ns, 1000000000), j->samples.ticks_a_second,
				NULL);
	if (ns.high || (!after && ns.low > c->start))
		return c->start;
	return after ? c->start + ns.low : c->start - ns.low;
}

/* Returns a thread. Reads each name once, because many samples share it. */
static struct jfr_thread thread_of(struct jfr *j, const struct jfr_field *field,
				   uint64_t key)
{
	size_t index;
	bool is_new;

	if (!field || !field->class)
		return jfr_thread_of(j, FG_STR(""));
	index = *fg_map_add(&j->thread_ids, (struct fg_map_key){ field->class_id, key },
			    j->thread_count, &is_new);
	if (is_new) {
		FG_GROW(j->threads, j->thread_alloc, j->thread_count + 1);
		j->threads[j->thread_count++] =
			jfr_thread_of(j, jfr_frames_thread(&j->frames, field, key));
	}
	return j->threads[index];
}

static void add_sample(struct jfr *j, const struct jfr_sample *sample)
{
	const struct jfr_event *e = &j->samples.events[sample->event];
	struct jfr_owner owner = { .count = sample->count, .weight = sample->weight };

	if (e->time)
		fg_sink_set_time(j->sink, time_of(j, sample));
	if (e->class && !jfr_wants(j, e->class->name))
		return;
	owner.found = jfr_frames_add(&j->frames, e->stack, sample->stack);
	owner.thread = thread_of(j, e->thread, sample->thread);
	jfr_add_stack(j, &owner);
}

/* Reports what was lost: events that did not become samples, names and checkpoints. */
static void report_losses(struct jfr *j)
{
	const struct jfr_samples *s = &j->samples;
	struct fg_sink *sink = j->sink;

	fg_sink_lose(sink, JFR_UNWEIGHTED, s->unweighted);
	fg_sink_lose(sink, "events that cannot be read", s->damaged);
	if (s->negative) {
		fg_sink_lose_weight(sink, "events with a negative value",
				    s->negative_weight);
		fg_sink_lose(sink, "events with a negative value", s->negative - 1);
	}
	fg_sink_lose(sink, "methods and threads whose names are too long",
		     j->frames.nameless);
	if (j->chunk.constants.damaged)
		fg_sink_lose(sink, "checkpoints that cannot be read", 1);
}

/* Counts the samples of the chunk. Returns 0, or -1 after reporting. */
static int count_samples(struct jfr *j)
{
	struct jfr_samples *s = &j->samples;
	uint32_t *order;

	j->any_recording = true;
	if (!j->chunk.has_metadata) {
		fg_sink_warn_cut(j->sink, "a chunk has no metadata");
		return 0;
	}
	choose_type(j);
	jfr_frames_start(&j->frames, &j->chunk.constants, j->chunk.read);
	fg_map_clear(&j->thread_ids);
	j->thread_count = 0;
	order = jfr_samples_order(s);
	for (size_t i = 0; i < s->count; i++)
		add_sample(j, &s->samples[order[i]]);
	free(order);
	report_losses(j);
	return 0;
}

/* ---- the end */

int jfr_chunk_end(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;
	int status;

	if (!c->open)
		return 0;
	if (c->has_metadata)
		read_waiting(j);
	status = count_samples(j);
	forget_metadata(j);
	c->open = false;
	c->has_metadata = false;
	jfr_metadata_release(&c->metadata);
	fg_buf_clear(&c->metadata_bytes);
	fg_buf_clear(&c->waiting);
	jfr_constants_clear(&c->constants);
	jfr_samples_clear(&j->samples);
	return status;
}
