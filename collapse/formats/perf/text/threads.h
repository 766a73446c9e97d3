/*
 * The threads of a recording as --wall has them: since when each runs or waits, and
 * what of that is still to be counted.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_THREADS_H

#include "collapse/roots.h"
#include "lib/base/intern.h"

enum perf_thread_state {
	PERF_THREAD_UNKNOWN, /* what comes next says whether it ran until then */
	PERF_THREAD_RUNS,
	PERF_THREAD_WAITS,
	PERF_THREAD_ENDED,
};

/* Waits of which no stack was recorded. */
enum perf_wait { PERF_WAIT_ASLEEP, PERF_WAIT_PREEMPTED, PERF_WAITS };

/* A stack that is kept, root first. A zeroed struct is empty; free `ids` in the end. */
struct perf_chain {
	uint32_t *ids;
	size_t depth, alloc;
};

/* Times, in their order: each from its start to its end. A zeroed struct is empty. */
struct perf_spans {
	struct perf_span {
		uint64_t from, to;
	} * items;
	size_t count, alloc;
};

/* The stack with which a thread left its CPU. */
struct perf_wait_stack {
	bool known; /* it is that of the wait that goes on */
	bool deferred; /* its user frames come in a later record, that of the cookie */
	uint64_t cookie;
	struct fg_roots roots;
	struct perf_chain chain;
};

struct perf_thread {
	uint64_t tid;
	enum perf_thread_state state;
	bool placed; /* `since` is known */
	bool was_there; /* before the recording began */
	bool named; /* a record or sample is its own; others only mention it */
	bool ran; /* it was on a CPU, as far as is known */
	bool wanted; /* options keep the wait that goes on */
	enum perf_wait wait; /* its kind */
	uint64_t since; /* until then all of its time is accounted for */
	uint64_t run; /* on a CPU, since its last sample */
	uint64_t waits[PERF_WAITS]; /* without a stack, since its last sample */
	struct perf_spans run_spans, wait_spans[PERF_WAITS]; /* with --slice: when */
	struct perf_wait_stack left;

	/* where the recording has no switches */
	uint64_t periods; /* of its samples */
	uint64_t held; /* nanoseconds from its start to its end */
	uint64_t waited; /* of perf record --off-cpu */

	/* its last sample */
	struct perf_chain last;
	struct fg_roots roots;
	size_t samples;
	size_t common; /* frames next to the root that all of its samples have */

	/* as perf shows it */
	uint32_t comm; /* an id of `comms` and 1; 0: not known */
	struct fg_id pid, cpu;
};

struct perf_threads {
	struct fg_intern ids; /* tids, as bytes */
	struct perf_thread *list; /* by id */
	size_t alloc;
	struct fg_intern comms;
	struct fg_intern
		kernel_pids; /* those that tracepoints have, where they differ */
	uint64_t *tids; /* by id of these */
	size_t tids_alloc;
	bool any_time; /* both of these are known */
	uint64_t start, end; /* of the recording */
};

void perf_threads_init(struct perf_threads *t);
void perf_threads_release(struct perf_threads *t);

/* The thread of that number, made where it is new; valid until the next call. */
struct perf_thread *perf_threads_of(struct perf_threads *t, uint64_t tid);

/* Says what it is called from now on, as far as the sample does. */
void perf_threads_name(struct perf_threads *t, struct perf_thread *th,
		       const struct fg_sample *sample);

/* The thread as a sample would tell of it, borrowed from both. */
struct fg_sample perf_threads_sample(const struct perf_threads *t,
				     const struct perf_thread *th);

/*
 * In a namespace, tracepoints have other numbers than all else: that of `kernel_pid` is
 * `tid`. What was not noted is the same.
 */
void perf_threads_note_pid(struct perf_threads *t, uint64_t kernel_pid, uint64_t tid);
uint64_t perf_threads_tid(struct perf_threads *t, uint64_t kernel_pid);

/* Something happened at that time. */
void perf_threads_at(struct perf_threads *t, uint64_t time);

/*
 * Accounts for the thread's time up to `time`; returns how much that is. The time of a
 * new thread starts with the recording if it was there before, else now.
 */
uint64_t perf_threads_pass(const struct perf_threads *t, struct perf_thread *th,
			   uint64_t time);

/* Notes the time that was passed last. */
void perf_spans_add(struct perf_spans *s, const struct perf_thread *th,
		    uint64_t passed);

/* How many frames next to the root both have. */
size_t perf_chain_common(const struct perf_chain *a, const struct perf_chain *b);

void perf_chain_set(struct perf_chain *c, const uint32_t *ids, size_t depth);

#endif
