/* Counts stacks in slices of time, and writes the lines of each slice. */
#include "collapse/slices.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "lib/profile/slice.h"

/*
 * Times after this, 292 years, are ignored, so that the sum of two times never
 * overflows.
 */
#define TIME_MAX ((uint64_t)INT64_MAX)

/* A sample is at most a minute late, because perf empties its buffers all the time. */
#define LATE_MAX ((uint64_t)60 * 1000 * 1000 * 1000)

/*
 * All intervals together may be cut this many times: enough for a hundred threads for
 * an hour. Each part is in memory until its slice is written.
 */
#define CUTS_MAX ((uint64_t)4000000)

/*
 * When slices are written, each interval that they counted makes this many cuts
 * available again.
 */
#define CUTS_EACH 1024

/*
 * Three years in nanoseconds. Slices that are written as they end are all formatted as
 * if the profile were that long.
 */
#define ENDLESS (UINT64_C(100000000) * 1000000000 - 1)

/* The slice of a sample that came before the first sample with a time. */
#define NOT_KNOWN UINT64_MAX

/*
 * The index plus 1 of each entry's newest item, in an array indexed by entry. Samples
 * mostly come in order of time, so the next sample of a stack often adds to the same
 * item.
 */
struct newest {
	size_t *item_plus_1;
	size_t alloc;
};

struct fg_slices {
	uint64_t width;
	bool endless; /* slices are written as they end */
	bool any_time; /* a sample has a time */
	bool written; /* some slices are written, so that `first` is final */

	/* Slices are numbered. Slice 0 contains time 0. */
	uint64_t border; /* a time, less than `width`, at which a slice starts */
	uint64_t first, last; /* the first and the last slice that have samples */
	uint64_t start; /* the slice of the first sample with a time */
	/* the last slice when slices were last written; `start` before that */
	uint64_t open;
	uint64_t newest_slice; /* the slice of the previous sample */

	uint64_t timeless; /* the number of samples without a time */
	uint64_t cuts; /* the number of cuts that count against CUTS_MAX */
	uint64_t uncut; /* the number of intervals that could not be cut */
	uint64_t intervals; /* the number of intervals since slices were last written */

	/* the clock showed clock_time at clock_start */
	bool has_clock;
	uint64_t clock_time, clock_start;

	struct fg_timeline *items; /* the slot of an item is its slice */
	struct newest newest[FG_ROOTS_MAX + 1];
};

struct fg_slices *fg_slices_new(uint64_t width, bool endless, struct fg_timeline *items)
{
	struct fg_slices *s = fg_xcalloc(1, sizeof(*s));

	s->endless = endless;
	s->items = items;
	s->width = width;
	s->newest_slice = NOT_KNOWN;
	return s;
}

static void release_newest(struct fg_slices *s)
{
	for (size_t i = 0; i <= FG_ROOTS_MAX; i++) {
		free(s->newest[i].item_plus_1);
		s->newest[i] = (struct newest){ NULL, 0 };
	}
}

void fg_slices_free(struct fg_slices *s)
{
	if (!s)
		return;
	release_newest(s);
	free(s);
}

/*
 * Returns the number of the slice that contains `time`. Slice 0 ends at the border,
 * unless the border is 0.
 */
static uint64_t slice_at(const struct fg_slices *s, uint64_t time)
{
	if (time < s->border)
		return 0;
	return (time - s->border) / s->width + (s->border > 0);
}

void fg_slices_see(struct fg_slices *s, uint64_t time)
{
	uint64_t slice;

	if (time > TIME_MAX)
		return;
	if (!s->any_time)
		s->border = time % s->width;
	slice = slice_at(s, time);
	if (!s->any_time)
		s->first = s->last = s->start = s->open = slice;
	if (slice < s->first && !s->written)
		s->first = slice;
	if (slice > s->last)
		s->last = slice;
	s->any_time = true;
}

bool fg_slices_ended(struct fg_slices *s, uint64_t time)
{
	uint64_t slice = time <= TIME_MAX ? slice_at(s, time) : s->open;

	/*
	 * This is too early for a late sample: an earlier time was wrong, or times
	 * start again.
	 */
	if (slice < s->open && s->open - slice > LATE_MAX / s->width + 1)
		s->open = s->last = slice;
	return s->last > s->open;
}

uint64_t fg_slices_start(const struct fg_slices *s, uint64_t time)
{
	return time < s->border ? 0 : time - (time - s->border) % s->width;
}

uint64_t fg_slices_end(const struct fg_slices *s, uint64_t time)
{
	uint64_t start = fg_slices_start(s, time);

	if (time < s->border)
		return s->border;
	return start > UINT64_MAX - s->width ? UINT64_MAX : start + s->width;
}

bool fg_slices_cut(struct fg_slices *s, uint64_t from, uint64_t to)
{
	uint64_t cuts = from < to ? (to - 1 - from) / s->width : 0;

	s->intervals++;
	if (to <= TIME_MAX && cuts <= CUTS_MAX - s->cuts) {
		s->cuts += cuts;
		return true;
	}
	s->uncut++;
	return false;
}

uint64_t fg_slices_uncut(const struct fg_slices *s)
{
	return s->uncut;
}

void fg_slices_set_clock(struct fg_slices *s, uint64_t time, uint64_t start)
{
	if (s->has_clock)
		return;
	s->has_clock = true;
	s->clock_time = time;
	s->clock_start = start;
}

void fg_slices_add(struct fg_slices *s, struct fg_timeline_item item,
		   const struct fg_roots *roots)
{
	struct newest *n = &s->newest[item.root_depth];
	size_t had = n->alloc;

	if (roots->has_time && roots->time <= TIME_MAX)
		s->newest_slice = slice_at(s, roots->time);
	else
		s->timeless++;
	FG_GROW(n->item_plus_1, n->alloc, (size_t)item.entry + 1);
	for (size_t i = had; i < n->alloc; i++)
		n->item_plus_1[i] = 0;
	item.slot = s->newest_slice;
	fg_timeline_add(s->items, &n->item_plus_1[item.entry], &item);
}

uint64_t fg_slices_timeless(const struct fg_slices *s)
{
	return s->timeless;
}

bool fg_slices_any_time(const struct fg_slices *s)
{
	return s->any_time;
}

/* ---- output */

/*
 * Sets *start to the start of the first slice, in ns since 1970. Returns false if it is
 * unknown.
 */
static bool find_start(const struct fg_slices *s, uint64_t *start)
{
	uint64_t at = s->first * s->width + s->border - (s->border ? s->width : 0);
	uint64_t before; /* from `at` to the clock's reading; wraps if `at` is later */

	before = s->clock_time - at;
	if (!s->has_clock || (before <= INT64_MAX && before > s->clock_start))
		return false;
	*start = s->clock_start - before;
	return true;
}

void fg_slices_add_header(const struct fg_slices *s, struct fg_buf *b)
{
	struct fg_slice_header header = { .width = s->width };

	header.has_start = find_start(s, &header.start);
	fg_slice_add_header(b, &header);
}

/*
 * Returns an array, indexed by entry, with the position of each stack's line in sorted
 * output. The caller frees it.
 */
static uint32_t *rank(const struct fg_timeline_output *l)
{
	struct fg_counts_order *order =
		fg_counts_order_open(l->counts, l->names, l->format->style);
	uint32_t *ranks = fg_xcalloc(l->counts->count, sizeof(*ranks));
	const struct fg_counts_entry *entry;
	uint32_t next = 0;

	while ((entry = fg_counts_order_next(order)))
		ranks[entry - l->counts->entries] = next++;
	fg_counts_order_close(order);
	return ranks;
}

struct sorting {
	const struct fg_timeline_item *items;
	const uint32_t *ranks;
};

static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	const struct sorting *s = context;
	const struct fg_timeline_item *one = &s->items[a], *other = &s->items[b];
	uint32_t rank_a, rank_b;

	if (one->slot != other->slot)
		return one->slot < other->slot ? -1 : 1;
	rank_a = s->ranks[one->entry];
	rank_b = s->ranks[other->entry];
	if (rank_a != rank_b)
		return rank_a < rank_b ? -1 : 1;
	return one->minus - other->minus;
}

/* Removes the items of stacks that are left out. Items without a slice get one. */
static void settle(const struct fg_slices *s)
{
	struct fg_timeline *l = s->items;
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct fg_timeline_item item = l->items[i];

		if (item.slot == NOT_KNOWN)
			item.slot = s->start;
		if (item.slot < s->first)
			item.slot = s->first;
		if (item.entry != FG_TIMELINE_GONE)
			l->items[kept++] = item;
	}
	l->count = kept;
}

/* Returns the indices of the items in the order of their lines. */
static uint32_t *order_items(const struct fg_slices *s,
			     const struct fg_timeline_output *l)
{
	struct sorting sorting = { s->items->items, rank(l) };
	uint32_t *order = fg_timeline_indices(s->items);

	fg_sort(order, s->items->count, compare_items, &sorting);
	free((void *)sorting.ranks);
	return order;
}

/*
 * The counts of a stack in all slices so far, and the sum of the whole numbers that
 * were written for them. So a later line gets the fraction that an earlier one dropped.
 */
struct written {
	struct fg_sum sum, whole;
};

/* Returns the whole number to write for `weight`. */
static struct fg_sum whole_part(struct written *w, struct fg_sum weight,
				unsigned decimals)
{
	struct fg_sum part;

	fg_sum_add_sum(&w->sum, weight);
	part = fg_sum_less(fg_counts_round(w->sum, decimals), w->whole);
	fg_sum_add_sum(&w->whole, part);
	return part;
}

/* Rounds the counts of the lines, and removes the lines whose count is then 0. */
static void round_steps(struct fg_counts_steps *steps, unsigned decimals,
			struct written *written)
{
	size_t kept = 0;

	for (size_t i = 0; i < steps->count; i++) {
		struct fg_counts_step step = steps->items[i];

		step.sum = whole_part(&written[step.entry], step.sum, decimals);
		if (!fg_sum_is_zero(step.sum))
			steps->items[kept++] = step;
	}
	steps->count = kept;
}

/*
 * Subtracts *owed, which the stack of the item owes, from the item, but at most the
 * item's weight. If the item itself is to be subtracted, adds its weight to *owed
 * instead.
 */
static void pay(struct fg_timeline_item *item, struct fg_sum *owed)
{
	struct fg_sum rest = fg_sum_less(*owed, item->weight);

	if (item->minus) {
		fg_sum_add_sum(owed, item->weight);
		item->weight = (struct fg_sum){ 0, 0 };
		return;
	}
	item->weight = fg_sum_less(item->weight, *owed);
	*owed = rest;
}

/*
 * Subtracts the items with a negative weight from items of the same stack: first in the
 * slices before, the latest first, and then in the slices after. So the slices add up
 * to the profile. Removes the items whose weight is then 0. Returns the number of items
 * left.
 */
static size_t balance(const struct fg_slices *s, const struct fg_timeline_output *l,
		      uint32_t *order)
{
	struct fg_timeline_item *items = s->items->items;
	size_t count = s->items->count, kept = 0;
	/* the amount that each stack still owes, indexed by entry */
	struct fg_sum *owed;

	if (!l->counts->minus)
		return count;
	owed = fg_xcalloc(l->counts->count, sizeof(*owed));
	for (size_t i = count; i-- > 0;)
		pay(&items[order[i]], &owed[items[order[i]].entry]);
	for (size_t i = 0; i < count; i++) {
		struct fg_timeline_item *item = &items[order[i]];

		if (!item->minus)
			pay(item, &owed[item->entry]);
		if (!fg_sum_is_zero(item->weight))
			order[kept++] = order[i];
	}
	for (size_t i = 0; i < l->counts->count; i++) {
		l->shrunk->stacks += !fg_sum_is_zero(owed[i]);
		fg_sum_add_sum(&l->shrunk->weight, owed[i]);
	}
	free(owed);
	return kept;
}

/*
 * Sets *steps to the lines of one slice, whose items start at order[0]. Returns how
 * many items it has.
 */
static size_t gather(const struct fg_slices *s, const uint32_t *order, size_t count,
		     struct fg_counts_steps *steps)
{
	const struct fg_timeline_item *items = s->items->items;
	uint64_t slice = items[order[0]].slot;
	size_t taken = 0;

	steps->count = 0;
	for (; taken < count && items[order[taken]].slot == slice; taken++) {
		const struct fg_timeline_item *item = &items[order[taken]];
		struct fg_counts_step *step = &steps->items[steps->count];

		if (steps->count && step[-1].entry == item->entry) {
			fg_sum_add_sum(&step[-1].sum, item->weight);
			continue;
		}
		*step = (struct fg_counts_step){ item->entry, item->weight };
		steps->count++;
	}
	return taken;
}

/*
 * Allocates the sums for rounding, one for each entry. Returns NULL if nothing is
 * rounded.
 */
static struct written *new_written(const struct fg_timeline_output *l)
{
	if (!l->format->whole || !l->format->decimals)
		return NULL;
	return fg_xcalloc(l->counts->count, sizeof(struct written));
}

/* Removes all items after they are written. */
static void forget(struct fg_slices *s)
{
	uint64_t freed = s->intervals <= CUTS_MAX / CUTS_EACH ?
				 s->intervals * CUTS_EACH :
				 CUTS_MAX;

	s->cuts -= freed < s->cuts ? freed : s->cuts;
	s->intervals = 0;
	fg_timeline_release(s->items);
	release_newest(s);
	s->written = true;
	s->open = s->last;
}

size_t fg_slices_write(struct fg_slices *s, const struct fg_timeline_output *l,
		       struct fg_out *out)
{
	uint64_t last = s->last > s->first ? (s->last - s->first) * s->width : 0;
	uint64_t longest = s->endless ? ENDLESS : 0;
	struct fg_slice_shape shape =
		fg_slice_shape(s->width, last > longest ? last : longest);
	struct written *written = new_written(l);
	struct fg_counts_format format = *l->format;
	struct fg_counts_steps steps = { .counts = l->counts };
	struct fg_buf frame = FG_BUF_INIT;
	uint32_t *order;
	size_t count, lines = 0;

	settle(s);
	order = order_items(s, l);
	count = balance(s, l, order);
	steps.items = fg_xcalloc(count, sizeof(*steps.items));
	for (size_t at = 0; at < count;) {
		uint64_t slice = s->items->items[order[at]].slot;

		at += gather(s, order + at, count - at, &steps);
		if (written) {
			round_steps(&steps, l->format->decimals, written);
			format.decimals = 0;
		}
		fg_buf_clear(&frame);
		fg_slice_add_frame(&frame, shape, (slice - s->first) * s->width);
		steps.first_frame = fg_buf_str(&frame);
		lines += fg_counts_write_steps(&steps, l->names, &format, out);
	}
	fg_buf_release(&frame);
	free(steps.items);
	free(order);
	free(written);
	forget(s);
	return lines;
}
