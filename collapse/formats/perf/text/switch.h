/*
 * The payload of sched:sched_switch: who leaves a CPU, in which state, and who comes.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_SWITCH_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_SWITCH_H

#include "lib/base/str.h"

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
