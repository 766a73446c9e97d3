/* Answers questions about a graph that need several of its parts. */
#include "flamegraph/graph.h"

bool fg_graph_shows_libraries(const struct fg_graph *g)
{
	if (g->libraries && g->libraries->by == FG_BY_KIND && !g->libraries->count)
		return false; /* a single colour needs no legend */
	return g->libraries && !g->tree.before && !g->options->colordiffusion;
}

uint64_t fg_graph_max_delta(const struct fg_graph *g)
{
	uint64_t one = fg_pow10(g->tree.decimals);

	if (g->diff.on &&
	    /* UINT64_MAX as a double is rounded up to 2^64 */
	    g->diff.max >= (double)UINT64_MAX)
		return UINT64_MAX;
	if (g->diff.on)
		return (uint64_t)g->diff.max;
	return g->tree.max_delta > one ? g->tree.max_delta : one;
}
