/* A hash table from pairs of numbers to numbers. A zeroed struct is empty. */
#ifndef FG_LIB_BASE_MAP_H
#define FG_LIB_BASE_MAP_H

#include <stdbool.h>

#include "lib/base/slots.h"

struct fg_map_key {
	uint64_t a, b;
};

struct fg_map {
	struct fg_map_pair *pairs; /* in the order in which they were added */
	size_t count, alloc;
	struct fg_slots slots; /* items are 1 + the index of a pair */
	uint64_t seed;
};

void fg_map_release(struct fg_map *m);

/*
 * Removes all pairs. Keeps the memory for new ones, but frees it if the pairs used only
 * a small part of it.
 */
void fg_map_clear(struct fg_map *m);

/*
 * Returns the value of a key, or NULL if there is none. The pointer is valid until the
 * next call that adds.
 */
size_t *fg_map_find(const struct fg_map *m, struct fg_map_key key);

/* Like fg_map_find(), but adds the key with `value` if it is new. Sets *is_new. */
size_t *fg_map_add(struct fg_map *m, struct fg_map_key key, size_t value, bool *is_new);

/*
 * Returns the value of a key that is a single number, or 0 if there is none. Use it
 * only for maps whose values are never 0.
 */
static inline size_t fg_map_get(const struct fg_map *m, uint64_t key)
{
	const size_t *value = fg_map_find(m, (struct fg_map_key){ key, 0 });

	return value ? *value : 0;
}

/* Sets the value of a key that is a single number. */
static inline void fg_map_set(struct fg_map *m, uint64_t key, size_t value)
{
	bool is_new;

	*fg_map_add(m, (struct fg_map_key){ key, 0 }, value, &is_new) = value;
}

#endif
