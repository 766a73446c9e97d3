/* Frame names to dense ids and back: an open-addressing hash table. */
#include "lib/intern.h"

#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/xalloc.h"

#define FIRST_SLOTS 256

struct fg_intern_slot {
	uint32_t tag; /* low half of the hash: says where the slot is, too */
	uint32_t id_plus_1; /* 0: free */
};

void fg_intern_init(struct fg_intern *t)
{
	memset(t, 0, sizeof(*t));
	fg_arena_init(&t->text);
	t->seed = fg_hash_seed();
}

void fg_intern_release(struct fg_intern *t)
{
	fg_arena_release(&t->text);
	free(t->names);
	free(t->slots);
	fg_intern_init(t);
}

static void grow(struct fg_intern *t)
{
	struct fg_intern_slot *old = t->slots;
	size_t old_alloc = t->slots_alloc;

	t->slots_alloc = old_alloc ? fg_size_mul(old_alloc, 2) : FIRST_SLOTS;
	t->slots = fg_xcalloc(t->slots_alloc, sizeof(*t->slots));
	for (size_t i = 0; i < old_alloc; i++) {
		size_t at = old[i].tag & (t->slots_alloc - 1);

		if (!old[i].id_plus_1)
			continue;
		while (t->slots[at].id_plus_1)
			at = (at + 1) & (t->slots_alloc - 1);
		t->slots[at] = old[i];
	}
	free(old);
}

static uint32_t add_name(struct fg_intern *t, struct fg_str name)
{
	FG_GROW(t->names, t->names_alloc, t->count + 1);
	if (t->count >= UINT32_MAX - 1)
		fg_size_overflow(); /* ids are 32 bits wide */
	t->names[t->count] = fg_arena_copy(&t->text, name);
	return (uint32_t)t->count++;
}

uint32_t fg_intern(struct fg_intern *t, struct fg_str name)
{
	uint32_t tag = (uint32_t)fg_hash_bytes(name.ptr, name.len, t->seed);
	size_t at;

	if ((t->count + 1) * 4 > t->slots_alloc * 3)
		grow(t);
	at = tag & (t->slots_alloc - 1);
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
