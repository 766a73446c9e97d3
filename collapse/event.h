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

/*
 * From now on only the event is kept that --event-filter named last, to the letter, or
 * the first one, whatever --event-frame says.
 */
void fg_events_keep_one(struct fg_events *e);

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
