/* Computes where all frames of a finished tree start. */
#ifndef FG_TESTS_UNIT_SUPPORT_STARTS_H
#define FG_TESTS_UNIT_SUPPORT_STARTS_H

#include <stdlib.h>

#include "lib/profile/tree.h"

/* Returns the start of each node. The caller frees the array. */
static inline uint64_t *all_starts(const struct fg_tree *t)
{
	uint64_t *starts = fg_xcalloc(t->count, sizeof(*starts));
	struct fg_tree_starts way = { NULL, 0 };
	unsigned depth = 0;

	for (uint32_t node = 0; node != FG_TREE_NONE;
	     node = fg_tree_walk(t, node, true, &depth))
		starts[node] = fg_tree_start(&way, t, node, depth);
	free(way.at);
	return starts;
}

#endif
