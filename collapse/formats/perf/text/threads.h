/*
 * The threads of a recording, for --wall: since when each one runs or waits, and how
 * much of that time has not been counted yet.
 *
 * The time of a thread is accounted for up to `since`. A later record or sample calls
 * perf_threads_pass(), which moves `since` to its time and returns the time in between.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H

#include "collapse/formats/perf/text/stack.h"
#include "collapse/roots.h"
#include "lib/base/intern.h"
#include "lib/base/map.h"

enum perf_thread_state {
	/*
	 * not known until the next record of the thread, which tells if it ran before
	 */
	PERF_THREAD_UNKNOWN,
	PERF_THREAD_RUNS,
	PERF_THREAD_WAITS,
	PERF_THREAD_ENDED,
};

enum perf_wait { PERF_WAIT_ASLEEP, PERF_WAIT_PREEMPTED, PERF_WAITS };

/* Spans of time, in order. A zeroed struct is empty; the owner frees `items`. */
struct perf_spans {
	struct perf_span {
		uint64_t from, to;
	} * items;
	size_t count, alloc;
};

/* The stack with which a thread left the CPU. */
struct perf_wait_stack {
	bool known; /* it belongs to the current wait */
	bool deferred; /* its user frames come in a later record, with this cookie */
	uint64_t cookie;
	struct fg_roots roots;
	struct perf_chain chain;
};

struct perf_thread {
	uint64_t tid;
	enum perf_thread_state state;
	bool placed; /* `since` is known */
	bool was_there; /* it started before the recording */
	/*
	 * it has records or samples of its own, not just mentions in those of other
	 * threads
	 */
	bool named;
	bool ran; /* it is known to have been on a CPU */
	bool wanted; /* the options keep the current wait */
	enum perf_wait wait; /* the kind of the current wait */
	uint64_t since; /* its time is accounted for up to here */
	uint64_t run; /* time on a CPU since its last sample */
	/* time of waits without a known stack since its last sample, by kind of wait */
	uint64_t waits[PERF_WAITS];
	/* the spans of `run` and `waits`, for --slice */
	struct perf_spans run_spans, wait_spans[PERF_WAITS];
	struct perf_wait_stack left;

	/* needed if the recording has no switches */
	uint64_t periods; /* the sum of the periods of its samples */
	uint64_t held; /* nanoseconds from its start to its end */
	uint64_t waited; /* the sum of its waits in samples of perf record --off-cpu */

	/* its last sample */
	struct perf_chain last;
	struct fg_roots roots;
	size_t samples;
	size_t common; /* frames at the root that all of its samples share */

	/* its numbers as perf prints them, and its command */
	uint32_t comm; /* id in `comms` plus 1; 0 if not known */
	struct fg_id pid, cpu;
};

struct perf_threads {
	struct perf_thread *list;
	size_t count, alloc;
	struct fg_map by_tid; /* index in `list` */
	/* index in `list` plus 1; only pids that differ from the tid */
	struct fg_map by_kernel_pid;
	struct fg_intern comms;
	bool any_time; /* start and end are known */
	uint64_t start, end; /* when the recording starts and ends */
};

void perf_threads_init(struct perf_threads *t);
void perf_threads_release(struct perf_threads *t);

/* Returns the thread with this tid. Adds it if it is new. Valid until the next call. */
struct perf_thread *perf_threads_of(struct perf_threads *t, uint64_t tid);

/*
 * Sets the thread's command, pid and CPU to those of the sample, as far as it has them.
 */
void perf_threads_name(struct perf_threads *t, struct perf_thread *th,
		       const struct fg_sample *sample);

/*
 * Makes a sample of the thread at `since`, with which the caller can check if options
 * keep it. The strings borrow from `t`.
 */
struct fg_sample perf_threads_sample(const struct perf_threads *t,
				     const struct perf_thread *th);

/*
 * Notes that the thread `tid` has the number `kernel_pid` in tracepoints. The two
 * differ in a pid namespace.
 */
void perf_threads_note_pid(struct perf_threads *t, uint64_t kernel_pid, uint64_t tid);

/* Returns the tid for the pid of a tracepoint: the one noted, or the same number. */
uint64_t perf_threads_tid(const struct perf_threads *t, uint64_t kernel_pid);

/* Extends start..end of the recording so that it contains `time`. */
void perf_threads_at(struct perf_threads *t, uint64_t time);

/*
 * Accounts for the thread's time up to `time`, and returns how long it was. The time of
 * a new thread starts at `time`, or at the start of the recording if the thread was
 * there before it.
 */
uint64_t perf_threads_pass(const struct perf_threads *t, struct perf_thread *th,
			   uint64_t time);

/* Adds a span for the last call of perf_threads_pass(), which returned `passed`. */
void perf_spans_add(struct perf_spans *s, const struct perf_thread *th,
		    uint64_t passed);

#endif
