/* Raw text of a frame -> frame ids: a bounded open-addressing table. */
#include "collapse/perf_memo.h"

#include <stdlib.h>

#include "lib/xalloc.h"

#define FIRST_SLOTS 1024
#define COUNT_MAX 65536

void perf_memo_init(struct perf_memo *m)
{
	memset(m, 0, sizeof(*m));
	fg_arena_init(&m->text);
	m->slots = fg_xcalloc(FIRST_SLOTS, sizeof(*m->slots));
	m->slots_alloc = FIRST_SLOTS;
}

void perf_memo_release(struct perf_memo *m)
{
	fg_arena_release(&m->text);
	free(m->slots);
	memset(m, 0, sizeof(*m));
}

static struct perf_memo_slot *free_slot(const struct perf_memo *m, uint64_t hash)
{
	size_t at = hash & (m->slots_alloc - 1);

	while (m->slots[at].hash)
		at = (at + 1) & (m->slots_alloc - 1);
	return &m->slots[at];
}

static void grow(struct perf_memo *m)
{
	struct perf_memo_slot *old = m->slots;
	size_t old_alloc = m->slots_alloc;

	m->slots_alloc = fg_size_mul(old_alloc, 2);
	m->slots = fg_xcalloc(m->slots_alloc, sizeof(*m->slots));
	for (size_t i = 0; i < old_alloc; i++)
		if (old[i].hash)
			*free_slot(m, old[i].hash) = old[i];
	free(old);
}

void perf_memo_add(struct perf_memo *m, const struct perf_memo_key *key,
		   struct perf_memo_value value)
{
	struct fg_str text = key->text;
	struct perf_memo_slot *slot;

	if (m->count == COUNT_MAX || text.len > UINT32_MAX)
		return;
	if (m->count * 2 >= m->slots_alloc)
		grow(m);
	slot = free_slot(m, perf_memo_hash(key));
	slot->hash = perf_memo_hash(key);
	slot->id = value.id;
	slot->flags = value.flags;
	slot->variant = (uint8_t)key->variant;
	slot->len = (uint32_t)text.len;
	if (text.len <= PERF_MEMO_INLINE) {
		if (text.len)
			memcpy(slot->text, text.ptr, text.len);
	} else {
		const char *copy = fg_arena_copy(&m->text, text).ptr;

		memcpy(slot->text, &copy, sizeof(copy));
	}
	m->count++;
}
