/* Hands out memory from the end of large chunks, which are freed together. */
#include "lib/base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

#define FIRST_CHUNK ((size_t)4096)
#define LARGEST_CHUNK ((size_t)1 << 19)

struct fg_arena_chunk {
	struct fg_arena_chunk *older;
	size_t size;
	alignas(max_align_t) char bytes[];
};

void fg_arena_init(struct fg_arena *a)
{
	memset(a, 0, sizeof(*a));
}

void fg_arena_release(struct fg_arena *a)
{
	while (a->chunks) {
		struct fg_arena_chunk *older = a->chunks->older;

		free(a->chunks);
		a->chunks = older;
	}
	fg_arena_init(a);
}

static void add_chunk(struct fg_arena *a, size_t need)
{
	size_t size = a->chunks ? a->chunks->size : FIRST_CHUNK / 2;
	struct fg_arena_chunk *chunk;

	if (size < LARGEST_CHUNK)
		size *= 2;
	if (size > LARGEST_CHUNK)
		size = LARGEST_CHUNK;
	if (size < need)
		size = need;
	chunk = fg_xmalloc(fg_size_add(sizeof(*chunk), size));
	chunk->older = a->chunks;
	chunk->size = size;
	a->chunks = chunk;
	a->next = chunk->bytes;
	a->end = chunk->bytes + size;
}

char *fg_arena_bytes(struct fg_arena *a, size_t size)
{
	char *block;

	if (!a->next || (size_t)(a->end - a->next) < size)
		add_chunk(a, size);
	block = a->next;
	a->next += size;
	return block;
}

void *fg_arena_alloc(struct fg_arena *a, size_t size)
{
	size_t align = alignof(max_align_t);
	size_t used = a->next ? (size_t)(a->next - a->chunks->bytes) : 0;
	size_t pad = (align - used % align) % align;

	if (!a->next || (size_t)(a->end - a->next) < fg_size_add(size, pad)) {
		add_chunk(a, size);
		pad = 0;
	}
	a->next += pad;
	return fg_arena_bytes(a, size);
}

struct fg_str fg_arena_copy(struct fg_arena *a, struct fg_str s)
{
	char *copy = fg_arena_bytes(a, s.len);

	if (s.len)
		memcpy(copy, s.ptr, s.len);
	return fg_str_of(copy, s.len);
}
