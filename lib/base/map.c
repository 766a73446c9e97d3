/* A hash table from pairs of numbers to numbers. */
#include "lib/base/map.h"

#include <string.h>

#include "lib/base/hash.h"

#define FIRST_SLOTS 64

struct fg_map_pair {
	struct fg_map_key key;
	size_t value;
};

void fg_map_release(struct fg_map *m)
{
	free(m->pairs);
	fg_slots_release(&m->slots);
	memset(m, 0, sizeof(*m));
}

void fg_map_clear(struct fg_map *m)
{
	if (m->slots.count > FIRST_SLOTS && m->count < m->slots.count / 16)
		fg_map_release(m);
	else if (m->count)
		memset(m->slots.at, 0, m->slots.count * sizeof(*m->slots.at));
	m->count = 0;
}

static uint32_t tag_of(const struct fg_map *m, struct fg_map_key key)
{
	return (uint32_t)fg_hash_pair(key.a, key.b, m->seed);
}

static size_t *find(const struct fg_map *m, struct fg_map_key key, uint32_t tag)
{
	const struct fg_slots *s = &m->slots;

	for (size_t i = tag & s->mask; s->at[i].item; i = (i + 1) & s->mask) {
		struct fg_map_pair *pair = &m->pairs[s->at[i].item - 1];

		if (s->at[i].tag == tag && pair->key.a == key.a && pair->key.b == key.b)
			return &pair->value;
	}
	return NULL;
}

size_t *fg_map_find(const struct fg_map *m, struct fg_map_key key)
{
	return m->count ? find(m, key, tag_of(m, key)) : NULL;
}

size_t *fg_map_add(struct fg_map *m, struct fg_map_key key, size_t value, bool *is_new)
{
	size_t *found = NULL;
	uint32_t tag;

	if (!m->seed)
		m->seed = fg_hash_seed();
	tag = tag_of(m, key);
	if (m->count)
		found = find(m, key, tag);
	*is_new = !found;
	if (found)
		return found;
	if (m->count >= UINT32_MAX - 1)
		fg_size_overflow(); /* indices are 32 bits wide */
	if ((m->count + 1) * 2 > m->slots.count)
		fg_slots_grow(&m->slots, FIRST_SLOTS);
	FG_GROW(m->pairs, m->alloc, m->count + 1);
	m->pairs[m->count++] = (struct fg_map_pair){ key, value };
	fg_slots_put(&m->slots, tag, (uint32_t)m->count);
	return &m->pairs[m->count - 1].value;
}
