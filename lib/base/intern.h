/*
 * Numbers for names: 0, 1, 2, ... in the order of first appearance.
 *
 * Two names are equal if and only if their ids are. The table owns a copy of each name,
 * which stays in its place until the table is released.
 */
#ifndef FG_LIB_BASE_INTERN_H
#define FG_LIB_BASE_INTERN_H

#include "lib/base/arena.h"
#include "lib/base/buf.h"
#include "lib/base/slots.h"

struct fg_intern {
	struct fg_arena text;
	struct fg_str *names; /* indexed by id */
	size_t count;
	size_t names_alloc;
	struct fg_slots slots; /* items are 1 + id */
	uint64_t seed; /* seed of the names' hashes */
	bool visible; /* control characters in names are made visible */
	size_t longest; /* names are cut to this many bytes, at least 8; 0: no limit */
	size_t cut; /* number of names that were cut */
};

void fg_intern_init(struct fg_intern *t);

/*
 * Like fg_intern_init(), for names that will be written: their control characters are
 * made visible (visible.h), so a name in the table may differ from the one you added.
 */
void fg_intern_init_visible(struct fg_intern *t);

/* Frees all names and leaves an empty table of the same kind. */
void fg_intern_release(struct fg_intern *t);

/* Returns the id of `name`. Copies the name if it is new. */
uint32_t fg_intern(struct fg_intern *t, struct fg_str name);

/*
 * Frees the hash table, which only fg_intern() needs and which is as large as the names
 * or larger. Names and ids stay. The next fg_intern() builds the table again.
 */
void fg_intern_trim(struct fg_intern *t);

/* Returns the name of an id of this table, borrowed from the table. */
static inline struct fg_str fg_intern_name(const struct fg_intern *t, uint32_t id)
{
	return t->names[id];
}

#endif
