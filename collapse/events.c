/*
 * Decides which events are kept, counts their samples, and writes the header of events.
 */
#include "collapse/events.h"

#include <stdlib.h>

#include "collapse/select.h"
#include "lib/base/intern.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/* A message or a header line names at most this many events. */
#define LISTED_MAX 12

struct event {
	bool kept;
	uint64_t samples;
};

struct fg_events {
	const struct fg_samples_options *options;
	enum fg_events_rule rule;
	struct fg_intern names;
	struct fg_str first; /* compared() of the first event */
	struct event *events; /* indexed by the id of the name */
	size_t alloc;
	uint32_t last; /* the event of the last sample */
};

struct fg_events *fg_events_new(const struct fg_samples_options *o)
{
	struct fg_events *e = fg_xcalloc(1, sizeof(*e));

	e->options = o;
	fg_intern_init(&e->names);
	return e;
}

void fg_events_free(struct fg_events *e)
{
	if (!e)
		return;
	fg_intern_release(&e->names);
	free(e->events);
	free(e);
}

void fg_events_set_rule(struct fg_events *e, enum fg_events_rule rule)
{
	e->rule = rule;
}

static bool is_of_unit(char c)
{
	return fg_is_word(c) || c == '-' || c == '.';
}

/*
 * Returns true for a term that perf accepts for any event, like "freq=99" in
 * "cycles/freq=99/". Such a term says how to record, not what to count.
 */
static bool is_own_term(struct fg_str term)
{
	static const struct fg_str own[] = {
		FG_STR_INIT("period"),	     FG_STR_INIT("freq"),
		FG_STR_INIT("branch_type"),  FG_STR_INIT("time"),
		FG_STR_INIT("call-graph"),   FG_STR_INIT("stack-size"),
		FG_STR_INIT("max-stack"),    FG_STR_INIT("max-events"),
		FG_STR_INIT("nr"),	     FG_STR_INIT("inherit"),
		FG_STR_INIT("no-inherit"),   FG_STR_INIT("overwrite"),
		FG_STR_INIT("no-overwrite"), FG_STR_INIT("driver-config"),
		FG_STR_INIT("percore"),	     FG_STR_INIT("aux-output"),
		FG_STR_INIT("aux-action"),   FG_STR_INIT("aux-sample-size"),
		FG_STR_INIT("cpu"),	     FG_STR_INIT("ratio-to-prev"),
		FG_STR_INIT("metric-id"),    FG_STR_INIT("name"),
	};

	term = fg_str_trim(fg_str_before(term, fg_str_find_char(term, '=')));
	for (size_t i = 0; i < FG_COUNT_OF(own); i++)
		if (fg_str_eq(term, own[i]))
			return true;
	return false;
}

/* Returns true if a term of "TERM,TERM/MODIFIERS" says what is counted. */
static bool names_event(struct fg_str rest)
{
	struct fg_str terms = fg_str_before(rest, fg_str_find_char(rest, '/'));

	while (terms.len)
		if (!is_own_term(fg_str_cut(&terms, ',')))
			return true;
	return false;
}

/*
 * Returns the event without the name of the unit (PMU) that counted it, because each
 * kind of core of a hybrid processor has its own: "cycles/" for "cpu_atom/cycles/" and
 * for "apple_blizzard_pmu/cycles/". Events of AMD's ibs_op and ibs_fetch are returned
 * as they are, because these units count different things and their terms only say how.
 */
static struct fg_str core_event(struct fg_str event)
{
	size_t unit = fg_str_span(event, is_of_unit);
	struct fg_str rest = fg_str_from_pos(event, unit + 1);

	if (!unit || !rest.len || event.ptr[unit] != '/' || !names_event(rest) ||
	    fg_str_starts(event, FG_STR("ibs_")))
		return event;
	return rest;
}

static bool fits(const struct fg_events *e, const char *pattern, struct fg_str event)
{
	if (e->rule == FG_EVENTS_BY_PATTERN)
		return fg_glob(fg_str_from(pattern), event);
	return fg_str_eq(fg_str_from(pattern), event);
}

/* Returns the part of an event that is compared with the first event. */
static struct fg_str compared(const struct fg_events *e, struct fg_str event)
{
	return e->rule == FG_EVENTS_BY_PATTERN ? core_event(event) : event;
}

static bool is_wanted(const struct fg_events *e, struct fg_str event)
{
	const struct fg_opt_list *filter = &e->options->event_filter;
	size_t from = 0;

	if (!filter->count)
		return e->options->event_frame ||
		       fg_str_eq(compared(e, event), e->first);
	if (e->rule == FG_EVENTS_LAST)
		from = filter->count - 1;
	for (size_t i = from; i < filter->count; i++)
		if (fits(e, filter->items[i], event))
			return true;
	return false;
}

/* Returns the id of `event`. If the event is new, decides whether it is kept. */
static uint32_t id_of(struct fg_events *e, struct fg_str event)
{
	size_t known = e->names.count;
	uint32_t id = fg_intern(&e->names, event);

	if (id < known)
		return id;
	if (!known)
		e->first = compared(e, fg_intern_name(&e->names, id));
	FG_GROW(e->events, e->alloc, e->names.count);
	e->events[id].kept = is_wanted(e, event);
	e->events[id].samples = 0;
	return id;
}

bool fg_events_keep(struct fg_events *e, struct fg_str event)
{
	uint32_t id = e->last;

	if (!event.len)
		return true;
	if (e->rule == FG_EVENTS_BY_START)
		event = fg_str_before(event, fg_str_find_char(event, ':'));
	if (!e->names.count || !fg_str_eq(fg_intern_name(&e->names, id), event))
		id = id_of(e, event);
	e->last = id;
	e->events[id].samples++;
	return e->events[id].kept;
}

void fg_events_list(const struct fg_events *e, bool kept, struct fg_buf *text)
{
	size_t listed = 0;

	for (uint32_t id = 0; id < e->names.count; id++) {
		if (e->events[id].kept != kept || listed++ >= LISTED_MAX)
			continue;
		fg_buf_addf(text, "%s'", listed > 1 ? ", " : "");
		fg_buf_add_visible(text, fg_intern_name(&e->names, id), FG_QUOTED_MAX);
		fg_buf_addf(text, "' (%llu sample%s)",
			    (unsigned long long)e->events[id].samples,
			    e->events[id].samples == 1 ? "" : "s");
	}
	if (listed > LISTED_MAX)
		fg_buf_addf(text, " and %zu more", listed - LISTED_MAX);
}

/* ---- the header */

/*
 * Returns true for the letter of a modifier, like those in "cycles:ukHGp"; see
 * perf-list(1).
 */
static bool is_modifier(char c)
{
	return fg_str_has_char(FG_STR("ukhHGpPSDWeIbRX"), c);
}

/* Returns "cycles" for "cycles,freq=99". */
static struct fg_str without_own_terms(struct fg_str terms)
{
	size_t comma = fg_str_rfind_char(terms, ',');

	while (comma < terms.len && is_own_term(fg_str_from_pos(terms, comma + 1))) {
		terms = fg_str_before(terms, comma);
		comma = fg_str_rfind_char(terms, ',');
	}
	return terms;
}

/*
 * Returns an event's name like in perf list: "cycles" for "cpu/cycles/u" and
 * "cycles:pp".
 */
static struct fg_str bare_event(struct fg_str event)
{
	size_t colon;

	event = core_event(event);
	colon = fg_str_find_char(event, ':');
	if (fg_str_span(fg_str_from_pos(event, colon + 1), is_modifier) ==
	    fg_str_from_pos(event, colon + 1).len)
		event = fg_str_before(event, colon);
	return without_own_terms(fg_str_before(event, fg_str_find_char(event, '/')));
}

/*
 * Returns the unit of an event's period: "ns" for a clock, "events" for a tracepoint
 * like "sched:sched_switch", otherwise the event itself, like "cycles".
 */
static struct fg_str unit_of(struct fg_str event)
{
	struct fg_str bare = bare_event(event);

	if (fg_str_eq(bare, FG_STR("cpu-clock")) ||
	    fg_str_eq(bare, FG_STR("task-clock")))
		return FG_STR("ns");
	return fg_str_has_char(bare, ':') ? FG_STR("events") : bare;
}

void fg_events_write_line(const char *key, struct fg_str value, size_t max,
			  struct fg_out *out)
{
	struct fg_buf text = FG_BUF_INIT;

	fg_buf_add_visible(&text, value, max);
	fg_buf_replace(&text, 0, ';', ':');
	fg_out_addf(out, "# %s: %s\n", key, fg_buf_cstr(&text));
	fg_buf_release(&text);
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_intern *names = context;

	return fg_str_cmp(fg_intern_name(names, a), fg_intern_name(names, b));
}

/*
 * Sets ids[] to the kept events, and returns their number. They are sorted by name,
 * because the event that comes first in the input differs from run to run.
 */
static size_t list_kept(const struct fg_events *e, uint32_t *ids)
{
	size_t count = 0;

	for (uint32_t id = 0; id < e->names.count; id++)
		if (e->events[id].kept)
			ids[count++] = id;
	fg_sort(ids, count, compare_names, &e->names);
	return count;
}

void fg_events_write_header(const struct fg_events *e, const char *name,
			    const char *unit, struct fg_out *out)
{
	uint32_t *ids = fg_xcalloc(e->names.count, sizeof(*ids));
	size_t count = list_kept(e, ids);
	struct fg_buf names = FG_BUF_INIT;
	struct fg_str common = { NULL, 0 };

	for (size_t i = 0; i < count; i++) {
		struct fg_str event = fg_intern_name(&e->names, ids[i]);
		struct fg_str own = unit ? fg_str_from(unit) : unit_of(event);

		if (!i)
			common = own;
		else if (!fg_str_eq(own, common))
			common = FG_STR("");
		if (i < LISTED_MAX) {
			fg_buf_add_str(&names, i ? FG_STR(", ") : FG_STR(""));
			fg_buf_add_visible(&names, event, FG_QUOTED_MAX);
		}
	}
	if (count > LISTED_MAX)
		fg_buf_addf(&names, " and %zu more", count - LISTED_MAX);
	if (count && name) {
		fg_buf_clear(&names);
		fg_buf_add_str(&names, fg_str_from(name));
	}
	if (count)
		fg_events_write_line("event", fg_buf_str(&names), names.len, out);
	if (common.len)
		fg_events_write_line("unit", common, FG_QUOTED_MAX, out);
	free(ids);
	fg_buf_release(&names);
}
