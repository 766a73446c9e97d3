/* What several threads have read of one input, put together. */
#include "collapse/perf_merge.h"

#include <stdlib.h>

#include "collapse/perf.h"
#include "collapse/perf_deferred.h"
#include "collapse/perf_event.h"
#include "collapse/perf_select.h"
#include "lib/xalloc.h"

static void absorb_id_set(struct perf_id_set *set, const struct perf_id_set *from,
			  const uint32_t *ids)
{
	for (size_t id = 0; id < from->alloc; id++)
		if (from->has[id])
			perf_id_set_add(set, ids[id]);
}

/* The first line that is not understood is that of the earlier chunk. */
static void absorb_odd_lines(struct perf_tally *t, const struct perf_tally *from)
{
	if (from->odd_lines && (!t->odd_lines || from->odd_chunk < t->odd_chunk)) {
		t->odd_chunk = from->odd_chunk;
		t->odd_place = from->odd_place;
		fg_buf_clear(&t->odd_text);
		fg_buf_add_str(&t->odd_text, fg_buf_str(&from->odd_text));
	}
	t->odd_lines += from->odd_lines;
}

static void absorb_tally(struct perf_tally *t, const struct perf_tally *from)
{
	t->samples += from->samples;
	t->kept += from->kept;
	t->ignored += from->ignored;
	t->deselected += from->deselected;
	t->dropped += from->dropped;
	t->nameless += from->nameless;
	t->unweighted += from->unweighted;
	t->chains += from->chains;
	t->lost += from->lost;
	absorb_odd_lines(t, from);
}

void perf_absorb(struct perf *p, const struct perf *from)
{
	uint32_t *ids = fg_xcalloc(from->names.count, sizeof(*ids));

	fg_intern_absorb(&p->names, &from->names, ids);
	for (size_t i = 0; i <= PERF_ROOTS_MAX; i++)
		fg_counts_absorb(&p->counts[i], &from->counts[i], ids);
	fg_counts_absorb(&p->orphans, &from->orphans, ids);
	p->orphan_samples += from->orphan_samples;
	perf_events_absorb(p->events, from->events);
	if (p->selection)
		perf_selection_absorb(p->selection, from->selection);
	perf_deferred_absorb(p, from, ids);
	absorb_id_set(&p->skipped_after, &from->skipped_after, ids);
	absorb_id_set(&p->trace_values, &from->trace_values, ids);
	p->votes[0] += from->votes[0];
	p->votes[1] += from->votes[1];
	p->any_header |= from->any_header;
	p->any_blank |= from->any_blank;
	absorb_tally(&p->tally, &from->tally);
	free(ids);
}
