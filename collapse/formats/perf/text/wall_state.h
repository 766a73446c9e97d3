/*
 * The state of --wall, shared by wall.c (what threads do), wall_count.c (what of that
 * is counted) and wall_end.c (the end of an input and of the run).
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_STATE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_STATE_H

#include "collapse/formats/perf/text/held.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/threads.h"

/* What the open sample is. */
enum perf_wall_kind {
	PERF_WALL_NO_SAMPLE, /* one that does not count: the idle task's */
	PERF_WALL_TIMELESS, /* it has no time or no thread */
	PERF_WALL_RUNS, /* the thread is on a CPU */
	PERF_WALL_LEAVES, /* the thread leaves the CPU */
	PERF_WALL_WAITED, /* the end of a wait, with how long it was */
};

struct perf_wall_open {
	enum perf_wall_kind kind;
	uint64_t tid; /* 0 if not known, or of the idle task */
	uint64_t period;
	struct perf_spans run_spans; /* its weight, for --slice */
	struct fg_roots roots[PERF_WAITS]; /* root frames of the waits it ends */
};

struct perf_wall {
	struct perf_threads threads;
	struct perf_held *held;
	struct perf_wall_open open;
	struct perf_chain now; /* the stack of the open sample */
	uint32_t *marked; /* by frame id: id of NAME_[o] plus 1; 0 if not made yet */
	size_t marked_alloc;
	bool any_switch, any_task, any_waited; /* records seen in this input */
	bool wants_spans; /* --slice is given */
	bool clocks; /* periods are nanoseconds */
	bool said_switches; /* some input had switches or waits */
	uint64_t total; /* counted so far */
	uint64_t unseen; /* waits whose end only a later sample shows */
	uint64_t timeless; /* samples without a time or a thread */
	uint64_t unended; /* waits whose end is not known */
	uint64_t idle, idle_time; /* threads that only waited, and their time */
	bool taskless; /* an input with switches has no records of threads' ends */
};

/* ---- wall.c */

/* Counts the thread's time up to `time` as time on a CPU. */
void perf_wall_run(struct perf *p, struct perf_thread *th, uint64_t time);

/* ---- wall_count.c */

/* Copies the open stack to a chain; opens one of a chain's first `depth` frames. */
void perf_wall_keep_stack(const struct perf *p, struct perf_chain *c);
void perf_wall_put_stack(struct perf *p, const struct perf_chain *c, size_t depth);

/* Ends a thread's wait. If its stack is known, it is counted now. */
void perf_wall_end_wait(struct perf *p, struct perf_thread *th, uint64_t time);

/* Works out the root frames of the waits that the open sample ends. */
void perf_wall_name_waits(struct perf *p, const struct perf_thread *th,
			  const struct fg_sample *sample);

/*
 * Counts the time that the thread has waited since its last sample, on the first
 * `depth` frames of that sample's stack. Returns whether there was any: the open stack
 * is then lost.
 */
bool perf_wall_count_waits(struct perf *p, struct perf_thread *th,
			   const struct fg_roots roots[PERF_WAITS], size_t depth);

/* Counts the open sample, of a running thread or of a wait that has ended. */
void perf_wall_count_run(struct perf *p, struct perf_thread *th);
void perf_wall_count_waited(struct perf *p);

/* Counts the waits up to now, before the thread is renamed or ends. */
void perf_wall_flush_waits(struct perf *p, struct perf_thread *th);

/* Counts what is left of a thread's time when it ends. */
void perf_wall_end_thread(struct perf *p, struct perf_thread *th);

#endif
