/*
 * Reads what the input says about threads: which one comes to a CPU, leaves it, begins,
 * gets a name, or ends. The text says it in two ways, by records of the kernel and by
 * the tracepoint sched:sched_switch:
 *
 *     app 13 [000] 100.000001: PERF_RECORD_SWITCH OUT preempt
 *     app 13 [000] 100.000001: sched:sched_switch: prev_comm=app prev_pid=13 ...
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_TASK_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_TASK_H

#include "collapse/formats/perf/text/header.h"

enum perf_task_change {
	PERF_TASK_IN, /* the thread comes to a CPU */
	PERF_TASK_OUT, /* the thread leaves the CPU to wait */
	PERF_TASK_PREEMPTED, /* the thread leaves the CPU, but could run on */
	PERF_TASK_BEGINS,
	PERF_TASK_NAMED,
	PERF_TASK_ENDS,
};

/* One record about a thread. Its strings are borrowed. */
struct perf_task {
	enum perf_task_change change;
	/*
	 * with PERF_TASK_NAMED: the thread now runs another program, which gives the
	 * name
	 */
	bool exec;
	uint64_t tid; /* never 0, the idle task */
	struct fg_sample thread; /* its comm, pid and cpu, as far as known */
	uint64_t time; /* 0 if the change happened before the recording started */
};

/*
 * Reads a record, whose time and thread were read as the header `h`. Returns false if
 * it says nothing about a thread.
 */
bool perf_task_read(const struct perf_header *h, struct fg_str line,
		    struct perf_task *task);

/* The payload of sched:sched_switch. */
struct perf_switch {
	uint64_t prev_pid; /* the thread that leaves the CPU */
	struct fg_str state; /* its state: "sleep", "disk" and so on; never empty */
	uint64_t next_pid; /* the thread that comes to the CPU */
};

/*
 * Reads either form of the payload; a plugin of perf prints the second one:
 *
 *     prev_comm=A prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=B next_pid=2 ...
 *     A:1 [120] S ==> B:2 [120]
 *
 * Returns false if the payload has neither form.
 */
bool perf_switch_read(struct fg_str payload, struct perf_switch *s);

#endif
