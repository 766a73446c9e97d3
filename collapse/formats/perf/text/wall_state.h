/*
 * The state of --wall, for the files that do it: wall.c, what threads do; wall_count.c,
 * what is counted of that; wall_end.c, the end of an input and of the run.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_STATE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_STATE_H

#include "collapse/formats/perf/text/held.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/formats/perf/text/threads.h"

/* What the open sample is. */
enum perf_wall_kind {
	PERF_WALL_NO_SAMPLE, /* none that counts, the idle task's */
	PERF_WALL_TIMELESS, /* without a time or a thread */
	PERF_WALL_RUNS,
	PERF_WALL_LEAVES,
	PERF_WALL_WAITED, /* with the time that it waited */
};

struct perf_wall_open {
	enum perf_wall_kind kind;
	uint64_t tid; /* 0: not known, or the idle task */
	uint64_t period;
	struct perf_spans run_spans; /* what it weighs */
	struct fg_roots roots[PERF_WAITS]; /* of waits that end with it */
};

struct perf_wall {
	struct perf_threads threads;
	struct perf_held *held;
	struct perf_wall_open open;
	struct perf_chain now; /* the stack of the open sample */
	uint32_t *marked; /* by id of a frame: the same with _[o], and 1; 0: not yet */
	size_t marked_alloc;
	bool any_switch, any_task, any_waited; /* in this input */
	bool wants_spans; /* for --slice */
	bool clocks; /* periods are nanoseconds */
	bool said_switches; /* an input had switches or waits */
	uint64_t total; /* counted so far */
	uint64_t unseen; /* ends of waits that only a sample shows */
	uint64_t timeless; /* samples without a time or a thread */
	uint64_t unended; /* waits whose end is not known */
	uint64_t idle, idle_time; /* threads that only waited */
	bool taskless; /* an input with switches does not say when threads end */
};

/* ---- wall.c */

/* The thread ran until then. */
void perf_wall_run(struct perf *p, struct perf_thread *th, uint64_t time);

/* ---- wall_count.c */

/* Keeps the open stack, and makes it anew from `depth` frames of a chain. */
void perf_wall_keep_stack(const struct perf *p, struct perf_chain *c);
void perf_wall_put_stack(struct perf *p, const struct perf_chain *c, size_t depth);

/* Ends the wait of a thread, which is counted now if its stack is known. */
void perf_wall_end_wait(struct perf *p, struct perf_thread *th, uint64_t time);

/* Root frames of the waits that end with the open sample, if any. */
void perf_wall_name_waits(struct perf *p, const struct perf_thread *th,
			  const struct fg_sample *sample);

/*
 * Counts what the thread waited since its last sample, below `depth` frames of that.
 * Whether there was any, so that the open stack is gone.
 */
bool perf_wall_count_waits(struct perf *p, struct perf_thread *th,
			   const struct fg_roots roots[PERF_WAITS], size_t depth);

/* Counts the open sample of a thread that runs, or of waits that are over. */
void perf_wall_count_run(struct perf *p, struct perf_thread *th);
void perf_wall_count_waited(struct perf *p);

/* Counts what it waited up to now, as it will have another name or none. */
void perf_wall_flush_waits(struct perf *p, struct perf_thread *th);

/* A thread has ended: what is left of its time. */
void perf_wall_end_thread(struct perf *p, struct perf_thread *th);

#endif
