/*
 * The slots of a hash table with open addressing. Use map.h or intern.h if your keys
 * are numbers or names; this is for tables with other keys.
 *
 * A slot has an item, which is a number other than 0, and a tag: the low half of the
 * key's hash. The tag gives the place of the slot, so the table can grow without
 * knowing the keys. The code that uses the slots knows the keys, compares them, and
 * decides how full the table may become. It looks an item up by
 *
 * for (size_t i = tag & s->mask; s->at[i].item; i = (i + 1) & s->mask)
 *
 * and puts a new item with the same tag. A zeroed struct is empty; it has to grow
 * before the first look-up.
 */
#ifndef FG_LIB_BASE_SLOTS_H
#define FG_LIB_BASE_SLOTS_H

#include <stdint.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"

struct fg_slot {
	uint32_t tag;
	uint32_t item; /* 0: the slot is free */
};

struct fg_slots {
	struct fg_slot *at;
	size_t count; /* number of slots, a power of two; 0 before the first item */
	size_t mask; /* count - 1 */
};

static inline void fg_slots_release(struct fg_slots *s)
{
	free(s->at);
	*s = (struct fg_slots){ NULL, 0, 0 };
}

/* Puts an item that is not in the table yet. There must be a free slot. */
static inline void fg_slots_put(struct fg_slots *s, uint32_t tag, uint32_t item)
{
	size_t i = tag & s->mask;

	while (s->at[i].item)
		i = (i + 1) & s->mask;
	s->at[i] = (struct fg_slot){ tag, item };
}

/* Doubles the slots; if there are none, makes `first`, which is a power of two. */
static inline void fg_slots_grow(struct fg_slots *s, size_t first)
{
	struct fg_slots old = *s;

	s->count = old.count ? fg_size_mul(old.count, 2) : first;
	s->mask = s->count - 1;
	s->at = fg_xcalloc(s->count, sizeof(*s->at));
	for (size_t i = 0; old.at && i < old.count; i++)
		if (old.at[i].item)
			fg_slots_put(s, old.at[i].tag, old.at[i].item);
	free(old.at);
}

#endif
