/*
 * The samples of profiles: their stacks, made of the dictionary, their values and
 * attributes.
 */
#ifndef FG_COLLAPSE_OTLP_SAMPLES_H
#define FG_COLLAPSE_OTLP_SAMPLES_H

#include "collapse/formats/otlp/dictionary.h"
#include "collapse/function.h"

/* The frames of a location. */
struct otlp_location {
	size_t first_frame;
	size_t frames; /* how many; OTLP_UNREAD before they are made */
};

#define OTLP_UNREAD SIZE_MAX

/* An attribute of a resource. */
struct otlp_known {
	struct fg_str key;
	struct fg_str value; /* .ptr is NULL where there is none */
	struct fg_buf text; /* of a number */
};

/* Those that roots may ask for, and those that name threads and processes. */
#define OTLP_KNOWN_MAX (FG_ROOTS_MAX + 3)

/* What a stack weighs. */
struct otlp_sums {
	struct fg_sum plus, minus; /* of its samples above and below 0 */
	bool met; /* it has samples */
};

struct otlp_samples {
	struct fg_sink *sink;
	const struct fg_samples_options *options;
	const struct otlp_dictionary *dictionary;
	struct fg_function_frames functions;

	/* private; zeroed at first */
	uint64_t factor; /* what values are multiplied by */
	struct fg_str resource;
	struct otlp_known known[OTLP_KNOWN_MAX]; /* of the resource */
	size_t known_count;
	struct fg_stack *stack; /* the sink's */
	struct otlp_location *locations; /* by place */
	uint32_t *frames;
	size_t frame_count, frame_alloc;
	/* by stack, of its samples if root frames do not tell them apart */
	struct otlp_sums *sums;
	struct fg_frame_budget room; /* see the manual */
	uint32_t unknown; /* the frame of what is missing */
	struct fg_buf text; /* of an attribute that is a number */
	struct fg_map long_texts; /* of all owners */
	bool any_value; /* one was more than 0 */
	bool wants_time;
	uint64_t *values, *times; /* of the sample that is read; none is below 0 */
	size_t values_alloc, times_alloc;
};

/* `size`: how many bytes the input has. */
void otlp_samples_open(struct otlp_samples *s, size_t size);

/* Samples from now on are of a message Resource, and their values are multiplied. */
void otlp_samples_of(struct otlp_samples *s, struct fg_str resource, uint64_t factor);

/* Counts a sample. */
void otlp_samples_add(struct otlp_samples *s, struct fg_str message);

/* After the last sample. */
void otlp_samples_close(struct otlp_samples *s);

#endif
