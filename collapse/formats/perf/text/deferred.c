/* Holds samples whose user frames come in a later record, and puts the two together. */
#include "collapse/formats/perf/text/deferred.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/formats/perf/text/stack.h"
#include "collapse/formats/perf/text/state.h"
#include "collapse/values.h"
#include "lib/base/xalloc.h"

/* A sample that waits for its user frames. */
struct waiting {
	uint64_t cookie;
	uint64_t weight;
	/* when the wait that the sample counts ended; 0 if it counts no wait */
	uint64_t until;
	struct fg_roots roots;
	uint32_t *ids; /* root first; NULL once the sample has been counted */
	size_t depth;
	/*
	 * index plus 1 of the previous sample with the same cookie; 0 if there is none
	 */
	size_t next_plus_1;
};

/*
 * Limits the callers that samples get. Any number of samples may share callers, so a
 * small file could stand for any number of frames. Each line of a sample or record adds
 * CALLERS_PER_LINE to the limit. (By default a chain has up to 127 frames.)
 */
#define CALLERS_PER_LINE 48
#define CALLERS_MIN 65536

/* The memory of up to this many counted samples and used cookies is not freed yet. */
#define DONE_MAX 1024

static const char callers_lost[] = "samples whose deferred callers exceed the limit";

struct perf_deferred {
	struct fg_intern cookies;
	uint64_t callers_left; /* callers that all samples may still get */
	/*
	 * index plus 1 of each cookie's newest sample, indexed by the id of the cookie
	 */
	size_t *newest_plus_1;
	size_t newest_alloc;
	struct waiting *samples;
	size_t count;
	size_t alloc;
	size_t open; /* samples that still wait */
};

struct perf_deferred *perf_deferred_new(void)
{
	struct perf_deferred *d = fg_xcalloc(1, sizeof(*d));

	fg_intern_init(&d->cookies);
	d->callers_left = CALLERS_MIN;
	return d;
}

void perf_deferred_free(struct perf_deferred *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		free(d->samples[i].ids);
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

/* Returns a copy of the open stack, which the caller frees. */
static uint32_t *copy_stack(const struct perf *p, size_t *depth)
{
	const struct fg_stack *stack = p->stack;
	uint32_t *ids;

	*depth = fg_stack_depth(stack);
	ids = fg_xmalloc(fg_size_mul(*depth, sizeof(*ids)));
	if (*depth)
		memcpy(ids, fg_stack_ids(stack), *depth * sizeof(*ids));
	return ids;
}

void perf_deferred_hold(struct perf *p)
{
	struct perf_deferred *d = p->deferred;
	size_t *link = newest(d, p->sample.cookie);
	struct waiting *w;

	FG_GROW(d->samples, d->alloc, d->count + 1);
	w = &d->samples[d->count];
	w->cookie = p->sample.cookie;
	w->weight = p->sample.weight;
	w->until = p->sample.until;
	w->roots = p->sample.roots;
	w->ids = copy_stack(p, &w->depth);
	w->next_plus_1 = *link;
	*link = ++d->count;
	d->open++;
	d->callers_left += CALLERS_PER_LINE * ((uint64_t)w->depth + 2);
}

/* Counts `w` with the `depth` frames of `ids` as its callers. */
static void count(struct perf *p, struct waiting *w, const uint32_t *ids, size_t depth)
{
	struct fg_stack *stack = p->stack;

	fg_stack_clear(stack);
	perf_push_ids(p, w->ids, w->depth);
	perf_push_ids(p, ids, depth);
	p->tally->kept++;
	if (w->weight && (w->roots.count || fg_stack_depth(stack))) {
		if (w->until)
			fg_sink_add_span(p->sink, w->until - w->weight, w->until);
		fg_sink_count(p->sink, &w->roots, w->weight);
	}
	free(w->ids);
	w->ids = NULL;
	p->deferred->open--;
}

/* Reverses the list of a cookie's samples. Returns its new start. */
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

/* Frees the memory of counted samples and used cookies if they are the larger part. */
static void compact(struct perf_deferred *d)
{
	size_t count = d->count;
	size_t most = count > d->cookies.count ? count : d->cookies.count;

	if (most / 2 < d->open + DONE_MAX)
		return;
	d->count = 0;
	fg_intern_release(&d->cookies);
	for (size_t i = 0; i < count; i++) {
		struct waiting w = d->samples[i];
		size_t *link;

		if (!w.ids)
			continue;
		link = newest(d, w.cookie);
		w.next_plus_1 = *link;
		d->samples[d->count] = w;
		*link = ++d->count;
	}
}

void perf_deferred_complete(struct perf *p)
{
	struct perf_deferred *d = p->deferred;
	size_t *link = newest(d, p->sample.cookie);
	size_t depth;
	uint32_t *ids = copy_stack(p, &depth);

	d->callers_left += CALLERS_PER_LINE * (uint64_t)depth;
	for (size_t i = oldest_first(d, *link); i; i = d->samples[i - 1].next_plus_1) {
		size_t callers = depth <= d->callers_left ? depth : 0;

		d->callers_left -= callers;
		if (callers < depth)
			fg_sink_lose_callers(p->sink, callers_lost, 1);
		count(p, &d->samples[i - 1], ids, callers);
	}
	*link = 0;
	free(ids);
	compact(d);
}

void perf_deferred_flush(struct perf *p)
{
	struct perf_deferred *d = p->deferred;
	const uint32_t no_callers = 0;

	for (size_t i = 0; i < d->count; i++)
		if (d->samples[i].ids)
			count(p, &d->samples[i], &no_callers, 0);
	d->count = 0;
	fg_intern_release(&d->cookies);
}
