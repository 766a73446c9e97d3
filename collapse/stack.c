/* One stack while it is read, filled from its end. */
#include "collapse/stack.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void fg_stack_release(struct fg_stack *s)
{
	free(s->ids);
	memset(s, 0, sizeof(*s));
}

void fg_stack_grow(struct fg_stack *s)
{
	size_t depth = fg_stack_depth(s);
	size_t alloc = fg_grown(s->alloc, fg_size_add(s->alloc, 1));
	uint32_t *ids = fg_xmalloc(fg_size_mul(alloc, sizeof(*ids)));

	if (depth)
		memcpy(ids + alloc - depth, s->ids + s->start, depth * sizeof(*ids));
	free(s->ids);
	s->ids = ids;
	s->start = alloc - depth;
	s->alloc = alloc;
}
