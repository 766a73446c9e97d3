/* Frame names to dense ids and back: an open-addressing hash table. */
#include "lib/intern.h"

#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/xalloc.h"

#define FIRST_SLOTS 256

struct fg_intern_slot {
	uint32_t tag; /* high half of the hash */
	uint32_t id_plus_1; /* 0: free */
};

void fg_intern_init(struct fg_intern *t)
{
	memset(t, 0, sizeof(*t));
	fg_arena_init(&t->text);
}

void fg_intern_release(struct fg_intern *t)
{
	fg_arena_release(&t->text);
	free(t->names);
	free(t->slots);
	fg_intern_init(t);
}

static uint64_t hash_of(struct fg_str name)
{
	return fg_hash_bytes(name.ptr, name.len, 0);
}

static void grow(struct fg_intern *t)
{
	size_t slots = t->slots_alloc ? fg_size_mul(t->slots_alloc, 2) : FIRST_SLOTS;

	free(t->slots);
	t->slots = fg_xcalloc(slots, sizeof(*t->slots));
	t->slots_alloc = slots;
	for (size_t id = 0; id < t->count; id++) {
		uint64_t hash = hash_of(t->names[id]);
		size_t at = (size_t)hash & (slots - 1);

		while (t->slots[at].id_plus_1)
			at = (at + 1) & (slots - 1);
		t->slots[at].tag = (uint32_t)(hash >> 32);
		t->slots[at].id_plus_1 = (uint32_t)id + 1;
	}
}

static uint32_t add_name(struct fg_intern *t, struct fg_str name)
{
	FG_GROW(t->names, t->names_alloc, t->count + 1);
	if (t->count >= UINT32_MAX - 1)
		fg_size_add(SIZE_MAX, t->count); /* ids are 32 bits wide */
	t->names[t->count] = fg_arena_copy(&t->text, name);
	return (uint32_t)t->count++;
}

uint32_t fg_intern(struct fg_intern *t, struct fg_str name)
{
	uint64_t hash = hash_of(name);
	uint32_t tag = (uint32_t)(hash >> 32);
	size_t at;

	if ((t->count + 1) * 2 > t->slots_alloc)
		grow(t);
	at = (size_t)hash & (t->slots_alloc - 1);
	for (;;) {
		struct fg_intern_slot *slot = &t->slots[at];

		if (!slot->id_plus_1) {
			slot->tag = tag;
			slot->id_plus_1 = add_name(t, name) + 1;
			return slot->id_plus_1 - 1;
		}
		if (slot->tag == tag && fg_str_eq(t->names[slot->id_plus_1 - 1], name))
			return slot->id_plus_1 - 1;
		at = (at + 1) & (t->slots_alloc - 1);
	}
}
