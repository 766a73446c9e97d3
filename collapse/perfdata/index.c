/* A hash table of numbers, for ids of events, tasks and processes. */
#include "collapse/perfdata/index.h"

#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/xalloc.h"

#define FIRST_SIZE 64

void fg_pd_index_release(struct fg_pd_index *t)
{
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

static struct fg_pd_index_slot *slot_of(const struct fg_pd_index *t, uint64_t key)
{
	size_t i = (size_t)fg_hash_mix(key ^ t->seed, FG_HASH_K1 ^ t->seed);

	i &= t->alloc - 1;
	while (t->slots[i].value && t->slots[i].key != key)
		i = (i + 1) & (t->alloc - 1);
	return &t->slots[i];
}

static void grow(struct fg_pd_index *t)
{
	struct fg_pd_index_slot *old = t->slots;
	size_t alloc = t->alloc;

	if (!alloc)
		t->seed = fg_hash_seed();
	t->alloc = alloc ? fg_size_mul(alloc, 2) : FIRST_SIZE;
	t->slots = fg_xcalloc(t->alloc, sizeof(*t->slots));
	for (size_t i = 0; i < alloc; i++)
		if (old[i].value)
			*slot_of(t, old[i].key) = old[i];
	free(old);
}

uint32_t fg_pd_index_get(const struct fg_pd_index *t, uint64_t key)
{
	return t->alloc ? slot_of(t, key)->value : 0;
}

void fg_pd_index_set(struct fg_pd_index *t, uint64_t key, uint32_t value)
{
	struct fg_pd_index_slot *slot;

	if (t->count * 2 >= t->alloc)
		grow(t);
	slot = slot_of(t, key);
	if (!slot->value)
		t->count++;
	slot->key = key;
	slot->value = value;
}
