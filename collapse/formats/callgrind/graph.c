/*
 * Finds the components of a call graph with Tarjan's algorithm (Depth-first search and
 * linear graph algorithms, 1972), but with a stack of its own instead of recursion.
 */
#include "collapse/formats/callgrind/graph.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

#define UNSEEN UINT32_MAX

/* A function whose calls are being followed. */
struct step {
	uint32_t function;
	uint32_t next; /* the call to follow next, as an index in graph.calls */
};

struct search {
	struct callgrind_graph *graph;
	const struct callgrind_profile *profile;
	/* position of each function in the order of the search, or UNSEEN */
	uint32_t *order;
	uint32_t *low; /* the least order that can be reached from each function */
	uint32_t seen; /* number of functions reached so far */
	uint32_t *open; /* functions that have no component yet */
	size_t open_count;
	/* the path of the search, from its first function to the current one */
	struct step *way;
	size_t way_count;
};

/*
 * Sorts the numbers from 0 to count - 1 by their keys, key_of[i], which are less than
 * `keys`. Stores two new arrays, which the caller frees: the sorted numbers, and the
 * index in them at which each key starts.
 */
static void sort_by_key(const uint32_t *key_of, size_t count, size_t keys,
			uint32_t **sorted, uint32_t **starts)
{
	/* key k is counted in at[k + 2], so that at[k + 1] can serve as its cursor */
	uint32_t *at = fg_xcalloc(keys + 2, sizeof(*at));
	uint32_t *to = fg_xcalloc(count + 1, sizeof(*to));

	for (size_t i = 0; i < count; i++)
		at[key_of[i] + 2]++;
	for (size_t k = 2; k < keys + 2; k++)
		at[k] += at[k - 1];
	for (size_t i = 0; i < count; i++)
		to[at[key_of[i] + 1]++] = (uint32_t)i;
	*sorted = to;
	*starts = at;
}

static void sort_calls(struct callgrind_graph *g, const struct callgrind_profile *p)
{
	size_t count = p->call_index.count;
	uint32_t *from = fg_xcalloc(count + 1, sizeof(*from));

	for (size_t i = 0; i < count; i++)
		from[i] = p->calls[i].from;
	sort_by_key(from, count, g->function_count, &g->calls, &g->call_starts);
	free(from);
}

static void enter(struct search *s, uint32_t function)
{
	s->order[function] = s->low[function] = s->seen++;
	s->open[s->open_count++] = function;
	s->way[s->way_count++] =
		(struct step){ function, s->graph->call_starts[function] };
}

/* Makes a component of the function and all open functions reached after it. */
static void close_component(struct search *s, uint32_t function)
{
	struct callgrind_graph *g = s->graph;
	uint32_t member;

	do {
		member = s->open[--s->open_count];
		g->components[member] = (uint32_t)g->component_count;
	} while (member != function);
	g->component_count++;
}

static void leave(struct search *s)
{
	uint32_t function = s->way[--s->way_count].function, caller;

	if (s->low[function] == s->order[function])
		close_component(s, function);
	if (!s->way_count)
		return;
	caller = s->way[s->way_count - 1].function;
	if (s->low[caller] > s->low[function])
		s->low[caller] = s->low[function];
}

/* Follows the next call of the last function on the way. */
static void advance(struct search *s)
{
	const struct callgrind_graph *g = s->graph;
	struct step *step = &s->way[s->way_count - 1];
	uint32_t from = step->function, to;

	if (step->next == g->call_starts[from + 1]) {
		leave(s);
		return;
	}
	to = s->profile->calls[g->calls[step->next++]].to;
	if (s->order[to] == UNSEEN)
		enter(s, to);
	else if (g->components[to] == UNSEEN && s->low[from] > s->order[to])
		s->low[from] = s->order[to];
}

static void find_components(struct callgrind_graph *g,
			    const struct callgrind_profile *p)
{
	size_t count = g->function_count;
	struct search s = { .graph = g, .profile = p };

	s.order = fg_xcalloc(count + 1, sizeof(*s.order));
	s.low = fg_xcalloc(count + 1, sizeof(*s.low));
	s.open = fg_xcalloc(count + 1, sizeof(*s.open));
	s.way = fg_xcalloc(count + 1, sizeof(*s.way));
	for (size_t i = 0; i < count; i++)
		s.order[i] = g->components[i] = UNSEEN;
	for (size_t i = 0; i < count; i++) {
		if (s.order[i] == UNSEEN)
			enter(&s, (uint32_t)i);
		while (s.way_count)
			advance(&s);
	}
	free(s.order);
	free(s.low);
	free(s.open);
	free(s.way);
}

void callgrind_graph_init(struct callgrind_graph *g, const struct callgrind_profile *p)
{
	memset(g, 0, sizeof(*g));
	g->function_count = p->function_index.count;
	g->components = fg_xcalloc(g->function_count + 1, sizeof(*g->components));
	sort_calls(g, p);
	find_components(g, p);
	sort_by_key(g->components, g->function_count, g->component_count, &g->members,
		    &g->member_starts);
}

void callgrind_graph_release(struct callgrind_graph *g)
{
	free(g->components);
	free(g->members);
	free(g->member_starts);
	free(g->calls);
	free(g->call_starts);
}
