/* Which events are kept, and how many samples there are of each. */
#include <stdlib.h>

#include "collapse/perf.h"
#include "lib/intern.h"
#include "lib/xalloc.h"

struct event {
	bool kept;
	uint64_t samples;
};

struct perf_events {
	const struct perf_options *options;
	struct fg_intern names;
	struct event *events; /* by id of the name */
	size_t alloc;
	uint32_t last; /* the event of the last sample */
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
	for (size_t i = 0; i < sizeof(hybrid_units) / sizeof(*hybrid_units); i++)
		if (fg_str_starts(event, hybrid_units[i]))
			return fg_str_from_pos(event, hybrid_units[i].len);
	return event;
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
	if (!filter->count)
		return fg_str_eq(core_event(event), core_event(first));
	for (size_t i = 0; i < filter->count; i++)
		if (perf_glob(fg_str_from(filter->items[i]), event))
			return true;
	return false;
}

bool perf_events_keep(struct perf_events *e, struct fg_str event)
{
	uint32_t id = e->last;
	size_t known = e->names.count;

	if (!event.len)
		return true;
	if (!known || !fg_str_eq(fg_intern_name(&e->names, id), event))
		id = fg_intern(&e->names, event);
	if (e->names.count > known) {
		FG_GROW(e->events, e->alloc, e->names.count);
		e->events[id].kept = is_wanted(e, event);
		e->events[id].samples = 0;
	}
	e->last = id;
	e->events[id].samples++;
	return e->events[id].kept;
}

void perf_events_list(const struct perf_events *e, bool kept, struct fg_buf *text)
{
	const char *separator = "";

	for (uint32_t id = 0; id < e->names.count; id++) {
		if (e->events[id].kept != kept)
			continue;
		fg_buf_addf(text, "%s'", separator);
		fg_buf_add_visible(text, fg_intern_name(&e->names, id), FG_QUOTED_MAX);
		fg_buf_addf(text, "' (%llu sample%s)",
			    (unsigned long long)e->events[id].samples,
			    e->events[id].samples == 1 ? "" : "s");
		separator = ", ";
	}
}
