/*
 * What the elements with an id stand for: frames, stacks, weights and the like, until a
 * later element of the same name and id takes their place.
 */
#ifndef FG_COLLAPSE_FORMATS_XCTRACE_TABLE_H
#define FG_COLLAPSE_FORMATS_XCTRACE_TABLE_H

#include "lib/base/intern.h"

/* Frames, leaf first, that several values may share. */
struct xctrace_chain {
	size_t users;
	size_t count;
	uint32_t frames[];
};

/* A zeroed one is not known. */
struct xctrace_value {
	bool known;
	uint64_t number; /* a weight, or the id of a name */
	struct xctrace_chain *chain; /* of a stack; else NULL */
};

/* `to` becomes `from`; both share its chain. */
void xctrace_value_set(struct xctrace_value *to, struct xctrace_value from);
void xctrace_value_clear(struct xctrace_value *v);

/* Makes a value of a chain that is a copy of `frames`. */
void xctrace_value_set_chain(struct xctrace_value *v, const uint32_t *frames,
			     size_t count);

/* The elements of one name. */
struct xctrace_table {
	struct fg_intern ids;
	struct xctrace_value *values;
	size_t alloc;
};

void xctrace_table_init(struct xctrace_table *t);
void xctrace_table_release(struct xctrace_table *t);

/* The value of an id, not known where it is new; valid until the next call. */
struct xctrace_value *xctrace_table_value(struct xctrace_table *t, struct fg_str id);

#endif
