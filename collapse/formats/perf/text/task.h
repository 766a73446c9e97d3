/*
 * Records about threads, of the text of perf script or of perf.data: which one comes to
 * a CPU, leaves it, begins, gets a name, or ends.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_TASK_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_TASK_H

#include "collapse/formats/perf/text/header.h"

enum perf_task_change {
	PERF_TASK_IN, /* the thread comes to a CPU */
	PERF_TASK_OUT, /* it leaves the CPU to wait */
	PERF_TASK_PREEMPTED, /* it leaves the CPU, but could run on */
	PERF_TASK_BEGINS,
	PERF_TASK_NAMED,
	PERF_TASK_ENDS,
};

/* One record. Strings are borrowed. */
struct perf_task {
	enum perf_task_change change;
	bool exec; /* it is named after the program that runs in it from now on */
	uint64_t tid; /* never 0, the idle task */
	struct fg_sample says; /* comm, pid and cpu, as far as known */
	uint64_t time; /* 0 if it describes what was there before the recording */
};

/*
 * Reads a line that has a time stamp and that is no sample. Returns false if it says
 * nothing about a thread.
 */
bool perf_task_read(const struct perf_header *h, struct fg_str line,
		    struct perf_task *task);

struct perf_switch {
	uint64_t prev_pid;
	struct fg_str state; /* "sleep", "disk" and so on; never empty */
	uint64_t next_pid;
};

/*
 * Reads `prev_comm=A prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=B next_pid=2
 * next_prio=120`, or `A:1 [120] S ==> B:2 [120]` as a plugin of perf prints it. False
 * where it is neither.
 */
bool perf_switch_read(struct fg_str payload, struct perf_switch *s);

#endif
