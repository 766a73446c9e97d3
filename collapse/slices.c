/* --slice: which stack came in which slice of time, and the lines of each. */
#include "collapse/slices.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "lib/profile/slice.h"

/* A later time, beyond 292 years, counts as none, so that no sum of two overflows. */
#define TIME_MAX ((uint64_t)INT64_MAX)

/* No sample comes so late, in nanoseconds: perf empties its buffers all the time. */
#define LATE_MAX ((uint64_t)60 * 1000 * 1000 * 1000)

/* So many parts of intervals are kept: the time of a hundred threads for an hour. */
#define CUTS_MAX ((uint64_t)4000000)

/* Of each interval so many need no room any more when slices are written. */
#define CUTS_EACH 1024

/* All slices of three years have the same form, as it does not end with them. */
#define ENDLESS (UINT64_C(100000000) * 1000000000 - 1)

/* The slice of what came before the first sample that has a time. */
#define NOT_KNOWN UINT64_MAX

/* By entry: its newest item and 1, as samples mostly come in the order of time. */
struct newest {
	size_t *item_plus_1;
	size_t alloc;
};

struct fg_slices {
	uint64_t width;
	bool endless; /* the last one is never known */
	uint64_t border; /* where a slice starts, less than the width */
	bool any_time;
	bool written; /* some slices are: the first stays what it is */
	uint64_t first; /* slice that has a sample, by its number from time 0 */
	uint64_t last;
	uint64_t start; /* that of the first sample with a time */
	uint64_t open; /* the last when slices were written; at first, the start */
	uint64_t newest_slice; /* of the sample before */
	uint64_t timeless;
	uint64_t cuts, uncut;
	uint64_t intervals; /* since slices were written */
	bool has_clock;
	uint64_t clock_time, clock_start;

	struct fg_placed_list *items; /* the place is the slice */
	struct newest newest[FG_ROOTS_MAX + 1];
};

struct fg_slices *fg_slices_new(uint64_t width, bool endless,
				struct fg_placed_list *items)
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

/* What is before the border is slice 0, unless that is at 0. */
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

	/* It is not late, but an earlier time was wrong, or times start again. */
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

void fg_slices_add(struct fg_slices *s, struct fg_placed item,
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
	item.place = s->newest_slice;
	fg_placed_add(s->items, &n->item_plus_1[item.entry], &item);
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

/* When the first slice starts, in ns since 1970: false where that is not known. */
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

/* The place of each stack's line in the sorted output, by entry. */
static uint32_t *rank(const struct fg_placed_lines *l)
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
	const struct fg_placed *items;
	const uint32_t *ranks;
};

static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	const struct sorting *s = context;
	const struct fg_placed *one = &s->items[a], *other = &s->items[b];
	uint32_t rank_a, rank_b;

	if (one->place != other->place)
		return one->place < other->place ? -1 : 1;
	rank_a = s->ranks[one->entry];
	rank_b = s->ranks[other->entry];
	if (rank_a != rank_b)
		return rank_a < rank_b ? -1 : 1;
	return one->minus - other->minus;
}

/* Removes items of stacks that are left out; those without a slice get one. */
static void settle(const struct fg_slices *s)
{
	struct fg_placed_list *l = s->items;
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct fg_placed item = l->items[i];

		if (item.place == NOT_KNOWN)
			item.place = s->start;
		if (item.place < s->first)
			item.place = s->first;
		if (item.entry != FG_PLACED_GONE)
			l->items[kept++] = item;
	}
	l->count = kept;
}

/* The items in the order of their lines. */
static uint32_t *order_items(const struct fg_slices *s, const struct fg_placed_lines *l)
{
	struct sorting sorting = { s->items->items, rank(l) };
	uint32_t *order = fg_placed_numbers(s->items);

	fg_sort(order, s->items->count, compare_items, &sorting);
	free((void *)sorting.ranks);
	return order;
}

/*
 * The counts of a stack in all slices so far, and the sum of the whole numbers that
 * were written for them: a fraction that one line drops goes to a later line.
 */
struct written {
	struct fg_sum sum, whole;
};

/* The whole number to write for `weight`. */
static struct fg_sum whole_part(struct written *w, struct fg_sum weight,
				unsigned decimals)
{
	struct fg_sum part;

	fg_sum_add_sum(&w->sum, weight);
	part = fg_sum_less(fg_counts_round(w->sum, decimals), w->whole);
	fg_sum_add_sum(&w->whole, part);
	return part;
}

/* Makes the counts whole numbers, and removes the lines whose count is 0 then. */
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

/* Lets an item pay what its stack owes, or owe what is less than 0. */
static void pay(struct fg_placed *item, struct fg_sum *owed)
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
 * Takes what is less than 0 off what its stack counts in the slices before, the latest
 * first, and else in those behind, so that slices add up to the profile. Removes the
 * items of which nothing is left, and returns how many stay.
 */
static size_t balance(const struct fg_slices *s, const struct fg_placed_lines *l,
		      uint32_t *order)
{
	struct fg_placed *items = s->items->items;
	size_t count = s->items->count, kept = 0;
	struct fg_sum *owed; /* by stack */

	if (!l->counts->minus)
		return count;
	owed = fg_xcalloc(l->counts->count, sizeof(*owed));
	for (size_t i = count; i-- > 0;)
		pay(&items[order[i]], &owed[items[order[i]].entry]);
	for (size_t i = 0; i < count; i++) {
		struct fg_placed *item = &items[order[i]];

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

/* The lines of one slice, whose items start at order[0]: how many items it has. */
static size_t gather(const struct fg_slices *s, const uint32_t *order, size_t count,
		     struct fg_counts_steps *steps)
{
	const struct fg_placed *items = s->items->items;
	uint64_t slice = items[order[0]].place;
	size_t taken = 0;

	steps->count = 0;
	for (; taken < count && items[order[taken]].place == slice; taken++) {
		const struct fg_placed *item = &items[order[taken]];
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

/* Room for what rounding carries over, or NULL where nothing is rounded. */
static struct written *new_written(const struct fg_placed_lines *l)
{
	if (!l->format->whole || !l->format->decimals)
		return NULL;
	return fg_xcalloc(l->counts->count, sizeof(struct written));
}

/* What is counted is written. */
static void forget(struct fg_slices *s)
{
	uint64_t room = s->intervals <= CUTS_MAX / CUTS_EACH ?
				s->intervals * CUTS_EACH :
				CUTS_MAX;

	s->cuts -= room < s->cuts ? room : s->cuts;
	s->intervals = 0;
	fg_placed_release(s->items);
	release_newest(s);
	s->written = true;
	s->open = s->last;
}

size_t fg_slices_write(struct fg_slices *s, const struct fg_placed_lines *l,
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
		uint64_t slice = s->items->items[order[at]].place;

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
