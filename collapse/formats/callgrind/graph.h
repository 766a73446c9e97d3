/*
 * The call graph of a profile, with its cycles merged. Functions that call each other,
 * directly or through others, are one component; any other function is a component of
 * its own. The calls between components have no cycles.
 */
#ifndef FG_COLLAPSE_FORMATS_CALLGRIND_GRAPH_H
#define FG_COLLAPSE_FORMATS_CALLGRIND_GRAPH_H

#include "collapse/formats/callgrind/profile.h"

/*
 * Components are numbered so that each has a lower number than its callers. Arrays
 * whose names end in _starts have one element more, which is the end of the last list.
 */
struct callgrind_graph {
	size_t function_count;
	size_t component_count;
	uint32_t *components; /* component of each function */
	uint32_t *members; /* functions, sorted by component */
	uint32_t *member_starts; /* index in `members` of each component's first one */
	uint32_t *calls; /* indices in profile->calls, sorted by calling function */
	uint32_t *call_starts; /* index in `calls` of each function's first one */
};

void callgrind_graph_init(struct callgrind_graph *g, const struct callgrind_profile *p);
void callgrind_graph_release(struct callgrind_graph *g);

/* Returns the number of functions in a component. */
static inline size_t callgrind_graph_size(const struct callgrind_graph *g,
					  uint32_t component)
{
	return g->member_starts[component + 1] - g->member_starts[component];
}

#endif
