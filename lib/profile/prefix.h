/*
 * Finds families of functions by the start of their names: "jv_" for jv_get, "sqlite3"
 * for sqlite3VdbeExec. C programs often begin the names of a module's functions like
 * that. A start makes a family only if several functions of the profile share it.
 *
 * Call fg_prefixes_add() for all names, then fg_prefixes_of().
 */
#ifndef FG_LIB_PROFILE_PREFIX_H
#define FG_LIB_PROFILE_PREFIX_H

#include "lib/base/intern.h"

/* A family has at least this many functions. */
#define FG_PREFIX_FAMILY 3

struct fg_prefixes {
	struct fg_intern names; /* families: "jv_*" */
	uint32_t *uses; /* indexed by id: number of functions */
	size_t alloc;
	struct fg_buf text;
};

void fg_prefixes_init(struct fg_prefixes *p);
void fg_prefixes_release(struct fg_prefixes *p);

/* Counts the start of a name. The name must not have an annotation. */
void fg_prefixes_add(struct fg_prefixes *p, struct fg_str name);

/* Returns the family of a name, "jv_*", or an empty string. */
struct fg_str fg_prefixes_of(struct fg_prefixes *p, struct fg_str name);

#endif
