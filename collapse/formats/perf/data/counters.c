/*
 * Turns the values of counters into periods: a period is how much a counter has grown.
 */
#include "collapse/formats/perf/data/counters.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

struct fg_pd_counter {
	uint64_t value, time, birth;
};

void fg_pd_counters_release(struct fg_pd_counters *c)
{
	fg_map_release(&c->by_id);
	free(c->list);
	memset(c, 0, sizeof(*c));
}

/* Returns the counter of `now`. If the counter or its thread is new, it starts at 0. */
static struct fg_pd_counter *counter_of(struct fg_pd_counters *c,
					const struct fg_pd_count *now)
{
	const struct fg_map_key key = { now->id, (uint32_t)now->tid };
	struct fg_pd_counter *counter;
	bool is_new;
	size_t index = *fg_map_add(&c->by_id, key, c->count, &is_new);

	if (is_new) {
		FG_GROW(c->list, c->alloc, c->count + 1);
		c->count++;
	}
	counter = &c->list[index];
	if (is_new || counter->birth != now->birth)
		*counter = (struct fg_pd_counter){ .birth = now->birth };
	return counter;
}

struct fg_pd_growth fg_pd_counters_read(struct fg_pd_counters *c,
					const struct fg_pd_count *now)
{
	struct fg_pd_counter *counter = counter_of(c, now);
	struct fg_pd_growth growth = { .from = counter->value, .elapsed = UINT64_MAX };
	bool is_lower = now->value < counter->value,
	     is_late = now->time < counter->time;

	if (is_lower && is_late)
		return growth;
	if (counter->time && now->time)
		growth.elapsed = is_late ? 0 : now->time - counter->time;
	growth.fell = is_lower;
	growth.by = now->value - (is_lower ? 0 : counter->value);
	counter->value = now->value;
	if (!is_late)
		counter->time = now->time;
	return growth;
}
