/*
 * Names as dense 32-bit ids: 0, 1, 2, ... in the order of first appearance.
 *
 * Two names are equal exactly where their ids are. The table owns a copy of
 * each name; the copies stay where they are until it is released.
 */
#ifndef FG_LIB_BASE_INTERN_H
#define FG_LIB_BASE_INTERN_H

#include "lib/base/arena.h"
#include "lib/base/buf.h"
#include "lib/base/slots.h"

struct fg_intern {
	struct fg_arena text;
	struct fg_str *names; /* by id */
	size_t count;
	size_t names_alloc;
	struct fg_slots slots; /* an id and 1 */
	uint64_t seed; /* of the names' hashes */
	bool visible; /* names are made visible */
	size_t longest; /* longer names are cut, in bytes, at least 8; 0: none is */
	size_t cut; /* names that were */
};

void fg_intern_init(struct fg_intern *t);

/*
 * The same of a table of names that will be written: each passes the gate of
 * lib/base/visible.h, so that what it is here may differ from what was given.
 */
void fg_intern_init_visible(struct fg_intern *t);

/* An empty table of the same kind is left. */
void fg_intern_release(struct fg_intern *t);

/* The id of `name`, which is copied when it is new. */
uint32_t fg_intern(struct fg_intern *t, struct fg_str name);

/*
 * Frees what only looking up needs, which is as much as the names or more; the next
 * fg_intern makes it anew.
 */
void fg_intern_trim(struct fg_intern *t);

/* The name of `id`, which the table handed out; borrowed from the table. */
static inline struct fg_str fg_intern_name(const struct fg_intern *t, uint32_t id)
{
	return t->names[id];
}

#endif
