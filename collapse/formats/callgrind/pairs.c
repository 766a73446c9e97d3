/* Finds items by pairs of numbers, in a hash table with open addressing. */
#include "collapse/formats/callgrind/pairs.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/hash.h"

#define FIRST_SLOTS 256

void callgrind_pairs_release(struct callgrind_pairs *p)
{
	fg_slots_release(&p->slots);
	memset(p, 0, sizeof(*p));
}

static bool is_pair(struct callgrind_items items, size_t index,
		    struct callgrind_pair pair)
{
	struct callgrind_pair there;

	memcpy(&there, (const char *)items.first + index * items.size, sizeof(there));
	return there.a == pair.a && there.b == pair.b;
}

uint32_t callgrind_pairs_find(struct callgrind_pairs *p, struct callgrind_items items,
			      struct callgrind_pair pair)
{
	const struct fg_slots *slots = &p->slots;
	uint32_t tag;

	if (!p->seed)
		p->seed = fg_hash_seed();
	if ((p->count + 1) * 4 > slots->count * 3)
		fg_slots_grow(&p->slots, FIRST_SLOTS);
	tag = (uint32_t)fg_hash_pair(pair.a, pair.b, p->seed);
	for (size_t i = tag & slots->mask; slots->at[i].item; i = (i + 1) & slots->mask)
		if (slots->at[i].tag == tag &&
		    is_pair(items, slots->at[i].item - 1, pair))
			return slots->at[i].item - 1;
	if (p->count >= UINT32_MAX - 1)
		fg_size_overflow(); /* indices are 32 bits wide */
	fg_slots_put(&p->slots, tag, (uint32_t)++p->count);
	return (uint32_t)p->count - 1;
}
