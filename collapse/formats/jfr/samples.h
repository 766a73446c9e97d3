/*
 * The samples of a chunk. A wanted event becomes a sample with its weight and the keys
 * of its stack and thread, because their constants may come later:
 *
 *     event = jfr_samples_want(s, class, weight);
 *     ...
 *     jfr_samples_add(s, event, constants, bytes);
 *     ...
 *     order = jfr_samples_order(s);
 */
#ifndef FG_JFR_SAMPLES_H
#define FG_JFR_SAMPLES_H

#include "collapse/formats/jfr/constants.h"
#include "lib/base/count.h"

/*
 * One event, or the sum of all with the same stack and thread if order does not matter.
 */
struct jfr_sample {
	uint64_t stack; /* key of the stack */
	uint64_t thread; /* key of the thread */
	uint64_t time; /* in ticks */
	size_t event; /* index in struct jfr_samples.events */
	uint64_t count;
	struct fg_sum weight;
};

/* A wanted type of event. Fields that its class lacks are NULL. */
struct jfr_event {
	const struct jfr_class *class;
	const struct jfr_field *stack;
	const struct jfr_field *thread;
	const struct jfr_field *time;
	const struct jfr_field *weight; /* NULL: each event counts 1 */
	bool unweighted; /* the class lacks the field that --weight names */
	/*
	 * number of fields of an event that we read: as far as the last of the four
	 * above, in the order of the class
	 */
	size_t field_count;
	uint64_t samples; /* number of events read so far */
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
	bool in_order; /* order of time matters, so samples are not added up */
	uint64_t ticks_a_second;

	/* events that did not become samples, for the report of losses */
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
 * Asks for the events of a class. Returns the index to pass to jfr_samples_add().
 * `weight` names the field to count; NULL counts the field "samples", or 1 without it.
 */
size_t jfr_samples_want(struct jfr_samples *s, const struct jfr_class *class,
			const struct fg_str *weight);

/*
 * Forgets the classes of all events. Call it before the metadata is freed, and ask for
 * the events again afterwards.
 */
void jfr_samples_forget(struct jfr_samples *s);

/* Reads an event; `b` starts after its size and type. */
void jfr_samples_add(struct jfr_samples *s, size_t event, struct jfr_constants *c,
		     struct jfr_bytes *b);

/*
 * Returns the indices of the samples, sorted by time if `in_order`. The caller frees
 * it.
 */
uint32_t *jfr_samples_order(const struct jfr_samples *s);

/* Returns true if the field can be the weight. */
bool jfr_field_counts(const struct jfr_field *f);

/* Returns the unit in which a field is counted, like "ns". */
struct fg_str jfr_field_unit(const struct jfr_field *f);

#endif
