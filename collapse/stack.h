/*
 * One stack while it is read: frame ids from the leaf towards the root.
 *
 * Profilers print the leaf first and folded stacks have the root first, so the
 * array is filled from its end: what was added is always in root-first order. A
 * zeroed struct is empty.
 */
#ifndef FG_COLLAPSE_STACK_H
#define FG_COLLAPSE_STACK_H

#include <stddef.h>
#include <stdint.h>

struct fg_stack {
	uint32_t *ids; /* the array; the stack starts at ids + start */
	size_t start;
	size_t alloc;
};

void fg_stack_release(struct fg_stack *s);

/* Makes room for another root; for fg_stack_add_root. */
void fg_stack_grow(struct fg_stack *s);

static inline void fg_stack_clear(struct fg_stack *s)
{
	s->start = s->alloc;
}

/* Adds a caller: the new root. */
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

/* The ids, root first; valid until the next call that adds. */
static inline const uint32_t *fg_stack_ids(const struct fg_stack *s)
{
	return s->ids ? s->ids + s->start : NULL;
}

#endif
