/*
 * Which events are kept, and how many samples there are of each.
 */
#ifndef FG_COLLAPSE_EVENT_H
#define FG_COLLAPSE_EVENT_H

#include "collapse/options.h"
#include "lib/buf.h"

struct fg_events;

/* The options are borrowed. */
struct fg_events *fg_events_new(const struct fg_samples_options *o);
void fg_events_free(struct fg_events *e);

/* How --event-filter is compared with events. */
enum fg_events_rule {
	FG_EVENTS_BY_PATTERN, /* '*' and '?' match, the kind of core does not matter */
	FG_EVENTS_LAST, /* the last that was given counts, to the letter */
	FG_EVENTS_BY_START, /* to the letter, of an event what is before its ':' */
};

/* Before the first sample. */
void fg_events_set_rule(struct fg_events *e, enum fg_events_rule rule);

/*
 * Whether samples of `event` are kept; counts the sample. Without a filter the
 * first event of all is kept. An event that was not printed (.len 0) is kept.
 */
bool fg_events_keep(struct fg_events *e, struct fg_str event);

/*
 * Appends "'cycles' (12 samples), ..." of the kept or of the ignored events, in the
 * order in which they came first; of a great many the first, and how many more.
 */
void fg_events_list(const struct fg_events *e, bool kept, struct fg_buf *text);

#endif
