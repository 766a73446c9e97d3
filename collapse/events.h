/*
 * The events of samples: decides which are kept, counts the samples of each, and writes
 * the header that names them.
 */
#ifndef FG_COLLAPSE_EVENTS_H
#define FG_COLLAPSE_EVENTS_H

#include "collapse/options.h"
#include "lib/base/buf.h"
#include "lib/base/out.h"

struct fg_events;

/* Allocates the events of a run. The options are borrowed. */
struct fg_events *fg_events_new(const struct fg_samples_options *o);
void fg_events_free(struct fg_events *e);

/* Rules for comparing --event-filter with events. */
enum fg_events_rule {
	FG_EVENTS_BY_PATTERN, /* '*' and '?' match; the kind of core is ignored */
	/* literal comparison, and only the last --event-filter counts */
	FG_EVENTS_LAST,
	/* literal comparison with the part of the event before its ':' */
	FG_EVENTS_BY_START,
};

/* Sets the rule. Call this before the first sample. */
void fg_events_set_rule(struct fg_events *e, enum fg_events_rule rule);

/*
 * Counts a sample of `event`. Returns true if the event is kept. Without a filter only
 * the first event of the run is kept, or all with --event-frame. An empty `event`,
 * which was not printed, is always kept.
 */
bool fg_events_keep(struct fg_events *e, struct fg_str event);

/*
 * Appends "'cycles' (12 samples), ..." for the kept or for the ignored events, in the
 * order of first appearance. If there are many, it names the first ones and appends
 * "and 3 more".
 */
void fg_events_list(const struct fg_events *e, bool kept, struct fg_buf *text);

/*
 * Writes a line of the header of folded(5), "# KEY: VALUE", with at most `max` bytes of
 * the value. A ';' becomes ':', because it would make the line a stack.
 */
void fg_events_write_line(const char *key, struct fg_str value, size_t max,
			  struct fg_out *out);

/*
 * Writes the header of folded(5): a line with `name` or, if that is NULL, with the kept
 * events, and a line with `unit`. If `unit` is NULL, the unit is that of the events'
 * periods. The line for the unit is left out if the unit is empty or the events have
 * different units.
 */
void fg_events_write_header(const struct fg_events *e, const char *name,
			    const char *unit, struct fg_out *out);

#endif
