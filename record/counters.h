/*
 * Opens the events for each thread and processor, and the ring buffers.
 *
 * There is one ring for each processor. The first counter that is opened for a
 * processor owns it, and the kernel writes the records of the others there, too. A
 * process is recorded by a counter for each of its threads on each processor, and
 * threads that start later inherit it. We leave out, step by step, what an older kernel
 * does not know and what the user may not have.
 */
#ifndef FG_RECORD_COUNTERS_H
#define FG_RECORD_COUNTERS_H

#include "record/events.h"
#include "record/options.h"
#include "record/refusal.h"
#include "record/rings.h"

struct fg_counter {
	int fd;
	uint32_t event; /* index of its event */
	uint32_t ring; /* index of its ring */
	uint64_t id; /* samples have the id of their counter; 0: not needed */
};

struct fg_counters {
	struct fg_events *events; /* borrowed */
	struct fg_counter *list;
	size_t count;
	size_t alloc;
	struct fg_ring *rings;
	size_t ring_count;
	uint64_t ring_size; /* bytes of each ring */
	/* indices of features that the kernel does not know, as bits */
	uint32_t missing;
	bool has_tracker; /* the last event only brings records about tasks */
	bool without_kernel; /* the kernel may not be recorded, so it is not */
	bool counts_lost; /* counters know how many of their records were lost */
};

/* The circumstances of a recording. */
struct fg_counters_plan {
	const struct fg_record_options *options;
	enum fg_refusal_target target;
	const struct fg_numbers *tasks; /* threads to record; not used for a machine */
	const struct fg_numbers *online; /* processors that are online */
	uint64_t freq; /* samples a second */
	bool may_all; /* we may record everything */
};

/*
 * Opens all counters of the events, and maps the rings. Nothing is counted yet. Returns
 * 0, or -1 with the refused call in `why`; in both cases call fg_counters_close().
 */
int fg_counters_open(struct fg_counters *c, struct fg_events *events,
		     const struct fg_counters_plan *plan, struct fg_refusal *why);
void fg_counters_close(struct fg_counters *c);

/*
 * Start the counters that bring records about tasks, or the others. Return 0, or an
 * errno.
 */
int fg_counters_start_tracker(const struct fg_counters *c);
int fg_counters_start(const struct fg_counters *c);

/* Stops all counters. */
void fg_counters_stop(const struct fg_counters *c);

/* Returns how many records of a counter were lost; 0 if that is not known. */
uint64_t fg_counter_lost(const struct fg_counters *c, const struct fg_counter *counter);

/* Returns true if samples have the number of their cgroup. */
bool fg_counters_have_cgroups(const struct fg_counters *c);

/* Returns the bytes of the sample_id that ends each record that is not a sample. */
size_t fg_counters_trailer(const struct fg_counters *c);

#endif
