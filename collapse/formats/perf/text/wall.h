/*
 * --wall: all time of threads, on a CPU and off it.
 *
 * A sample of a clock or of cycles counts how long its thread ran since the sample
 * before; what the thread waited in between stands beside it, with a leaf that has
 * _[o]. When threads leave a CPU and come to one is said by sched:sched_switch, by
 * records of perf record --switch-events or, added up, by perf record --off-cpu.
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
 * The open sample, before anything is on its stack. Sets its weight, its state, and its
 * fate where it is none that counts.
 */
void perf_wall_open(struct perf *p, struct perf_header *h, struct fg_str payload);

/* The open sample is complete. */
void perf_wall_keep(struct perf *p);

/* A record that says what a thread does. */
void perf_wall_record(struct perf *p, const struct perf_task *task);

/* Threads do not go on in the next input. */
void perf_wall_end_input(struct perf *p);

/* Says what could not be counted. */
void perf_wall_finish(struct perf *p);

#endif
