/*
 * Closing the binaries of processes that have ended: a machine that is watched for
 * days keeps starting programs that are new. Others start again and again, so that
 * only those are closed that nobody has asked for since the last time.
 */
#include "collapse/formats/perf/data/reading.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

/* What may be added to binaries that run before those that do not are looked for. */
#define ADDED_MAX ((size_t)64 << 20)

/* To look at a mapping or a DSO costs about as much as to read so many bytes of one. */
#define COST 16

static bool can_go(const struct fg_pd_dso *dso)
{
	return dso->kind == FG_PD_DSO_FILE || dso->kind == FG_PD_DSO_JIT;
}

static void forget(struct fg_pd_reading *r, uint32_t index)
{
	fg_pd_unwinder_forget(r->unwinder, index);
	fg_pd_leaves_forget(r->leaves, index);
	fg_pd_resolver_keep(&r->resolver, index);
	fg_pd_dso_unload(&r->dsos.list[index]);
}

void fg_pd_forget_gone(struct fg_pd_reading *r)
{
	struct fg_pd_dsos *d = &r->dsos;
	size_t left = 0, kept = 0;
	bool *used;

	if (d->size < ADDED_MAX || d->size < r->forget_at)
		return;
	used = fg_xcalloc(d->count, sizeof(*used));
	fg_pd_tasks_mark(&r->tasks, used);
	fg_pd_expander_forget_texts(&r->expander);
	for (size_t i = 0; i < d->loaded_count; i++) {
		uint32_t index = d->loaded[i];
		struct fg_pd_dso *dso = &d->list[index];

		if (used[index] || dso->asked || !can_go(dso)) {
			d->loaded[kept++] = index;
			left += fg_pd_dso_size(dso);
		} else {
			forget(r, index);
		}
		dso->asked = false;
	}
	free(used);
	d->loaded_count = kept;
	d->size = left;
	r->forget_at = left + ADDED_MAX + (r->tasks.map_count + kept) * COST;
}
