/* Which row of a table has an id. */
#include "collapse/formats/pprof/ids.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* So many times as many ids as rows are still looked up in an array. */
#define SPARSE 4

void pprof_ids_release(struct pprof_ids *t)
{
	free(t->ids);
	free(t->rows);
	fg_map_release(&t->sparse);
}

void pprof_ids_add(struct pprof_ids *t, uint64_t id)
{
	if (t->count >= PPROF_NO_ROW)
		fg_size_overflow();
	FG_GROW(t->ids, t->alloc, t->count + 1);
	t->ids[t->count++] = id;
}

static void make_rows(struct pprof_ids *t)
{
	uint64_t max = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->ids[i] > max)
			max = t->ids[i];
	if (max / SPARSE > t->count)
		return;
	t->room = (size_t)max + 1;
	t->rows = fg_xcalloc(t->room, sizeof(*t->rows));
	for (size_t i = 0; i < t->room; i++)
		t->rows[i] = PPROF_NO_ROW;
}

size_t pprof_ids_index(struct pprof_ids *t)
{
	size_t twice = 0;

	make_rows(t);
	for (uint32_t row = 0; row < t->count; row++) {
		twice += pprof_ids_find(t, t->ids[row]) != PPROF_NO_ROW;
		if (t->rows)
			t->rows[t->ids[row]] = row;
		else
			fg_map_set(&t->sparse, t->ids[row], (size_t)row + 1);
	}
	return twice;
}

uint32_t pprof_ids_find(const struct pprof_ids *t, uint64_t id)
{
	if (t->rows)
		return id < t->room ? t->rows[id] : PPROF_NO_ROW;
	return (uint32_t)fg_map_get(&t->sparse, id) - 1;
}
