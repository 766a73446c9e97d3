/* A file of speedscope while it is read: a tree of frames' numbers, and sums. */
#ifndef FG_COLLAPSE_FORMATS_SPEEDSCOPE_PROFILE_H
#define FG_COLLAPSE_FORMATS_SPEEDSCOPE_PROFILE_H

#include "collapse/json.h"
#include "collapse/sums.h"

/* All numbers are in units of 10^-18 until they are written. */
#define SPEEDSCOPE_DECIMALS 18

#define SPEEDSCOPE_NO_FRAME (UINT32_MAX - 1)

/* What a stack weighs; with times, what it does at one of them. */
struct speedscope_entry {
	uint32_t row;
	bool minus; /* it weighs less than 0, by `sum` */
	struct fg_sum sum, at;
};

struct speedscope_weight {
	struct fg_sum sum;
	bool minus;
};

/* A profile of the file, once it was read. */
struct speedscope_profile {
	struct fg_buf name;
	struct speedscope_entry *entries;
	size_t count;
	struct fg_buf unit;
	struct fg_sum start; /* that of the times of its entries */
};

struct speedscope {
	struct fg_sink *sink;
	bool has_roots;
	bool wants_time;
	bool all;
	uint64_t wanted; /* where not all */

	/* of a file: the tree of frames' numbers */
	struct fg_sums tree; /* what the profile that is read weighs */
	uint32_t *names; /* of the frames */
	size_t name_count, names_alloc;
	struct speedscope_profile *profiles;
	size_t profile_count, profiles_alloc;

	/* of a profile: negative weights, and if times are wanted all weights */
	struct speedscope_entry *entries;
	size_t entry_count, entries_alloc;
	struct fg_sum now; /* since its start, or an event's */
	uint32_t *samples;
	size_t sample_count, samples_alloc;
	struct speedscope_weight *weights; /* that came before their samples */
	size_t weight_count, weights_alloc;

	/* of a profile of events: what is open, and how often each frame is */
	uint32_t *open;
	size_t depth, open_alloc;
	struct fg_intern frames;
	uint32_t *times_open;
	size_t times_alloc;
	struct fg_sum first, last, start, end;
	bool has_first, has_start, has_end;
};

/* Each reads a value of the JSON, a member of a profile. */
void speedscope_read_samples(struct speedscope *s, struct fg_json *j);
void speedscope_read_weights(struct speedscope *s, struct fg_json *j);
void speedscope_read_events(struct speedscope *s, struct fg_json *j);

/* A time, in the unit of the profile: whether it is one. */
bool speedscope_read_time(struct fg_json *j, struct fg_sum *time);

/* After the last member: what is open lasts until the end. */
void speedscope_end_samples(struct speedscope *s);
void speedscope_end_events(struct speedscope *s);

#endif
