/*
 * Samples whose user frames come in a record of their own, later.
 */
#ifndef FG_COLLAPSE_PERF_DEFERRED_H
#define FG_COLLAPSE_PERF_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

struct perf;
struct perf_deferred;

struct perf_deferred *perf_deferred_new(void);
void perf_deferred_free(struct perf_deferred *d);

/* Holds back the open sample until the frames of its cookie come. */
void perf_deferred_hold(struct perf *p);

/* Completes and adds the samples that wait for the frames of the open record. */
void perf_deferred_complete(struct perf *p);

/* Whether there has been any such sample or record. */
bool perf_deferred_any(const struct perf_deferred *d);

/*
 * For threads, since a cookie's samples and frames may be in different chunks: from
 * now on, in that chunk, samples and records are only put off.
 */
void perf_deferred_put_off(struct perf_deferred *d, uint64_t chunk);

/* Adds what `from` has put off; ids[i] is p's id of the frame whose id is i there. */
void perf_deferred_absorb(struct perf *p, const struct perf *from, const uint32_t *ids);

/* Does all that was put off, in the order of the input. */
void perf_deferred_take_place(struct perf *p);

/* Adds the samples whose frames never came. */
void perf_deferred_flush(struct perf *p);

#endif
