/*
 * Events that are wanted, as samples: what each weighs, and the keys of its stack and
 * its thread, whose constants may come after it.
 */
#ifndef FG_JFR_SAMPLES_H
#define FG_JFR_SAMPLES_H

#include "collapse/formats/jfr/constants.h"
#include "lib/base/count.h"

/* Equal ones are one, unless their order matters. */
struct jfr_sample {
	uint64_t stack;
	uint64_t thread;
	uint64_t time;
	size_t event;
	uint64_t count;
	struct fg_sum weight;
};

/* How a type of event is read; members of a class that are not there are NULL. */
struct jfr_event {
	uint64_t class_id;
	const struct jfr_class *class;
	const struct jfr_field *stack;
	const struct jfr_field *thread;
	const struct jfr_field *time;
	const struct jfr_field *weight; /* NULL: each counts 1 */
	bool unweighted; /* it lacks what was asked for */
	size_t field_count; /* up to the last of them */
	uint64_t samples;
	struct fg_map known; /* stack and thread: which sample */
};

struct jfr_samples {
	struct jfr_event *events;
	size_t event_count;
	size_t events_alloc;
	struct jfr_sample *samples;
	size_t count;
	size_t alloc;
	bool in_order; /* of time; none are merged */
	uint64_t ticks_a_second;
	uint64_t unweighted;
	uint64_t negative;
	struct fg_sum negative_weight;
	uint64_t damaged; /* events that could not be read */
};

/* A zeroed struct is empty. */
void jfr_samples_release(struct jfr_samples *s);

/* For the next chunk. */
void jfr_samples_clear(struct jfr_samples *s);

/*
 * From now on events of that class are wanted: which event that is. `weight` is the
 * field that is counted; NULL: 1, or the number that the event has as its samples.
 */
size_t jfr_samples_want(struct jfr_samples *s, const struct jfr_class *class,
			const struct fg_str *weight);

/* Before the classes change: those that are not wanted once more have none. */
void jfr_samples_forget(struct jfr_samples *s);

/* Reads an event, of which `b` is what follows size and type. */
void jfr_samples_add(struct jfr_samples *s, size_t event, struct jfr_constants *c,
		     struct jfr_bytes *b);

/* Their indices, by time where that matters; the caller frees them. */
uint32_t *jfr_samples_order(const struct jfr_samples *s);

/* Whether a field can be what is counted, and the unit in which that is written. */
bool jfr_field_counts(const struct jfr_field *f);
struct fg_str jfr_field_unit(const struct jfr_field *f);

#endif
