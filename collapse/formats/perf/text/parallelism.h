/*
 * --weight latency and --root parallelism: counts how many threads run when a sample is
 * taken.
 *
 * A period divided by the number of running threads is a share of the time that the
 * recorded work takes: if two threads run side by side for a second, each gets half of
 * it. perf report --latency counts switches. We keep a state for each thread instead,
 * so that the next record of a thread makes up for a lost one.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_PARALLELISM_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_PARALLELISM_H

#include "collapse/formats/perf/text/header.h"

struct perf;
struct perf_parallelism;
struct perf_task;

struct perf_parallelism *perf_parallelism_new(void);
void perf_parallelism_free(struct perf_parallelism *l); /* accepts NULL */

/* Handles a record that says what a thread does. */
void perf_parallelism_record(struct perf_parallelism *l, const struct perf_task *task);

/* Notes that switches and tasks were recorded, even if none occurred. */
void perf_parallelism_is_recorded(struct perf_parallelism *l);

/* Sets h->sample.parallelism of the open sample, and leaves out the idle task. */
void perf_parallelism_open(struct perf *p, struct perf_header *h);

/* Forgets all threads. Fails the run if the input does not say which threads ran. */
void perf_parallelism_end_input(struct perf *p);

#endif
