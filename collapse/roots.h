/*
 * Samples that have an event, a comm, a pid, a tid and a CPU, and their root frames.
 */
#ifndef FG_COLLAPSE_ROOTS_H
#define FG_COLLAPSE_ROOTS_H

#include "collapse/options.h"
#include "lib/base/buf.h"

/* A pid, a tid or a CPU. perf prints -1 as the pid of the kernel's own threads. */
struct fg_id {
	int64_t number;
	bool known;
};

/*
 * Reads an id from digits, perhaps with a '-' before them. The id is unknown if the
 * number does not fit.
 */
struct fg_id fg_id_read(struct fg_str digits);

/* Returns the number of a thread, or 0 if it is unknown or not positive. */
static inline uint64_t fg_id_of_thread(struct fg_id id)
{
	return id.known && id.number > 0 ? (uint64_t)id.number : 0;
}

/* A sample. The strings are borrowed; .ptr is NULL if the profile does not have one. */
struct fg_sample {
	struct fg_str comm;
	struct fg_id pid;
	struct fg_id tid;
	struct fg_id cpu;
	struct fg_str event;
	struct fg_str state; /* the state in which the thread waits */
	/* the number of running threads; 0 if no option needs it */
	uint64_t parallelism;
	bool has_time;
	uint64_t time; /* in nanoseconds; only needed if fg_sink_wants_time() */
	/* the period, or 1 if the profile has none */
	uint64_t weight;
};

/* The root frames of a sample, root first, and what else its count depends on. */
struct fg_roots {
	uint32_t ids[FG_ROOTS_MAX];
	size_t count;
	uint64_t parallelism; /* the weight is divided by this, unless it is 0 */
	bool has_time; /* may be false if no option needs the time */
	uint64_t time; /* in nanoseconds */
};

/* Appends the text of a root frame, or nothing if the sample has no such frame. */
void fg_add_root(struct fg_buf *b, const struct fg_samples_options *o,
		 enum fg_root root, const struct fg_sample *sample);

/* Appends `s` as a word of a frame: a space becomes '_', and ';' becomes ':'. */
void fg_add_word(struct fg_buf *b, struct fg_str s);

#endif
