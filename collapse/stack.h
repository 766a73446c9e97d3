/*
 * The stack that a grammar is reading, in one of two forms.
 *
 * Profilers that print a stack at a time mostly print the leaf first, and folded stacks
 * have the root first. So struct fg_stack is filled from the end of its array: its ids
 * are always root first.
 *
 * Profilers that print an outline indent the callees below their caller. For them
 * struct fg_path grows and shrinks at the leaf, and has a hash for each depth, so that
 * a stack can be counted without reading all its frames again.
 */
#ifndef FG_COLLAPSE_STACK_H
#define FG_COLLAPSE_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/hash.h"

/* ---- from the leaf to the root */

/* A zeroed struct is empty. */
struct fg_stack {
	uint32_t *ids; /* the array; the stack starts at ids + start */
	size_t start;
	size_t alloc;
};

void fg_stack_release(struct fg_stack *s);

/* Allocates memory for another root. Used by fg_stack_add_root(). */
void fg_stack_grow(struct fg_stack *s);

static inline void fg_stack_clear(struct fg_stack *s)
{
	s->start = s->alloc;
}

/* Adds a caller, which is the new root. */
static inline void fg_stack_add_root(struct fg_stack *s, uint32_t id)
{
	if (!s->start)
		fg_stack_grow(s);
	s->ids[--s->start] = id;
}

static inline size_t fg_stack_depth(const struct fg_stack *s)
{
	return s->alloc - s->start;
}

/* Returns the ids, root first. They are valid until another one is added. */
static inline const uint32_t *fg_stack_ids(const struct fg_stack *s)
{
	return s->ids ? s->ids + s->start : NULL;
}

/* ---- from the root to the leaf */

/* To remove leaves, decrease `depth`. */
struct fg_path {
	uint32_t *ids; /* root first */
	uint64_t *hashes; /* hashes[n] is the hash of the first n frames */
	size_t depth;
	size_t alloc; /* the depth for which there is memory */
};

void fg_path_init(struct fg_path *p);
void fg_path_release(struct fg_path *p);

/* Allocates memory for another leaf. Used by fg_path_push(). */
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

/* Returns the hash of the whole stack. */
static inline uint64_t fg_path_hash(const struct fg_path *p)
{
	return p->hashes[p->depth];
}

#endif
