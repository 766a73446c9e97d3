/*
 * A sample as profilers tell of it, and its root frames: event, comm, pid, tid, cpu.
 */
#ifndef FG_COLLAPSE_ROOTS_H
#define FG_COLLAPSE_ROOTS_H

#include "collapse/options.h"
#include "lib/base/buf.h"

/* A pid, a tid or a CPU; of a kernel's own, perf has -1. */
struct fg_id {
	int64_t number;
	bool known;
};

/* The id of digits, with '-' before them or not; unknown where it does not fit. */
struct fg_id fg_id_read(struct fg_str digits);

/* The number of a thread, all of which are more than 0; 0 where there is none. */
static inline uint64_t fg_id_of_thread(struct fg_id id)
{
	return id.known && id.number > 0 ? (uint64_t)id.number : 0;
}

/*
 * What a profiler says of a sample. The texts are borrowed; .ptr is NULL for what it
 * does not say.
 */
struct fg_sample {
	struct fg_str comm;
	struct fg_id pid;
	struct fg_id tid;
	struct fg_id cpu;
	struct fg_str event;
	struct fg_str state; /* in which a thread waits */
	uint64_t parallelism; /* how many threads run; 0 if the options do not ask */
	bool has_time;
	uint64_t time; /* in nanoseconds; only needed where fg_sink_wants_time */
	uint64_t weight; /* with --weight of a field: that field */
};

/* The root frames of a sample, root first, and what else its count depends on. */
struct fg_roots {
	uint32_t ids[FG_ROOTS_MAX];
	size_t count;
	uint64_t parallelism; /* its weight is divided by that; 0: it is not */
	bool has_time; /* false as well if the time is not wanted */
	uint64_t time; /* in nanoseconds */
};

/* Appends one root frame as options ask; nothing where the sample does not say it. */
void fg_add_root(struct fg_buf *b, const struct fg_samples_options *o,
		 enum fg_root root, const struct fg_sample *sample);

/* Appends `s` as one word within one frame: blanks become '_' and ';' becomes ':'. */
void fg_add_word(struct fg_buf *b, struct fg_str s);

#endif
