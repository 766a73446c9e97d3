/*
 * The samples of a profile: their stacks, made of its tables, one of their values, and
 * their labels.
 */
#ifndef FG_COLLAPSE_PPROF_SAMPLES_H
#define FG_COLLAPSE_PPROF_SAMPLES_H

#include "collapse/formats/pprof/profile.h"
#include "collapse/function.h"

struct pprof_samples {
	struct fg_sink *sink;
	const struct fg_samples_options *options;
	struct pprof_profile *profile;
	struct fg_function_frames functions;
	size_t column; /* which value is counted, */
	uint64_t factor; /* and what it is multiplied by */

	/* private; zeroed at first */
	struct fg_stack *stack; /* the sink's */
	bool has_root; /* each stack has one */
	uint32_t *frames; /* of the locations that were met */
	size_t frame_count, frame_alloc;
	struct fg_frame_budget room; /* see the manual */
	uint32_t unknown; /* the frame of a location that is missing */
	struct fg_buf number; /* of a label */
	struct fg_map long_texts; /* of all owners */
	bool any_value; /* one was more than 0 */
};

/* Counts all samples among the bytes of the profile, which are those of its tables. */
void pprof_samples_read(struct pprof_samples *s, struct fg_str bytes);
void pprof_samples_release(struct pprof_samples *s);

#endif
