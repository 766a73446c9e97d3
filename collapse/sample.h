/*
 * A sample as profilers tell of it, and its root frames.
 */
#ifndef FG_COLLAPSE_SAMPLE_H
#define FG_COLLAPSE_SAMPLE_H

#include "collapse/options.h"
#include "lib/str.h"

/*
 * What a profiler says of a sample. The texts are borrowed; .ptr is NULL for what it
 * does not say.
 */
struct fg_sample {
	struct fg_str comm;
	struct fg_str pid;
	struct fg_str tid;
	struct fg_str cpu;
	struct fg_str event;
	struct fg_str state; /* in which a thread waits */
	bool has_time;
	uint64_t time; /* in nanoseconds; only needed where fg_sink_wants_time */
	uint64_t weight; /* with --weight of a field: that field */
};

/* The root frames of a sample, root first. */
struct fg_roots {
	uint32_t ids[FG_ROOTS_MAX];
	size_t count;
};

#endif
