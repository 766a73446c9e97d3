/* A stack that grows and shrinks at its leaf. */
#include "collapse/path.h"

#include <stdlib.h>

void fg_path_init(struct fg_path *p)
{
	*p = (struct fg_path){ .depth = 0 };
	FG_GROW(p->hashes, p->hashes_alloc, 1);
	p->hashes[0] = fg_hash_seed();
}

void fg_path_release(struct fg_path *p)
{
	free(p->ids);
	free(p->hashes);
}
