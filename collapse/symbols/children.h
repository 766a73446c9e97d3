/*
 * Children that are kept running.
 *
 * There are as many as the limits on files and processes allow, and at most 64. Where
 * there is no room for one more, the least recently used one ends first.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CHILDREN_H
#define FG_COLLAPSE_SYMBOLS_CHILDREN_H

#include "lib/base/child.h"

#define FG_CHILDREN_MAX 64

/* A zeroed struct has none. */
struct fg_children {
	struct fg_child *alive[FG_CHILDREN_MAX]; /* owned by those who started them */
	size_t count;
	uint64_t clock; /* counts uses */
};

/* As fg_child_start. From then on `c` may be ended by the start of another one. */
int fg_children_start(struct fg_children *all, struct fg_child *c,
		      const char *const *args);

/* Makes `c` the one that was used last. */
void fg_children_use(struct fg_children *all, struct fg_child *c);

/* As fg_child_end. */
int fg_children_end(struct fg_children *all, struct fg_child *c, enum fg_child_end how);

#endif
