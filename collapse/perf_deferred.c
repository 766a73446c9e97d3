/* Samples whose user frames come in a record of their own, later. */
#include "collapse/perf_deferred.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/perf.h"
#include "collapse/perf_fold.h"
#include "lib/sort.h"
#include "lib/xalloc.h"

/*
 * perf 6.19 and later may unwind the user part of a stack when the thread
 * returns to user space. Where perf script does not merge the two itself, a
 * sample ends in a frame "(cookie)" whose address is a number that a later
 * "DEFERRED CALLCHAIN" record repeats. Where several threads read, both are put off
 * until all that came before them in the input is known.
 */

/* A sample, or the frames that samples of its cookie wait for. */
struct waiting {
	uint64_t cookie;
	uint64_t chunk; /* of one that is put off */
	bool is_record;
	uint64_t period;
	struct perf_memo_value root;
	size_t root_depth;
	uint32_t *ids; /* root first; NULL once it has been added */
	size_t depth;
	size_t next_plus_1; /* the sample before it with the same cookie */
};

struct perf_deferred {
	struct fg_intern cookies;
	size_t *newest_plus_1; /* by id of the cookie */
	size_t newest_alloc;
	struct waiting *samples;
	size_t count;
	size_t alloc;

	bool puts_off;
	uint64_t chunk;
	struct waiting *put_off;
	size_t put_off_count;
	size_t put_off_alloc;
};

struct perf_deferred *perf_deferred_new(void)
{
	struct perf_deferred *d = fg_xcalloc(1, sizeof(*d));

	fg_intern_init(&d->cookies);
	return d;
}

void perf_deferred_free(struct perf_deferred *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		free(d->samples[i].ids);
	for (size_t i = 0; i < d->put_off_count; i++)
		free(d->put_off[i].ids);
	free(d->put_off);
	fg_intern_release(&d->cookies);
	free(d->newest_plus_1);
	free(d->samples);
	free(d);
}

static size_t *newest(struct perf_deferred *d, uint64_t cookie)
{
	struct fg_str key = fg_str_of((const char *)&cookie, sizeof(cookie));
	size_t known = d->cookies.count;
	uint32_t id = fg_intern(&d->cookies, key);

	FG_GROW(d->newest_plus_1, d->newest_alloc, d->cookies.count);
	if (id == known)
		d->newest_plus_1[id] = 0;
	return &d->newest_plus_1[id];
}

/* The open sample or record; its ids are a copy. */
static struct waiting waiting_of(const struct perf *p)
{
	size_t depth = fg_stack_depth(&p->stack);
	struct waiting w = {
		.cookie = p->sample.cookie,
		.chunk = p->deferred->chunk,
		.is_record = p->sample.is_deferred,
		.period = p->sample.period,
		.root = p->sample.root,
		.root_depth = p->sample.root_depth,
		.depth = depth,
		.ids = fg_xmalloc(fg_size_mul(depth, sizeof(*w.ids))),
	};

	if (depth)
		memcpy(w.ids, fg_stack_ids(&p->stack), depth * sizeof(*w.ids));
	return w;
}

static void hold(struct perf_deferred *d, struct waiting w)
{
	size_t *link = newest(d, w.cookie);

	w.next_plus_1 = *link;
	FG_GROW(d->samples, d->alloc, d->count + 1);
	d->samples[d->count] = w;
	*link = ++d->count;
}

static void put_off(struct perf_deferred *d, struct waiting w)
{
	FG_GROW(d->put_off, d->put_off_alloc, d->put_off_count + 1);
	d->put_off[d->put_off_count++] = w;
}

void perf_deferred_hold(struct perf *p)
{
	if (p->deferred->puts_off)
		put_off(p->deferred, waiting_of(p));
	else
		hold(p->deferred, waiting_of(p));
}

/* Counts `w` with the `depth` frames of `ids` as its callers. */
static void add(struct perf *p, struct waiting *w, const uint32_t *ids, size_t depth)
{
	fg_stack_clear(&p->stack);
	for (size_t i = w->depth; i-- > 0;)
		fg_stack_add_root(&p->stack, w->ids[i]);
	for (size_t i = depth; ids && i-- > 0;)
		fg_stack_add_root(&p->stack, ids[i]);
	if (w->root_depth)
		perf_push(p, w->root);
	p->tally.kept++;
	if (w->period && fg_stack_depth(&p->stack))
		perf_fold_add(p, w->root_depth, w->period);
	free(w->ids);
	w->ids = NULL;
}

/* Turns a list round; returns its new start. */
static size_t oldest_first(struct perf_deferred *d, size_t newest_plus_1)
{
	size_t turned = 0;

	while (newest_plus_1) {
		size_t next = d->samples[newest_plus_1 - 1].next_plus_1;

		d->samples[newest_plus_1 - 1].next_plus_1 = turned;
		turned = newest_plus_1;
		newest_plus_1 = next;
	}
	return turned;
}

/* Completes the samples that wait for the frames of `record`, which it frees. */
static void complete(struct perf *p, struct waiting record)
{
	struct perf_deferred *d = p->deferred;
	size_t *link = newest(d, record.cookie);

	for (size_t i = oldest_first(d, *link); i; i = d->samples[i - 1].next_plus_1)
		add(p, &d->samples[i - 1], record.ids, record.depth);
	*link = 0;
	free(record.ids);
}

void perf_deferred_complete(struct perf *p)
{
	if (p->deferred->puts_off)
		put_off(p->deferred, waiting_of(p));
	else
		complete(p, waiting_of(p));
}

bool perf_deferred_any(const struct perf_deferred *d)
{
	return d->cookies.count || d->put_off_count;
}

void perf_deferred_put_off(struct perf_deferred *d, uint64_t chunk)
{
	d->puts_off = true;
	d->chunk = chunk;
}

void perf_deferred_absorb(struct perf *p, const struct perf *from, const uint32_t *ids)
{
	const struct perf_deferred *d = from->deferred;

	for (size_t i = 0; i < d->put_off_count; i++) {
		struct waiting w = d->put_off[i];
		const uint32_t *old = w.ids;

		w.ids = fg_xmalloc(fg_size_mul(w.depth, sizeof(*w.ids)));
		for (size_t k = 0; k < w.depth; k++)
			w.ids[k] = ids[old[k]];
		if (w.root_depth)
			w.root = perf_value_from(p, from, w.root, ids);
		put_off(p->deferred, w);
	}
}

static int compare_chunks(const void *context, uint32_t a, uint32_t b)
{
	const struct waiting *w = context;

	return (w[a].chunk > w[b].chunk) - (w[a].chunk < w[b].chunk);
}

/* Those of one chunk are in order already, and the sort is stable. */
void perf_deferred_take_place(struct perf *p)
{
	struct perf_deferred *d = p->deferred;
	size_t count = d->put_off_count;
	uint32_t *order = fg_xcalloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	fg_sort(order, count, compare_chunks, d->put_off);
	for (size_t i = 0; i < count; i++) {
		struct waiting w = d->put_off[order[i]];

		if (w.is_record)
			complete(p, w);
		else
			hold(d, w);
	}
	free(order);
	d->put_off_count = 0;
	d->puts_off = false;
}

void perf_deferred_flush(struct perf *p)
{
	struct perf_deferred *d = p->deferred;

	for (size_t i = 0; i < d->count; i++)
		if (d->samples[i].ids)
			add(p, &d->samples[i], NULL, 0);
}
