/* Distinct stacks and their sums. */
#include "collapse/counts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/xalloc.h"

#define FIRST_SLOTS 1024

void fg_counts_init(struct fg_counts *c)
{
	memset(c, 0, sizeof(*c));
	fg_arena_init(&c->ids);
	c->seed = fg_hash_seed();
}

void fg_counts_release(struct fg_counts *c)
{
	fg_arena_release(&c->ids);
	free(c->entries);
	free(c->minus);
	fg_slots_release(&c->slots);
	fg_counts_init(c);
}

static uint32_t add_entry(struct fg_counts *c, const uint32_t *ids, size_t depth)
{
	size_t bytes = fg_size_mul(depth, sizeof(*ids));
	struct fg_counts_entry *entry;
	uint32_t *copy;

	if (c->count >= UINT32_MAX - 1 || depth > UINT32_MAX)
		fg_size_overflow(); /* indices are 32 bits wide */
	FG_GROW(c->entries, c->alloc, c->count + 1);
	copy = (void *)fg_arena_bytes(&c->ids,
				      bytes); /* aligned: nothing else is there */
	if (bytes)
		memcpy(copy, ids, bytes);
	entry = &c->entries[c->count];
	memset(entry, 0, sizeof(*entry));
	entry->ids = copy;
	entry->depth = (uint32_t)depth;
	return (uint32_t)c->count++;
}

static bool same_stack(const struct fg_counts_entry *entry, const uint32_t *ids,
		       size_t depth)
{
	return entry->depth == depth &&
	       (!depth || !memcmp(entry->ids, ids, depth * sizeof(*ids)));
}

static struct fg_counts_entry *find_entry(struct fg_counts *c, const uint32_t *ids,
					  size_t depth, uint32_t tag)
{
	struct fg_slots *slots = &c->slots;
	size_t i;

	if ((c->count + 1) * 2 > slots->count)
		fg_slots_grow(slots, FIRST_SLOTS);
	for (i = tag & slots->mask; slots->at[i].item; i = (i + 1) & slots->mask) {
		struct fg_counts_entry *entry = &c->entries[slots->at[i].item - 1];

		if (slots->at[i].tag == tag && same_stack(entry, ids, depth))
			return entry;
	}
	slots->at[i] = (struct fg_slot){ tag, add_entry(c, ids, depth) + 1 };
	return &c->entries[c->count - 1];
}

struct fg_counts_entry *fg_counts_entry(struct fg_counts *c, const uint32_t *ids,
					size_t depth)
{
	uint64_t hash = fg_hash_bytes((const char *)ids, depth * sizeof(*ids), c->seed);

	return find_entry(c, ids, depth, (uint32_t)hash);
}

struct fg_counts_entry *fg_counts_entry_of_path(struct fg_counts *c,
						const struct fg_path *path)
{
	return find_entry(c, path->ids, path->depth, (uint32_t)fg_path_hash(path));
}

void fg_counts_take(struct fg_counts *c, const struct fg_counts_entry *entry,
		    struct fg_sum weight)
{
	size_t i = (size_t)(entry - c->entries), had = c->minus_alloc;

	FG_GROW(c->minus, c->minus_alloc, i + 1);
	memset(c->minus + had, 0, (c->minus_alloc - had) * sizeof(*c->minus));
	fg_sum_add_sum(&c->minus[i], weight);
}

void fg_counts_settle(struct fg_counts *c, struct fg_shrunk *shrunk)
{
	size_t kept = 0;

	if (!c->minus)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct fg_counts_entry entry = c->entries[i];

		if (i < c->minus_alloc && !fg_sum_is_zero(c->minus[i])) {
			struct fg_sum less = fg_sum_less(c->minus[i], entry.sum);

			shrunk->stacks += !fg_sum_is_zero(less);
			fg_sum_add_sum(&shrunk->weight, less);
			entry.sum = fg_sum_less(entry.sum, c->minus[i]);
			if (fg_sum_is_zero(entry.sum))
				continue;
		}
		c->entries[kept++] = entry;
	}
	c->count = kept;
}

void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path)
{
	if (c->slots.count)
		__builtin_prefetch(&c->slots.at[fg_path_hash(path) & c->slots.mask]);
}

void fg_counts_finish(struct fg_counts *c)
{
	fg_slots_release(&c->slots);
}
