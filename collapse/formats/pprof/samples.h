/*
 * Counts the samples of a profile, whose tables are read already. A caller sets the
 * fields up to .factor:
 *
 *     struct pprof_samples s = { .sink = sink, .profile = &p, ... };
 *
 *     pprof_samples_read(&s, bytes);
 *     pprof_samples_release(&s);
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
	size_t column; /* index of the value to count */
	uint64_t factor; /* multiplies this value */

	/* private; zeroed at first */
	struct fg_stack *stack; /* the sink's */
	bool has_root; /* every stack gets a root frame */
	uint32_t *frames; /* frame ids of the locations read so far */
	size_t frame_count, frame_alloc;
	struct fg_frame_budget budget; /* limits the frames, see the manual */
	uint32_t unknown; /* id of the frame for a missing location */
	struct fg_buf number; /* the text of a numeric label */
	struct fg_map long_texts; /* see struct fg_owner */
	bool any_value; /* some value was not 0 */
};

/* Counts all samples. `bytes` must be the ones the tables were read from. */
void pprof_samples_read(struct pprof_samples *s, struct fg_str bytes);
void pprof_samples_release(struct pprof_samples *s);

#endif
