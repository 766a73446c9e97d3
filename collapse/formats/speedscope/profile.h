/*
 * The state of a run over files of speedscope, and the profiles in a file.
 *
 * Frames have numbers in the file, and their names may come last. So profile.c counts
 * stacks in a tree of these numbers, and speedscope.c replaces them at the end.
 */
#ifndef FG_COLLAPSE_FORMATS_SPEEDSCOPE_PROFILE_H
#define FG_COLLAPSE_FORMATS_SPEEDSCOPE_PROFILE_H

#include "lib/base/json.h"
#include "collapse/sums.h"

/* All numbers are in units of 10^-18 until they are written. */
#define SPEEDSCOPE_DECIMALS 18

/* The number of a frame that is malformed or too large. */
#define SPEEDSCOPE_NO_FRAME (UINT32_MAX - 1)

/* The weight of a stack, at one time if times are wanted. */
struct speedscope_entry {
	uint32_t row;
	bool negative; /* the weight is -sum */
	struct fg_sum sum, at;
};

struct speedscope_weight {
	struct fg_sum sum;
	bool negative;
};

/* A profile of the file that has been read. */
struct speedscope_profile {
	struct fg_buf name;
	struct speedscope_entry *entries;
	size_t count;
	struct fg_buf unit;
	struct fg_sum start; /* entries' times are relative to this */
};

struct speedscope {
	struct fg_sink *sink;
	bool has_roots;
	bool is_ours; /* report-folded wrote the file */
	bool wants_time;
	bool all; /* read all profiles, not only --profile */
	uint64_t wanted; /* the number from --profile */

	/* the file */
	struct fg_sums tree; /* stacks of all profiles, sums of the current one */
	/* ids of the frames' names, indexed by the number of the frame */
	uint32_t *names;
	size_t name_count, names_alloc;
	struct speedscope_profile *profiles;
	size_t profile_count, profiles_alloc;

	/*
	 * the negative weights of the current profile, or all of them if times are
	 * wanted
	 */
	struct speedscope_entry *entries;
	size_t entry_count, entries_alloc;
	/* time since the start of the samples, or of the last event */
	struct fg_sum now;
	uint32_t *samples; /* row of each sample */
	size_t sample_count, samples_alloc;
	struct speedscope_weight *weights; /* if they come before "samples" */
	size_t weight_count, weights_alloc;

	/* a profile of events */
	uint32_t *open; /* rows of the open frames */
	size_t depth, open_alloc;
	struct fg_intern frames; /* numbers of frames */
	/* count of open calls of each frame, indexed by the id in `frames` */
	uint32_t *times_open;
	size_t times_alloc;
	struct fg_sum first, last; /* times of the first and the last event */
	/* "startValue" and "endValue", also of sampled profiles */
	struct fg_sum start, end;
	bool has_first, has_start, has_end;
};

/* Reads the value of a member of a profile: "samples", "weights" or "events". */
void speedscope_read_samples(struct speedscope *s, struct fg_json *j);
void speedscope_read_weights(struct speedscope *s, struct fg_json *j);
void speedscope_read_events(struct speedscope *s, struct fg_json *j);

/* Reads a time, in the unit of the profile. Returns false if it is malformed. */
bool speedscope_read_time(struct fg_json *j, struct fg_sum *time);

/* Ends a profile after its last member. Frames that are open last until its end. */
void speedscope_end_samples(struct speedscope *s);
void speedscope_end_events(struct speedscope *s);

#endif
