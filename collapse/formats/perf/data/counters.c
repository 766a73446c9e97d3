/* Counters of groups, which samples show as they are: a period is their growth. */
#include "collapse/formats/perf/data/counters.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void fg_pd_counters_release(struct fg_pd_counters *c)
{
	fg_map_release(&c->by_id);
	free(c->values);
	memset(c, 0, sizeof(*c));
}

uint64_t fg_pd_counters_growth(struct fg_pd_counters *c, uint64_t id, uint64_t value)
{
	size_t index = fg_map_get(&c->by_id, id);
	uint64_t growth;

	if (!index) {
		FG_GROW(c->values, c->alloc, c->count + 1);
		c->values[c->count++] = 0;
		index = c->count;
		fg_map_set(&c->by_id, id, index);
	}
	growth = value - c->values[index - 1];
	c->values[index - 1] = value;
	return growth;
}
