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

static uint32_t tag_of(const struct fg_intern *t, struct fg_str name)
{
	return (uint32_t)fg_hash_bytes(name.ptr, name.len, t->seed);
}

static void put_slot(struct fg_intern *t, struct fg_intern_slot slot)
{
	size_t at = slot.tag & (t->slots_alloc - 1);

	while (t->slots[at].id_plus_1)
		at = (at + 1) & (t->slots_alloc - 1);
	t->slots[at] = slot;
}

/* After fg_intern_trim there are names without slots. */
static void make_slots(struct fg_intern *t)
{
	t->slots_alloc = FIRST_SLOTS;
	while ((t->count + 1) * 4 > t->slots_alloc * 3)
		t->slots_alloc = fg_size_mul(t->slots_alloc, 2);
	t->slots = fg_xcalloc(t->slots_alloc, sizeof(*t->slots));
	for (uint32_t id = 0; id < t->count; id++)
		put_slot(t, (struct fg_intern_slot){ tag_of(t, t->names[id]), id + 1 });
}

static void grow(struct fg_intern *t)
{
	struct fg_intern_slot *old = t->slots;
	size_t old_alloc = t->slots_alloc;

	if (!old) {
		make_slots(t);
		return;
	}
	t->slots_alloc = fg_size_mul(old_alloc, 2);
	t->slots = fg_xcalloc(t->slots_alloc, sizeof(*t->slots));
	for (size_t i = 0; i < old_alloc; i++)
		if (old[i].id_plus_1)
			put_slot(t, old[i]);
	free(old);
}

void fg_intern_trim(struct fg_intern *t)
{
	free(t->slots);
	t->slots = NULL;
	t->slots_alloc = 0;
}

/* The slot of `name`, which is free where the name is new. */
static struct fg_intern_slot *find_slot(struct fg_intern *t, struct fg_str name)
{
	uint32_t tag = tag_of(t, name);
	size_t at;

	if ((t->count + 1) * 4 > t->slots_alloc * 3)
		grow(t);
	at = tag & (t->slots_alloc - 1);
	for (;;) {
		struct fg_intern_slot *slot = &t->slots[at];

		if (!slot->id_plus_1)
			slot->tag = tag;
		else if (slot->tag != tag ||
			 !fg_str_eq(t->names[slot->id_plus_1 - 1], name)) {
			at = (at + 1) & (t->slots_alloc - 1);
			continue;
		}
		return slot;
	}
}

/* `name` is the table's. */
static uint32_t add_name(struct fg_intern *t, struct fg_str name)
{
	FG_GROW(t->names, t->names_alloc, t->count + 1);
	if (t->count >= UINT32_MAX - 1)
		fg_size_overflow(); /* ids are 32 bits wide */
	t->names[t->count] = name;
	return (uint32_t)t->count++;
}

uint32_t fg_intern(struct fg_intern *t, struct fg_str name)
{
	struct fg_intern_slot *slot = find_slot(t, name);

	if (!slot->id_plus_1)
		slot->id_plus_1 = add_name(t, fg_arena_copy(&t->text, name)) + 1;
	return slot->id_plus_1 - 1;
}

uint32_t fg_intern_take(struct fg_intern *t, struct fg_buf *name)
{
	struct fg_intern_slot *slot = find_slot(t, fg_buf_str(name));

	if (!slot->id_plus_1) {
		char *block = fg_xrealloc(name->ptr, name->len, 1);

		fg_arena_adopt(&t->text, block);
		slot->id_plus_1 = add_name(t, fg_str_of(block, name->len)) + 1;
		fg_buf_init(name);
	}
	fg_buf_release(name);
	return slot->id_plus_1 - 1;
}
