/* A chunk's samples, as stacks. */
#include "collapse/formats/jfr/deliver.h"

#include <stdlib.h>

#include "collapse/formats/jfr/wanted.h"
#include "lib/base/xalloc.h"

static bool is_event(const struct jfr_class *c)
{
	const struct jfr_field *f = jfr_class_field(c, FG_STR("stackTrace"));

	return f && !f->array;
}

static bool is_wanted(const struct jfr *j, const struct jfr_class *c)
{
	return is_event(c) && jfr_wants(j, c->name);
}

/* ---- what is counted */

static void add_values(struct jfr_values *v, const struct jfr_class *c)
{
	for (size_t i = 0; i < c->field_count; i++) {
		const struct jfr_field *f = &c->fields[i];

		if (jfr_field_counts(f))
			jfr_values_add(v, f->name, jfr_field_unit(f));
	}
}

/* Of the events of the first chunk that has them: 0, or -1 as fg_sink_choose_value. */
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

/* ---- what was seen */

void jfr_deliver_forgets(struct jfr *j)
{
	struct jfr_chunk *c = &j->chunk;

	for (size_t i = 0; c->seen && i < c->metadata.class_count; i++) {
		if (c->seen[i] && is_event(&c->metadata.classes[i]))
			jfr_saw(j, c->metadata.classes[i].name, c->seen[i]);
	}
	free(c->seen);
	free(c->wanted);
	c->seen = NULL;
	c->wanted = NULL;
	jfr_samples_forget(&j->samples);
}

int jfr_deliver_knows(struct jfr *j)
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

/* ---- samples */

/* By default: the first of those that the chunk has. */
static void settle(struct jfr *j)
{
	for (size_t i = 0; i < j->samples.event_count; i++) {
		const struct jfr_event *e = &j->samples.events[i];

		if (e->samples && e->class && (!j->event.len || !j->settled))
			jfr_settle(j, e->class->name);
	}
	j->settled = j->event.len;
}

/* Since 1970: the chunk says when its clock showed what. */
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

/* Any number of samples are of a thread, whose name is read once. */
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

/* What was lost of events before they became samples. */
static void tell_losses(struct jfr *j)
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
	fg_sink_lose(sink, "methods and threads whose names are more than is read",
		     j->frames.nameless);
	if (j->chunk.constants.damaged)
		fg_sink_lose(sink, "checkpoints that cannot be read", 1);
}

int jfr_deliver_ends(struct jfr *j)
{
	struct jfr_samples *s = &j->samples;
	uint32_t *order;

	j->any = true;
	if (!j->chunk.has_metadata) {
		fg_sink_warn_cut(j->sink, "a chunk does not say what is in it");
		return 0;
	}
	settle(j);
	jfr_frames_start(&j->frames, &j->chunk.constants, j->chunk.read);
	fg_map_clear(&j->thread_ids);
	j->thread_count = 0;
	order = jfr_samples_order(s);
	for (size_t i = 0; i < s->count; i++)
		add_sample(j, &s->samples[order[i]]);
	free(order);
	tell_losses(j);
	return 0;
}
