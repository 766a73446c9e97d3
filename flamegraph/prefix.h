/*
 * What functions without a module start with, as those of C do: "jv_" of jv_get and
 * "sqlite3" of sqlite3VdbeExec, where as many functions of a profile have it as make a
 * family.
 */
#ifndef FG_FLAMEGRAPH_PREFIX_H
#define FG_FLAMEGRAPH_PREFIX_H

#include "lib/base/intern.h"

/* As many functions are a family. */
#define FG_PREFIX_FAMILY 3

struct fg_prefixes {
	struct fg_intern names; /* "jv_*" */
	uint32_t *uses; /* by id */
	size_t alloc;
	struct fg_buf text;
};

void fg_prefixes_init(struct fg_prefixes *p);
void fg_prefixes_release(struct fg_prefixes *p);

/* Counts the start of a name, which has no annotation. */
void fg_prefixes_add(struct fg_prefixes *p, struct fg_str name);

/* "jv_*", where the name's start is that of a family; else empty. */
struct fg_str fg_prefixes_of(struct fg_prefixes *p, struct fg_str name);

#endif
