/*
 * Keeps the frames of texts in an open-addressing hash table that stops growing at a
 * limit.
 */
#include "collapse/memo.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

#define FIRST_SLOTS 1024

void fg_memo_init(struct fg_memo *m)
{
	memset(m, 0, sizeof(*m));
	fg_arena_init(&m->text);
	m->seed = fg_hash_seed();
	fg_slots_grow(&m->slots, FIRST_SLOTS);
}

void fg_memo_release(struct fg_memo *m)
{
	fg_arena_release(&m->text);
	free(m->entries);
	fg_slots_release(&m->slots);
	memset(m, 0, sizeof(*m));
}

const struct fg_memo_entry *fg_memo_add(struct fg_memo *m,
					const struct fg_memo_key *key,
					struct fg_memo_value value)
{
	struct fg_str text = key->text;
	struct fg_memo_entry *entry;

	if (!fg_memo_has_room(m, key))
		return NULL;
	if (m->count * 2 >= m->slots.count)
		fg_slots_grow(&m->slots, FIRST_SLOTS);
	FG_GROW(m->entries, m->alloc, m->count + 1);
	entry = &m->entries[m->count++];
	entry->id = value.id;
	entry->flags = value.flags;
	entry->variant = (uint8_t)key->variant;
	entry->len = (uint32_t)text.len;
	if (text.len <= FG_MEMO_INLINE) {
		if (text.len)
			memcpy(entry->text, text.ptr, text.len);
	} else {
		const char *copy = fg_arena_copy(&m->text, text).ptr;

		memcpy(entry->text, &copy, sizeof(copy));
	}
	fg_slots_put(&m->slots, fg_memo_hash(key), (uint32_t)m->count);
	return entry;
}

struct fg_memo_value fg_runs_add(struct fg_runs *r, const uint32_t *ids, size_t count)
{
	struct fg_memo_value value = { (uint32_t)r->count, FG_MEMO_RUN };

	if (count == 1)
		return (struct fg_memo_value){ ids[0], 0 };
	if (r->count + count >= UINT32_MAX)
		fg_size_overflow(); /* offsets are 32 bits wide */
	FG_GROW(r->items, r->alloc, r->count + count + 1);
	r->items[r->count++] = (uint32_t)count;
	if (count)
		memcpy(r->items + r->count, ids, count * sizeof(*ids));
	r->count += count;
	return value;
}
