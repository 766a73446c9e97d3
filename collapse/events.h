/*
 * The events of samples: which are kept, how many samples each has, and the header that
 * names them.
 */
#ifndef FG_COLLAPSE_EVENTS_H
#define FG_COLLAPSE_EVENTS_H

#include "collapse/options.h"
#include "lib/base/buf.h"
#include "lib/base/out.h"

struct fg_events;

/* Returns new events. The options are borrowed. */
struct fg_events *fg_events_new(const struct fg_samples_options *o);
void fg_events_free(struct fg_events *e);

/* Rules for comparing --event-filter with events. */
enum fg_events_rule {
	FG_EVENTS_BY_PATTERN, /* '*' and '?' match; the kind of core is ignored */
	FG_EVENTS_LAST, /* literally, and only the last --event-filter counts */
	FG_EVENTS_BY_START, /* literally, with the part of an event before its ':' */
};

/* Sets the rule. Call this before the first sample. */
void fg_events_set_rule(struct fg_events *e, enum fg_events_rule rule);

/*
 * Counts a sample of `event`. Returns true if the event is kept: without a filter the
 * first event of all is. An event that was not printed (.len 0) is kept too.
 */
bool fg_events_keep(struct fg_events *e, struct fg_str event);

/*
 * Appends "'cycles' (12 samples), ..." for the kept or for the ignored events, in the
 * order in which they came first. Of many it lists the first ones, "and 3 more".
 */
void fg_events_list(const struct fg_events *e, bool kept, struct fg_buf *text);

/*
 * Writes a line of the header of folded(5), "# KEY: VALUE", with at most `max` bytes of
 * the value. A ';' becomes ':', because it would make the line a stack.
 */
void fg_events_write_line(const char *key, struct fg_str value, size_t max,
			  struct fg_out *out);

/*
 * Writes the header of folded(5): a line with the kept events, and one with `unit`. If
 * that is NULL, takes the unit of the events' periods. There is no line for the unit if
 * it is empty or events have different ones.
 */
void fg_events_write_header(const struct fg_events *e, const char *unit,
			    struct fg_out *out);

#endif
