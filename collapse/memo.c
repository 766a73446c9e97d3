/* Raw text of a frame -> frame ids: a bounded open-addressing table. */
#include "collapse/memo.h"

#include <stdlib.h>

#include "lib/xalloc.h"

#define FIRST_SLOTS 1024

void fg_memo_init(struct fg_memo *m)
{
	memset(m, 0, sizeof(*m));
	fg_arena_init(&m->text);
	m->seed = fg_hash_seed();
	m->slots = fg_xcalloc(FIRST_SLOTS, sizeof(*m->slots));
	m->slots_alloc = FIRST_SLOTS;
}

void fg_memo_release(struct fg_memo *m)
{
	fg_arena_release(&m->text);
	free(m->entries);
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

static void add_slot(struct fg_memo *m, struct fg_memo_slot slot)
{
	size_t mask = m->slots_alloc - 1;
	size_t at = slot.hash & mask;

	while (m->slots[at].entry_plus_1)
		at = (at + 1) & mask;
	m->slots[at] = slot;
}

static void grow(struct fg_memo *m)
{
	struct fg_memo_slot *old = m->slots;
	size_t old_alloc = m->slots_alloc;

	m->slots_alloc = fg_size_mul(old_alloc, 2);
	m->slots = fg_xcalloc(m->slots_alloc, sizeof(*m->slots));
	for (size_t i = 0; i < old_alloc; i++)
		if (old[i].entry_plus_1)
			add_slot(m, old[i]);
	free(old);
}

const struct fg_memo_entry *fg_memo_add(struct fg_memo *m,
					const struct fg_memo_key *key,
					struct fg_memo_value value)
{
	struct fg_str text = key->text;
	struct fg_memo_entry *entry;

	if (!fg_memo_has_room(m, key))
		return NULL;
	if (m->count * 2 >= m->slots_alloc)
		grow(m);
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
	add_slot(m, (struct fg_memo_slot){ fg_memo_hash(key), (uint32_t)m->count });
	return entry;
}
