/*
 * Samples whose user frames come in a record of their own, later.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_DEFERRED_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_DEFERRED_H

struct perf;
struct perf_deferred;

struct perf_deferred *perf_deferred_new(void);
void perf_deferred_free(struct perf_deferred *d);

/* Holds back the open sample until the frames of its cookie come. */
void perf_deferred_hold(struct perf *p);

/* Completes and counts the samples that wait for the frames of the open record. */
void perf_deferred_complete(struct perf *p);

/* Counts the samples whose frames never came, and forgets the cookies. */
void perf_deferred_flush(struct perf *p);

#endif
