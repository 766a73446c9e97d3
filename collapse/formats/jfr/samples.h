/*
 * The samples of a chunk, from its wanted events: the weight, and the keys of stack and
 * thread, as their constants may come later.
 */
#ifndef FG_JFR_SAMPLES_H
#define FG_JFR_SAMPLES_H

#include "collapse/formats/jfr/constants.h"
#include "lib/base/count.h"

/* Events with equal stack and thread are added up, unless their order matters. */
struct jfr_sample {
	uint64_t stack;
	uint64_t thread;
	uint64_t time;
	size_t event;
	uint64_t count;
	struct fg_sum weight;
};

/* How a type of event is read; fields that its class lacks are NULL. */
struct jfr_event {
	const struct jfr_class *class;
	const struct jfr_field *stack;
	const struct jfr_field *thread;
	const struct jfr_field *time;
	const struct jfr_field *weight; /* NULL: each event counts 1 */
	bool unweighted; /* it lacks the field that was asked for */
	size_t field_count; /* fields up to the last of these */
	uint64_t samples;
	struct fg_map known; /* index of the sample, by stack and thread */
};

struct jfr_samples {
	struct jfr_event *events;
	size_t event_count;
	size_t events_alloc;
	struct fg_map by_class; /* index of the event, by id of its class */
	struct jfr_sample *samples;
	size_t count;
	size_t alloc;
	bool in_order; /* samples are kept in order of time, and not added up */
	uint64_t ticks_a_second;
	uint64_t unweighted;
	uint64_t negative;
	struct fg_sum negative_weight;
	uint64_t damaged; /* events that could not be read */
};

/* A zeroed struct is empty. */
void jfr_samples_release(struct jfr_samples *s);

/* Drops the samples, before the next chunk. */
void jfr_samples_clear(struct jfr_samples *s);

/*
 * Asks for events of a class, and returns the index of that event. `weight` names the
 * field to count; NULL counts 1, or the number of samples that the event gives.
 */
size_t jfr_samples_want(struct jfr_samples *s, const struct jfr_class *class,
			const struct fg_str *weight);

/* Forgets the classes of all events before they are freed; ask again afterwards. */
void jfr_samples_forget(struct jfr_samples *s);

/* Reads an event; `b` is what follows its size and type. */
void jfr_samples_add(struct jfr_samples *s, size_t event, struct jfr_constants *c,
		     struct jfr_bytes *b);

/* The samples' indices, in order of time if that matters; the caller frees them. */
uint32_t *jfr_samples_order(const struct jfr_samples *s);

/* Whether a field can be the weight, and the unit of that weight. */
bool jfr_field_counts(const struct jfr_field *f);
struct fg_str jfr_field_unit(const struct jfr_field *f);

#endif
