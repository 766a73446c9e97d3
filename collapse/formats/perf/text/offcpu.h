/*
 * --off-cpu: counts how long threads waited, from samples of sched:sched_switch.
 *
 * Such a sample has the stack of the thread that leaves the CPU. We hold it until
 * another sample, or a record of perf record --switch-events, says that the thread is
 * back; then the stack counts the nanoseconds in between.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OFFCPU_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OFFCPU_H

#include "collapse/formats/perf/text/header.h"

struct perf;
struct perf_offcpu;

struct perf_offcpu *perf_offcpu_new(void);
void perf_offcpu_free(struct perf_offcpu *o); /* accepts NULL */

/*
 * Reads the payload of the sample that is being opened; its stack must still be empty.
 * Ends the wait of the thread that comes to the CPU. Sets h->sample.state, and leaves
 * the sample out if no thread leaves the CPU.
 */
void perf_offcpu_open(struct perf *p, struct perf_header *h, struct fg_str payload);

/* Holds the open sample, when it is complete, until its thread is back. */
void perf_offcpu_hold(struct perf *p);

/* Ends the wait of a thread that is on a CPU again. */
void perf_offcpu_back(struct perf *p, uint64_t tid, uint64_t time);

/*
 * Leaves out the waits that have not ended. A wait does not continue in the next input.
 */
void perf_offcpu_end_input(struct perf *p);

/* Reports which waits were not counted. */
void perf_offcpu_finish(struct perf *p);

#endif
