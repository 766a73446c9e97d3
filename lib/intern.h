/*
 * Names as dense 32-bit ids: 0, 1, 2, ... in the order of first appearance.
 *
 * Two names are equal exactly where their ids are. The table owns a copy of
 * each name; the copies stay where they are until it is released.
 */
#ifndef FG_LIB_INTERN_H
#define FG_LIB_INTERN_H

#include "lib/arena.h"
#include "lib/buf.h"

struct fg_intern {
	struct fg_arena text;
	struct fg_str *names; /* by id */
	size_t count;
	size_t names_alloc;
	struct fg_intern_slot *slots; /* open addressing; a power of two */
	size_t slots_alloc;
	uint64_t seed; /* of the names' hashes */
};

void fg_intern_init(struct fg_intern *t);
void fg_intern_release(struct fg_intern *t);

/* The id of `name`, which is copied when it is new. */
uint32_t fg_intern(struct fg_intern *t, struct fg_str name);

/*
 * The same for a name that is so long that a copy would count: where it is new, the
 * table takes over its block. `name` is empty afterwards.
 */
uint32_t fg_intern_take(struct fg_intern *t, struct fg_buf *name);

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
