/* A stack that grows and shrinks at its leaf. */
#include "collapse/path.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

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
