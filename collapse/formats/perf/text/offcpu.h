/*
 * --off-cpu: how long threads waited, from sched:sched_switch.
 *
 * A sample of that event has the stack of the thread that leaves the CPU; it counts the
 * nanoseconds until the thread is back, which another sample says, or a record of
 * perf record --switch-events.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OFFCPU_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OFFCPU_H

#include "collapse/formats/perf/text/header.h"

struct perf;
struct perf_offcpu;

struct perf_offcpu *perf_offcpu_new(void);
void perf_offcpu_free(struct perf_offcpu *o); /* accepts NULL */

/*
 * The open sample, whose payload is given, before anything is on its stack: ends the
 * wait of the thread that it lets in. Sets h->sample.state, and the fate of the open
 * sample where it is none of a thread that leaves.
 */
void perf_offcpu_open(struct perf *p, struct perf_header *h, struct fg_str payload);

/* Holds the open sample, which is complete, until its thread is back. */
void perf_offcpu_hold(struct perf *p);

/* The thread `tid` is on a CPU again. */
void perf_offcpu_back(struct perf *p, uint64_t tid, uint64_t time);

/* Waits do not go on in the next input. */
void perf_offcpu_end_input(struct perf *p);

/* Says which waits were not counted. */
void perf_offcpu_finish(struct perf *p);

#endif
