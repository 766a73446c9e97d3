/*
 * The threads of a recording, for --wall: since when each one runs or waits, and which
 * part of that time has not been counted yet.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H

#include "collapse/formats/perf/text/stack.h"
#include "collapse/roots.h"
#include "lib/base/intern.h"

enum perf_thread_state {
	PERF_THREAD_UNKNOWN, /* its next record tells whether it ran until then */
	PERF_THREAD_RUNS,
	PERF_THREAD_WAITS,
	PERF_THREAD_ENDED,
};

/* Kinds of waits. */
enum perf_wait { PERF_WAIT_ASLEEP, PERF_WAIT_PREEMPTED, PERF_WAITS };

/* Spans of time, in order. A zeroed struct is empty. */
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
	bool named; /* it has records or samples of its own, not only mentions */
	bool ran; /* it is known to have been on a CPU */
	bool wanted; /* the options keep the current wait */
	enum perf_wait wait; /* the kind of the current wait */
	uint64_t since; /* its time is accounted for up to here */
	uint64_t run; /* time on a CPU since its last sample */
	uint64_t waits[PERF_WAITS]; /* time waited without a stack since then */
	struct perf_spans run_spans, wait_spans[PERF_WAITS]; /* both, for --slice */
	struct perf_wait_stack left;

	/* if the recording has no switches */
	uint64_t periods; /* sum over its samples */
	uint64_t held; /* nanoseconds from its start to its end */
	uint64_t waited; /* sum over the samples of perf record --off-cpu */

	/* its last sample */
	struct perf_chain last;
	struct fg_roots roots;
	size_t samples;
	size_t common; /* frames at the root that all of its samples share */

	/* as perf prints them */
	uint32_t comm; /* its id in `comms` plus 1; 0 if not known */
	struct fg_id pid, cpu;
};

struct perf_threads {
	struct fg_intern ids; /* tids, as bytes */
	struct perf_thread *list; /* by id */
	size_t alloc;
	struct fg_intern comms;
	/* pids in tracepoints that differ from all others */
	struct fg_intern kernel_pids;
	uint64_t *tids; /* the tid of each, by its id */
	size_t tids_alloc;
	bool any_time; /* start and end are known */
	uint64_t start, end; /* of the recording */
};

void perf_threads_init(struct perf_threads *t);
void perf_threads_release(struct perf_threads *t);

/* The thread with this tid, created if new; valid until the next call. */
struct perf_thread *perf_threads_of(struct perf_threads *t, uint64_t tid);

/* Takes over the names and numbers that the sample has for the thread. */
void perf_threads_name(struct perf_threads *t, struct perf_thread *th,
		       const struct fg_sample *sample);

/* What a sample of the thread would say of it; borrows from both. */
struct fg_sample perf_threads_sample(const struct perf_threads *t,
				     const struct perf_thread *th);

/*
 * In a pid namespace, tracepoints have other pids than samples: notes that `kernel_pid`
 * is the thread `tid`, and looks it up. A pid that was not noted is its own tid.
 */
void perf_threads_note_pid(struct perf_threads *t, uint64_t kernel_pid, uint64_t tid);
uint64_t perf_threads_tid(struct perf_threads *t, uint64_t kernel_pid);

/* Extends the recording to this time. */
void perf_threads_at(struct perf_threads *t, uint64_t time);

/*
 * Accounts for the thread's time up to `time`, and returns how much that is. A new
 * thread's time starts with the recording if the thread was there before, else now.
 */
uint64_t perf_threads_pass(const struct perf_threads *t, struct perf_thread *th,
			   uint64_t time);

/* Adds the time that perf_threads_pass() returned as a span. */
void perf_spans_add(struct perf_spans *s, const struct perf_thread *th,
		    uint64_t passed);

#endif
