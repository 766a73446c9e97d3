/*
 * Finds families of functions by the start of their names: "jv_" of jv_get, "sqlite3"
 * of sqlite3VdbeExec. That is how C marks a module. A start counts only if several
 * functions of the profile share it.
 *
 * Call fg_prefixes_add() for all names, then fg_prefixes_of().
 */
#ifndef FG_FLAMEGRAPH_PREFIX_H
#define FG_FLAMEGRAPH_PREFIX_H

#include "lib/base/intern.h"

/* A family has so many functions or more. */
#define FG_PREFIX_FAMILY 3

struct fg_prefixes {
	struct fg_intern names; /* families: "jv_*" */
	uint32_t *uses; /* functions by id */
	size_t alloc;
	struct fg_buf text;
};

void fg_prefixes_init(struct fg_prefixes *p);
void fg_prefixes_release(struct fg_prefixes *p);

/* Counts the start of a name. The name has no annotation. */
void fg_prefixes_add(struct fg_prefixes *p, struct fg_str name);

/* Returns the family of a name, "jv_*", or an empty string. */
struct fg_str fg_prefixes_of(struct fg_prefixes *p, struct fg_str name);

#endif
