/*
 * The values of the elements with an id: frames, stacks, weights and so on. A later
 * element of the same name and id replaces the value.
 */
#ifndef FG_COLLAPSE_FORMATS_XCTRACE_TABLE_H
#define FG_COLLAPSE_FORMATS_XCTRACE_TABLE_H

#include "lib/base/intern.h"

/* Frame ids, leaf first. Several values may share a chain, so it counts its users. */
struct xctrace_chain {
	size_t users;
	size_t count;
	uint32_t frames[];
};

/* A zeroed value is unknown. */
struct xctrace_value {
	bool known;
	uint64_t number; /* a weight, or the id of a name */
	struct xctrace_chain *chain; /* NULL unless the value is a stack */
};

/* Copies a value. Both then share its chain. */
void xctrace_value_set(struct xctrace_value *to, struct xctrace_value from);
void xctrace_value_clear(struct xctrace_value *v);

/* Sets the value to a stack, a copy of `frames`. */
void xctrace_value_set_chain(struct xctrace_value *v, const uint32_t *frames,
			     size_t count);

/* The values of all elements of one name, by id. */
struct xctrace_table {
	struct fg_intern ids;
	struct xctrace_value *values;
	size_t alloc;
};

void xctrace_table_init(struct xctrace_table *t);
void xctrace_table_release(struct xctrace_table *t);

/*
 * Returns the value of an id, which is unknown if the id is new. It is valid until the
 * next call.
 */
struct xctrace_value *xctrace_table_value(struct xctrace_table *t, struct fg_str id);

#endif
