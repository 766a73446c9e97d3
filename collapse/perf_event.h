/*
 * Which events are kept, and how many samples there are of each.
 */
#ifndef FG_COLLAPSE_PERF_EVENT_H
#define FG_COLLAPSE_PERF_EVENT_H

#include "lib/buf.h"

struct perf_events;
struct perf_options;

struct perf_events *perf_events_new(const struct perf_options *o);
void perf_events_free(struct perf_events *e);

/*
 * Whether samples of `event` are kept; counts the sample. Without a filter the
 * first event of all is kept. An event that was not printed (.len 0) is kept.
 */
bool perf_events_keep(struct perf_events *e, struct fg_str event);

/* Whether it is clear which events are kept: none is the first to come any more. */
bool perf_events_are_settled(const struct perf_events *e);

/* For threads. Gives `e` the first event of `from`, if there is one. */
void perf_events_share_first(struct perf_events *e, const struct perf_events *from);

/* Events that are new from now on came in chunk `number` of the input, below 2^32. */
void perf_events_start_chunk(struct perf_events *e, uint64_t number);

/* Adds the events of `from`, which came first where their chunks say, to `e`. */
void perf_events_absorb(struct perf_events *e, const struct perf_events *from);

/*
 * Appends "'cycles' (12 samples), ..." of the kept or of the ignored events, in the
 * order in which they came first; of a great many the first, and how many more.
 */
void perf_events_list(const struct perf_events *e, bool kept, struct fg_buf *text);

#endif
