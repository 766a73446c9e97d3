/*
 * Many small blocks of memory that are freed together.
 *
 * Blocks never move, so pointers stay valid until the arena is released. There is no
 * way to free one block: use an arena for each phase of the work. A zeroed struct is an
 * empty arena.
 */
#ifndef FG_LIB_BASE_ARENA_H
#define FG_LIB_BASE_ARENA_H

#include "lib/base/str.h"

struct fg_arena_chunk;

struct fg_arena {
	struct fg_arena_chunk *chunks;
	char *next; /* first free byte of the newest chunk */
	char *end;
};

void fg_arena_init(struct fg_arena *a);

/* Frees every block at once and leaves the arena empty. */
void fg_arena_release(struct fg_arena *a);

/* Returns `size` uninitialised bytes, aligned for any object; never NULL. */
void *fg_arena_alloc(struct fg_arena *a, size_t size);

/* Like fg_arena_alloc(), but not aligned; for text. */
char *fg_arena_bytes(struct fg_arena *a, size_t size);

/* Returns a copy of `s` that the arena owns. */
struct fg_str fg_arena_copy(struct fg_arena *a, struct fg_str s);

#endif
