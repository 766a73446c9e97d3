/*
 * --wall: samples of which it is not known yet what they weigh, by thread and stack.
 *
 * Until the first switch it is not known whether the recording has any. With them a
 * sample counts how long its thread ran since the last one; without, its period, in
 * nanoseconds or as a share of what is left of the thread's lifetime.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_HELD_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_HELD_H

#include "collapse/roots.h"

struct perf;
struct perf_held;

/* What equal samples add up to. */
struct perf_held_sums {
	uint64_t tid;
	uint64_t periods;
	uint64_t run; /* nanoseconds since the samples before them */
};

struct perf_held *perf_held_new(void);
void perf_held_free(struct perf_held *h); /* accepts NULL */

/* Adds the stack of the open sample, under its root frames. */
void perf_held_add(struct perf_held *h, const struct perf *p,
		   const struct perf_held_sums *sums);

/* Counts all of them with the weight that `weigh` says; none are left. */
typedef uint64_t perf_held_weigh(void *data, const struct perf_held_sums *sums);
void perf_held_count(struct perf_held *h, struct perf *p, perf_held_weigh *weigh,
		     void *data);

#endif
