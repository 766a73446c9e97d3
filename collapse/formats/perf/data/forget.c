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
	return dso->loaded &&
	       (dso->kind == FG_PD_DSO_FILE || dso->kind == FG_PD_DSO_JIT);
}

void fg_pd_forget_gone(struct fg_pd_reading *r)
{
	struct fg_pd_dsos *d = &r->dsos;
	size_t left = 0;
	bool *used;

	if (d->loaded < ADDED_MAX || d->loaded < r->forget_at)
		return;
	used = fg_xcalloc(d->count, sizeof(*used));
	fg_pd_tasks_mark(&r->tasks, used);
	for (size_t i = 0; i < d->count; i++) {
		used[i] |= d->list[i].asked;
		d->list[i].asked = false;
	}
	fg_pd_unwinder_forget(r->unwinder, used);
	fg_pd_leaves_forget(r->leaves, used);
	fg_pd_expander_forget_texts(&r->expander);
	for (size_t i = 0; i < d->count; i++) {
		struct fg_pd_dso *dso = &d->list[i];

		if (!used[i] && can_go(dso)) {
			fg_pd_resolver_keep(&r->resolver, (uint32_t)i);
			fg_pd_dso_unload(dso);
		} else if (dso->loaded) {
			left += fg_pd_dso_size(dso);
		}
	}
	free(used);
	d->loaded = left;
	r->forget_at = left + ADDED_MAX + (r->tasks.map_count + d->count) * COST;
}
