/*
 * Sorts records by time: a stable merge sort of runs, because the records of each
 * processor are in order already.
 */
#include "collapse/formats/perf/data/order.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"

void fg_pd_order_init(struct fg_pd_order *o)
{
	memset(o, 0, sizeof(*o));
}

void fg_pd_order_release(struct fg_pd_order *o)
{
	for (size_t i = 0; i < o->count; i++)
		fg_pd_block_drop(o->waiting[i].block);
	free(o->waiting);
	free(o->other);
	fg_pd_order_init(o);
}

void fg_pd_order_add(struct fg_pd_order *o, const struct fg_pd_record *record,
		     uint64_t time)
{
	struct fg_pd_waiting *w;

	if (o->count == o->alloc) {
		FG_GROW(o->waiting, o->alloc, o->count + 1);
		o->other = fg_xrealloc(o->other, o->alloc, sizeof(*o->other));
	}
	w = &o->waiting[o->count++];
	w->time = time;
	w->header = record->body.ptr - 8;
	w->block = record->block;
	fg_pd_record_keep(record);
	if (time > o->largest)
		o->largest = time;
}

/* Returns the end of the run that starts at `i`. */
static size_t run_end(const struct fg_pd_waiting *w, size_t count, size_t i)
{
	do
		i++;
	while (i < count && w[i - 1].time <= w[i].time);
	return i;
}

/*
 * Merges each pair of runs of `from` into one run of `to`. Returns true if `to` has
 * several runs.
 */
static bool merge_runs(const struct fg_pd_waiting *from, size_t count,
		       struct fg_pd_waiting *to)
{
	size_t n = 0, start = 0, pairs = 0;

	while (start < count) {
		size_t i = start, middle = run_end(from, count, start), j = middle;
		size_t end = middle < count ? run_end(from, count, middle) : middle;

		while (i < middle && j < end)
			to[n++] = from[j].time < from[i].time ? from[j++] : from[i++];
		while (i < middle)
			to[n++] = from[i++];
		while (j < end)
			to[n++] = from[j++];
		start = end;
		pairs++;
	}
	return pairs > 1;
}

static void sort(struct fg_pd_order *o)
{
	bool more = o->count && run_end(o->waiting, o->count, 0) < o->count;

	while (more) {
		struct fg_pd_waiting *merged = o->other;

		more = merge_runs(o->waiting, o->count, merged);
		o->other = o->waiting;
		o->waiting = merged;
	}
}

/* Sorts, then delivers the records up to a time, but at least `least` of them. */
static int deliver_until(struct fg_pd_order *o, uint64_t until, size_t least,
			 const struct fg_pd_delivery *delivery)
{
	size_t n = 0;
	int status = 0;

	sort(o);
	while (n < o->count && !status && (n < least || o->waiting[n].time <= until)) {
		struct fg_pd_waiting *w = &o->waiting[n++];
		struct fg_pd_record record = fg_pd_record_at(w->block, w->header);

		status = delivery->deliver(delivery->data, &record);
		fg_pd_block_drop(w->block);
	}
	if (n)
		memmove(o->waiting, o->waiting + n,
			(o->count - n) * sizeof(*o->waiting));
	o->count -= n;
	return status;
}

int fg_pd_order_round(struct fg_pd_order *o, const struct fg_pd_delivery *delivery)
{
	int status = deliver_until(o, o->limit, 0, delivery);

	o->limit = o->largest;
	return status;
}

int fg_pd_order_half(struct fg_pd_order *o, const struct fg_pd_delivery *delivery)
{
	return deliver_until(o, 0, o->count / 2 + 1, delivery);
}

int fg_pd_order_all(struct fg_pd_order *o, const struct fg_pd_delivery *delivery)
{
	return deliver_until(o, UINT64_MAX, 0, delivery);
}
