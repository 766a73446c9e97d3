/*
 * Which row of a table has an id: any numbers, in practice 1, 2, 3 and so on.
 */
#ifndef FG_COLLAPSE_PPROF_IDS_H
#define FG_COLLAPSE_PPROF_IDS_H

#include "lib/base/map.h"

#define PPROF_NO_ROW UINT32_MAX

/* A zeroed struct is empty. */
struct pprof_ids {
	uint64_t *ids; /* by row */
	size_t count;
	size_t alloc;

	/* made by pprof_ids_index: one of these */
	uint32_t *rows; /* by id, for which it has `room` */
	size_t room;
	struct fg_map sparse; /* the row and 1 */
};

void pprof_ids_release(struct pprof_ids *t);

/* The next row has that id. */
void pprof_ids_add(struct pprof_ids *t, uint64_t id);

/* After the last row: returns how many have an id that one before them has. */
size_t pprof_ids_index(struct pprof_ids *t);

/* The row of that id, the last of several, or PPROF_NO_ROW. */
uint32_t pprof_ids_find(const struct pprof_ids *t, uint64_t id);

#endif
