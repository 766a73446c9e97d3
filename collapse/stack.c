/* Keeps the stack that a grammar is reading. */
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

void fg_path_init(struct fg_path *p)
{
	*p = (struct fg_path){ .depth = 0 };
	fg_path_grow(p);
	p->hashes[0] = fg_hash_seed();
}

void fg_path_release(struct fg_path *p)
{
	free(p->ids);
	free(p->hashes);
}

void fg_path_grow(struct fg_path *p)
{
	p->alloc = fg_grown(p->alloc, fg_size_add(p->alloc, 1));
	p->ids = fg_xrealloc(p->ids, p->alloc, sizeof(*p->ids));
	p->hashes =
		fg_xrealloc(p->hashes, fg_size_add(p->alloc, 1), sizeof(*p->hashes));
}
