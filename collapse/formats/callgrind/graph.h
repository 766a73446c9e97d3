/*
 * The call graph of a profile without its cycles: functions that call each other, by
 * way of others too, are one component.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_GRAPH_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_GRAPH_H

#include "collapse/formats/callgrind/profile.h"

/* Components are numbered such that those that are called come before their callers. */
struct callgrind_graph {
	size_t function_count;
	size_t component_count;
	uint32_t *components; /* by function */
	uint32_t *members; /* functions, by component */
	uint32_t *member_starts; /* of each component, and the end of the last */
	uint32_t *calls; /* numbers of calls, by the function they are from */
	uint32_t *call_starts;
};

void callgrind_graph_init(struct callgrind_graph *g, const struct callgrind_profile *p);
void callgrind_graph_release(struct callgrind_graph *g);

static inline size_t callgrind_graph_size(const struct callgrind_graph *g,
					  uint32_t component)
{
	return g->member_starts[component + 1] - g->member_starts[component];
}

#endif
