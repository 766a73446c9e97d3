/*
 * The last values of counters, for samples that have values of counters (`:S`) instead
 * of a period.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_COUNTERS_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_COUNTERS_H

#include "lib/base/map.h"

/* A zeroed struct has no counters. */
struct fg_pd_counters {
	struct fg_map by_id; /* index in `list`, by id and tid */
	struct fg_pd_counter *list;
	size_t count, alloc;
};

/* The value of a counter in a sample. */
struct fg_pd_count {
	uint64_t id;
	/* the thread of the counter, or 0 if threads share it */
	int32_t tid;
	uint64_t birth; /* tells the thread from earlier ones with the same tid */
	uint64_t value;
	uint64_t time; /* in nanoseconds; 0: not known */
};

/* The growth of a counter since its previous reading. */
struct fg_pd_growth {
	uint64_t by;
	uint64_t from; /* the previous value */
	/* nanoseconds since the previous reading; UINT64_MAX: unknown */
	uint64_t elapsed;
	/* the value is lower than `from`, so the counter was probably reset */
	bool fell;
};

void fg_pd_counters_release(struct fg_pd_counters *c);

/*
 * Stores the value and returns how much the counter has grown. A counter starts at 0. A
 * value that comes late, after a higher one with a later time, adds nothing, because
 * the later one includes it.
 */
struct fg_pd_growth fg_pd_counters_read(struct fg_pd_counters *c,
					const struct fg_pd_count *now);

#endif
