/* Turns the wanted events of a chunk into samples. */
#include "collapse/formats/jfr/samples.h"

#include <stdlib.h>

#include "collapse/formats/jfr/layout.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

void jfr_samples_clear(struct jfr_samples *s)
{
	for (size_t i = 0; i < s->event_count; i++)
		fg_map_release(&s->events[i].known);
	s->event_count = 0;
	fg_map_clear(&s->by_class);
	s->count = 0;
	s->unweighted = s->negative = s->damaged = 0;
	s->negative_weight = (struct fg_sum){ 0, 0 };
}

void jfr_samples_release(struct jfr_samples *s)
{
	jfr_samples_clear(s);
	fg_map_release(&s->by_class);
	free(s->events);
	free(s->samples);
}

/* ---- fields */

bool jfr_field_counts(const struct jfr_field *f)
{
	return !f->constant && !f->array && f->unit != JFR_NO_AMOUNT && f->class &&
	       f->class->kind >= JFR_SHORT && f->class->kind <= JFR_LONG;
}

struct fg_str jfr_field_unit(const struct jfr_field *f)
{
	switch (f->unit) {
	case JFR_TICKS:
	case JFR_NANOSECONDS:
	case JFR_MICROSECONDS:
	case JFR_MILLISECONDS:
	case JFR_SECONDS:
		return FG_STR("ns");
	case JFR_BYTES:
		return FG_STR("bytes");
	case JFR_BITS:
		return FG_STR("bits");
	case JFR_COUNT:
	case JFR_NO_AMOUNT:
		break;
	}
	return FG_STR("");
}

static const struct jfr_field *number_field(const struct jfr_class *c,
					    struct fg_str name)
{
	const struct jfr_field *f = jfr_class_field(c, name);

	return f && jfr_field_counts(f) ? f : NULL;
}

/* Returns the field of the thread that was sampled, or that wrote the event. */
static const struct jfr_field *thread_field(const struct jfr_class *c)
{
	const struct jfr_field *f = jfr_class_field(c, FG_STR("sampledThread"));

	if (!f)
		f = jfr_class_field(c, FG_STR("eventThread"));
	return f && !f->array ? f : NULL;
}

/* Looks up the fields of an event in its class. */
static void bind(struct jfr_event *e, const struct fg_str *weight)
{
	const struct jfr_class *c = e->class;
	const struct jfr_field *f = jfr_class_field(c, FG_STR("stackTrace"));

	e->stack = f && !f->array ? f : NULL;
	e->thread = thread_field(c);
	f = jfr_class_field(c, FG_STR("startTime"));
	e->time = f && f->class && f->class->kind == JFR_LONG && !f->constant &&
				  !f->array ?
			  f :
			  NULL;
	e->weight = number_field(c, weight ? *weight : FG_STR("samples"));
	e->unweighted = weight && !e->weight;
	e->field_count = 0;
	for (size_t i = 0; i < c->field_count; i++) {
		f = &c->fields[i];
		if (f == e->stack || f == e->thread || f == e->time || f == e->weight)
			e->field_count = i + 1;
	}
}

size_t jfr_samples_want(struct jfr_samples *s, const struct jfr_class *class,
			const struct fg_str *weight)
{
	const struct fg_map_key key = { class->id, 0 };
	bool is_new;
	size_t at = *fg_map_add(&s->by_class, key, s->event_count, &is_new);

	if (is_new) {
		FG_GROW(s->events, s->events_alloc, at + 1);
		memset(&s->events[at], 0, sizeof(s->events[at]));
		s->event_count++;
	}
	s->events[at].class = class;
	bind(&s->events[at], weight);
	return at;
}

void jfr_samples_forget(struct jfr_samples *s)
{
	for (size_t i = 0; i < s->event_count; i++) {
		s->events[i].class = NULL;
		s->events[i].stack = s->events[i].thread = NULL;
	}
}

/* ---- events */

static int64_t read_signed(const struct jfr_field *f, struct jfr_bytes *b)
{
	uint64_t value = jfr_sized(b, jfr_width(f->class->kind));

	switch (f->class->kind) {
	case JFR_SHORT:
		return (int16_t)value;
	case JFR_CHAR:
		return (uint16_t)value;
	case JFR_INT:
		return (int32_t)value;
	default:
		return (int64_t)value;
	}
}

/* Converts an amount to the unit in which we write it, rounding down. */
static struct fg_sum scaled(const struct jfr_samples *s, enum jfr_unit unit,
			    uint64_t amount)
{
	struct fg_sum sum = { amount, 0 };

	switch (unit) {
	case JFR_TICKS:
		if (!s->ticks_a_second || s->ticks_a_second == 1000000000)
			return sum;
		return fg_sum_div(fg_sum_mul(sum, 1000000000), s->ticks_a_second, NULL);
	case JFR_MICROSECONDS:
		return fg_sum_mul(sum, 1000);
	case JFR_MILLISECONDS:
		return fg_sum_mul(sum, 1000000);
	case JFR_SECONDS:
		return fg_sum_mul(sum, 1000000000);
	default:
		return sum;
	}
}

/* One event. Its weight may be negative, unlike that of a sample. */
struct reading {
	struct jfr_sample sample;
	int64_t weight;
};

static void read_fields(const struct jfr_event *e, struct jfr_constants *c,
			struct jfr_bytes *b, struct reading *r)
{
	for (size_t i = 0; i < e->field_count && !b->bad; i++) {
		const struct jfr_field *f = &e->class->fields[i];

		if (f == e->stack)
			r->sample.stack =
				f->constant ? jfr_long(b) : jfr_constants_keep(c, f, b);
		else if (f == e->thread)
			r->sample.thread =
				f->constant ? jfr_long(b) : jfr_constants_keep(c, f, b);
		else if (f == e->time)
			r->sample.time = jfr_long(b);
		else if (e->weight && f == e->weight)
			r->weight = read_signed(f, b);
		else
			jfr_skip_field(f, b);
	}
}

static void add_sample(struct jfr_samples *s, const struct jfr_sample *sample)
{
	struct jfr_event *e = &s->events[sample->event];
	bool is_new = true;
	size_t at = s->count;

	if (!s->in_order)
		at = *fg_map_add(&e->known,
				 (struct fg_map_key){ sample->stack, sample->thread },
				 at, &is_new);
	if (is_new) {
		FG_GROW(s->samples, s->alloc, s->count + 1);
		s->samples[s->count++] = *sample;
		return;
	}
	s->samples[at].count++;
	fg_sum_add_sum(&s->samples[at].weight, sample->weight);
}

void jfr_samples_add(struct jfr_samples *s, size_t event, struct jfr_constants *c,
		     struct jfr_bytes *b)
{
	struct jfr_event *e = &s->events[event];
	struct reading r = { .sample = { .event = event, .count = 1 }, .weight = 1 };
	enum jfr_unit unit = e->weight ? e->weight->unit : JFR_COUNT;

	read_fields(e, c, b, &r);
	if (b->bad) {
		s->damaged++;
		return;
	}
	e->samples++;
	if (e->unweighted) {
		s->unweighted++;
	} else if (r.weight < 0) {
		s->negative++;
		fg_sum_add_sum(&s->negative_weight,
			       scaled(s, unit, 0 - (uint64_t)r.weight));
	} else {
		r.sample.weight = scaled(s, unit, (uint64_t)r.weight);
		add_sample(s, &r.sample);
	}
}

static int by_time(const void *context, uint32_t a, uint32_t b)
{
	const struct jfr_sample *samples = context;

	if (samples[a].time != samples[b].time)
		return samples[a].time < samples[b].time ? -1 : 1;
	return 0;
}

uint32_t *jfr_samples_order(const struct jfr_samples *s)
{
	uint32_t *order;

	if (s->count > UINT32_MAX)
		fg_size_overflow();
	order = fg_xcalloc(s->count, sizeof(*order));
	for (uint32_t i = 0; i < s->count; i++)
		order[i] = i;
	if (s->in_order)
		fg_sort(order, s->count, by_time, s->samples);
	return order;
}
