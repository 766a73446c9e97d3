/*
 * --wall: counts all time of threads, on a CPU and off it.
 *
 * A sample of a clock or of cycles counts how long its thread ran since its last
 * sample. The time that the thread waited in between counts for a stack of its own,
 * whose leaf ends in _[o]. We know when threads leave a CPU and come to one by samples
 * of sched:sched_switch, by records of perf record --switch-events or, summed up, by
 * perf record --off-cpu.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_WALL_H

#include "collapse/formats/perf/text/header.h"

struct fg_sink;
struct perf;
struct perf_task;
struct perf_wall;

struct perf_wall *perf_wall_new(const struct fg_sink *sink);
void perf_wall_free(struct perf_wall *w); /* accepts NULL */

/*
 * Reads the header and payload of the sample that is being opened; its stack must still
 * be empty. Sets the weight and the state in `h`, and leaves the sample out if it does
 * not count.
 */
void perf_wall_open(struct perf *p, struct perf_header *h, struct fg_str payload);

/* Handles the complete open sample: counts it, or keeps its stack for a wait. */
void perf_wall_keep(struct perf *p);

/* Handles a record that says what a thread does. */
void perf_wall_record(struct perf *p, const struct perf_task *task);

/* Counts the time of all threads up to the end of the input, and forgets them. */
void perf_wall_end_input(struct perf *p);

/* Reports what could not be counted. */
void perf_wall_finish(struct perf *p);

#endif
