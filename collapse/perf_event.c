/* Which events are kept, and how many samples there are of each. */
#include "collapse/perf_event.h"

#include <stdlib.h>

#include "collapse/perf_options.h"
#include "collapse/perf_select.h"
#include "lib/intern.h"
#include "lib/sort.h"
#include "lib/xalloc.h"

/* The first event of chunk N has a place from N * CHUNK on. */
#define CHUNK (UINT64_C(1) << 32)

/* The most events that a message names. */
#define LISTED_MAX 12

struct event {
	bool kept;
	uint64_t samples;
	uint64_t place; /* where it came first, in the order of the input */
};

struct perf_events {
	const struct perf_options *options;
	struct fg_intern names;
	struct event *events; /* by id of the name */
	size_t alloc;
	uint32_t last; /* the event of the last sample */
	uint64_t next_place;
};

static const struct fg_str hybrid_units[] = {
	FG_STR_INIT("cpu_core/"),
	FG_STR_INIT("cpu_atom/"),
	FG_STR_INIT("cpu_lowpower/"),
};

struct perf_events *perf_events_new(const struct perf_options *o)
{
	struct perf_events *e = fg_xcalloc(1, sizeof(*e));

	e->options = o;
	fg_intern_init(&e->names);
	return e;
}

void perf_events_free(struct perf_events *e)
{
	if (!e)
		return;
	fg_intern_release(&e->names);
	free(e->events);
	free(e);
}

/* The event without the kind of core that a hybrid processor counted it on. */
static struct fg_str core_event(struct fg_str event)
{
	for (size_t i = 0; i < FG_COUNT_OF(hybrid_units); i++)
		if (fg_str_starts(event, hybrid_units[i]))
			return fg_str_from_pos(event, hybrid_units[i].len);
	return event;
}

static bool is_listed(const struct fg_opt_list *filter, struct fg_str event)
{
	for (size_t i = 0; i < filter->count; i++)
		if (fg_str_eq(event, fg_str_from(filter->items[i])))
			return true;
	return false;
}

static bool is_wanted(const struct perf_events *e, struct fg_str event)
{
	const struct fg_opt_list *filter = &e->options->event_filter;
	struct fg_str first = fg_intern_name(&e->names, 0);

	if (e->options->compat == PERF_COMPAT_PERL) {
		if (filter->count)
			first = fg_str_from(filter->items[filter->count - 1]);
		return fg_str_eq(event, first);
	}
	if (!filter->count && e->options->event_frame)
		return true;
	if (e->options->compat == PERF_COMPAT_INFERNO)
		return filter->count ? is_listed(filter, event) :
				       fg_str_eq(event, first);
	if (!filter->count)
		return fg_str_eq(core_event(event), core_event(first));
	for (size_t i = 0; i < filter->count; i++)
		if (perf_glob(fg_str_from(filter->items[i]), event))
			return true;
	return false;
}

bool perf_events_are_settled(const struct perf_events *e)
{
	bool perl = e->options->compat == PERF_COMPAT_PERL;

	return e->names.count || e->options->event_filter.count ||
	       (e->options->event_frame && !perl);
}

/* The id of `event`; one that is new is kept or not from now on. */
static uint32_t id_of(struct perf_events *e, struct fg_str event)
{
	size_t known = e->names.count;
	uint32_t id = fg_intern(&e->names, event);

	if (id < known)
		return id;
	FG_GROW(e->events, e->alloc, e->names.count);
	e->events[id].kept = is_wanted(e, event);
	e->events[id].samples = 0;
	e->events[id].place = e->next_place++;
	return id;
}

bool perf_events_keep(struct perf_events *e, struct fg_str event)
{
	uint32_t id = e->last;

	if (!event.len)
		return true;
	/* inferno knows an event without its modifiers, a tracepoint by its group */
	if (e->options->compat == PERF_COMPAT_INFERNO)
		event = fg_str_before(event, fg_str_find_char(event, ':'));
	if (!e->names.count || !fg_str_eq(fg_intern_name(&e->names, id), event))
		id = id_of(e, event);
	e->last = id;
	e->events[id].samples++;
	return e->events[id].kept;
}

void perf_events_start_chunk(struct perf_events *e, uint64_t number)
{
	e->next_place = number * CHUNK;
}

void perf_events_share_first(struct perf_events *e, const struct perf_events *from)
{
	if (from->names.count)
		id_of(e, fg_intern_name(&from->names, 0));
}

void perf_events_absorb(struct perf_events *e, const struct perf_events *from)
{
	for (uint32_t i = 0; i < from->names.count; i++) {
		const struct event *other = &from->events[i];
		size_t known = e->names.count;
		uint32_t id = id_of(e, fg_intern_name(&from->names, i));
		struct event *event = &e->events[id];

		if (id == known || other->place < event->place)
			event->place = other->place;
		event->samples += other->samples;
	}
}

static int compare_places(const void *context, uint32_t a, uint32_t b)
{
	const struct event *events = context;

	return (events[a].place > events[b].place) -
	       (events[a].place < events[b].place);
}

void perf_events_list(const struct perf_events *e, bool kept, struct fg_buf *text)
{
	size_t count = e->names.count, listed = 0;
	uint32_t *order = fg_xcalloc(count, sizeof(*order));

	for (uint32_t id = 0; id < count; id++)
		order[id] = id;
	fg_sort(order, count, compare_places, e->events);
	for (size_t i = 0; i < count; i++) {
		uint32_t id = order[i];

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
	free(order);
}
