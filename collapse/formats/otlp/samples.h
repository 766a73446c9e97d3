/*
 * Counts the samples of profiles. A caller sets the first four fields:
 *
 *     struct otlp_samples s = { .sink = sink, .dictionary = &dictionary, ... };
 *
 *     otlp_samples_open(&s, input_size);
 *     otlp_samples_of(&s, resource, 1);
 *     otlp_samples_add(&s, message);
 *     otlp_samples_close(&s);
 */
#ifndef FG_COLLAPSE_OTLP_SAMPLES_H
#define FG_COLLAPSE_OTLP_SAMPLES_H

#include "collapse/formats/otlp/dictionary.h"
#include "collapse/function.h"

/* The frames of a location, which are made when the first sample needs them. */
struct otlp_location {
	size_t first_frame; /* index in otlp_samples.frames */
	size_t frames; /* number of frames, or OTLP_UNREAD */
};

#define OTLP_UNREAD SIZE_MAX

/* An attribute of a resource. */
struct otlp_label {
	struct fg_str key;
	struct fg_str value; /* .ptr is NULL if the resource lacks it */
	struct fg_buf text; /* holds the value if it is a number */
};

/* Labels that root frames may ask for, and three that name threads and processes. */
#define OTLP_LABELS_MAX (FG_ROOTS_MAX + 3)

/* The weight of a stack. */
struct otlp_sums {
	struct fg_sum plus; /* sum of its samples above 0 */
	struct fg_sum minus; /* sum of its samples below 0, as a positive number */
	bool any_sample;
};

struct otlp_samples {
	struct fg_sink *sink;
	const struct fg_samples_options *options;
	const struct otlp_dictionary *dictionary;
	struct fg_function_frames functions;

	/* private; zeroed at first */
	uint64_t factor; /* multiplies values */
	struct fg_str resource;
	/* attributes of the resource that were looked up */
	struct otlp_label labels[OTLP_LABELS_MAX];
	size_t label_count;
	struct fg_stack *stack; /* the sink's */
	struct otlp_location *locations; /* indexed by place in the dictionary */
	uint32_t *frames; /* frame ids of the locations read so far */
	size_t frame_count, frame_alloc;
	/*
	 * sums of each stack, indexed by its place; only used if all samples of the
	 * resource have the same root frames
	 */
	struct otlp_sums *sums;
	struct fg_frame_budget budget; /* limits the frames, see the manual */
	uint32_t unknown; /* id of the frame for a missing location */
	struct fg_buf text; /* scratch, for attributes that are numbers */
	struct fg_map long_texts; /* see struct fg_owner */
	bool any_value; /* some value was not 0 */
	bool wants_time;
	/* values and times of the current sample; values below 0 are stored as 0 */
	uint64_t *values, *times;
	size_t values_alloc, times_alloc;
};

/* Starts counting. `size` is the size of the message in bytes, which limits frames. */
void otlp_samples_open(struct otlp_samples *s, size_t size);

/* Sets the message Resource that later samples belong to, and the factor of values. */
void otlp_samples_of(struct otlp_samples *s, struct fg_str resource, uint64_t factor);

/* Counts a message Sample. */
void otlp_samples_add(struct otlp_samples *s, struct fg_str message);

/* Counts the sums of all stacks, and frees the memory. */
void otlp_samples_close(struct otlp_samples *s);

#endif
