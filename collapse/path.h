/*
 * A stack that grows and shrinks at its leaf, as in an outline: frame ids, root first.
 *
 * Each depth has a hash of the frames down to it, so that what is counted of a stack is
 * found without going over its frames again.
 */
#ifndef FG_COLLAPSE_PATH_H
#define FG_COLLAPSE_PATH_H

#include "lib/base/hash.h"

struct fg_path {
	uint32_t *ids;
	uint64_t *hashes; /* of none of the frames, of one, and so on */
	size_t depth;
	size_t alloc; /* depths that there is room for */
};

void fg_path_init(struct fg_path *p);
void fg_path_release(struct fg_path *p);

/* Makes room for another leaf; for fg_path_push. */
void fg_path_grow(struct fg_path *p);

/* Adds a leaf. */
static inline void fg_path_push(struct fg_path *p, uint32_t id)
{
	uint64_t hash = p->hashes[p->depth];

	if (p->depth == p->alloc)
		fg_path_grow(p);
	p->ids[p->depth++] = id;
	p->hashes[p->depth] = fg_hash_mix(hash ^ FG_HASH_K1, id ^ FG_HASH_K2);
}

/* The hash of the whole stack. */
static inline uint64_t fg_path_hash(const struct fg_path *p)
{
	return p->hashes[p->depth];
}

#endif
