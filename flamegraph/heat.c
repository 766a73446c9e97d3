/* Collects the counts of stacks by slice of time, and makes the slices of a picture. */
#include "flamegraph/heat.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

#define NONE UINT32_MAX

void fg_heat_release(struct fg_heat *h)
{
	free(h->recordings);
	free(h->runs);
	free(h->nodes);
	free(h->counts);
	*h = (struct fg_heat){ .count = 0 };
}

/* ---- reading */

static bool is_same(const struct fg_slice_header *a, const struct fg_slice_header *b)
{
	return a->width == b->width && a->has_start == b->has_start &&
	       (!a->has_start || a->start == b->start);
}

/* Starts a new run of stacks, unless the last run has the same recording and time. */
static void turn(struct fg_heat *h, const struct fg_slice_header *header, uint64_t time)
{
	bool any = h->run_count > 0;

	if (!any || !is_same(&h->recordings[h->recording_count - 1], header)) {
		FG_GROW(h->recordings, h->recording_alloc, h->recording_count + 1);
		h->recordings[h->recording_count++] = *header;
	} else if (h->runs[h->run_count - 1].time == time) {
		return;
	}
	FG_GROW(h->runs, h->run_alloc, h->run_count + 1);
	h->runs[h->run_count++] =
		(struct fg_heat_run){ time, (uint32_t)(h->recording_count - 1),
				      h->count };
	h->failed |= h->run_count >= NONE;
}

/* Rescales the counts to `decimals`, which the tree now has. */
static void set_decimals(struct fg_heat *h, unsigned decimals)
{
	h->failed |= decimals < h->decimals;
	for (size_t i = 0; i < h->count && !h->failed; i++) {
		struct fg_count count = { h->counts[i], h->decimals };

		h->failed |= fg_count_scale(count, decimals, &h->counts[i]) != 0;
	}
	h->decimals = decimals;
}

void fg_heat_add(struct fg_heat *h, const struct fg_slice_header *header, uint64_t time,
		 struct fg_tree *tree, const struct fg_folded *line)
{
	struct fg_str stack = line->stack;
	uint64_t count;

	h->failed |= line->columns != 1;
	if (h->failed)
		return;
	while (fg_str_cut_end(&stack, FG_STR(";")))
		;
	if (tree->decimals != h->decimals)
		set_decimals(h, tree->decimals);
	h->failed |= fg_count_scale(line->count[0], h->decimals, &count) != 0;
	if (h->failed || !count)
		return;
	turn(h, header, time);
	FG_GROW(h->nodes, h->node_alloc, h->count + 1);
	FG_GROW(h->counts, h->count_alloc, h->count + 1);
	h->nodes[h->count] = fg_tree_leaf(tree, stack);
	h->counts[h->count++] = count;
}

/* ---- making the slices of a picture */

bool fg_heat_has_slices(struct fg_heat *h, const struct fg_tree *tree)
{
	/* later counts outside of slices may have given the tree more decimals */
	if (h->decimals != tree->decimals)
		set_decimals(h, tree->decimals);
	return h->count && !h->failed && !tree->before;
}

uint64_t fg_heat_width(const struct fg_heat *h)
{
	uint64_t width = 0;

	for (size_t i = 0; i < h->recording_count; i++)
		if (h->recordings[i].width > width)
			width = h->recordings[i].width;
	return width;
}

static size_t end_of(const struct fg_heat *h, uint32_t run)
{
	return run + 1 < h->run_count ? h->runs[run + 1].first : h->count;
}

/*
 * Returns a header for the slices of all recordings. It has the earliest start if all
 * recordings have one.
 */
static struct fg_slice_header find_start(const struct fg_heat *h, uint64_t width)
{
	struct fg_slice_header all = { .width = width, .has_start = true };

	for (size_t i = 0; i < h->recording_count; i++) {
		const struct fg_slice_header *one = &h->recordings[i];

		all.has_start &= one->has_start;
		if (!i || one->start < all.start)
			all.start = one->start;
	}
	if (!all.has_start)
		all.start = 0;
	return all;
}

/*
 * Returns the number of the slice of each run. Times that would overflow are in the
 * last slice. The caller frees the array.
 */
static uint64_t *make_slices(const struct fg_heat *h, const struct fg_slice_header *all)
{
	uint64_t *slices = fg_xcalloc(h->run_count, sizeof(*slices));

	for (size_t i = 0; i < h->run_count; i++) {
		const struct fg_heat_run *run = &h->runs[i];
		const struct fg_slice_header *one = &h->recordings[run->recording];
		uint64_t late = all->has_start ? one->start - all->start : 0;
		uint64_t time = run->time;

		time = time > UINT64_MAX - late ? UINT64_MAX : time + late;
		slices[i] = time / all->width;
	}
	return slices;
}

static int compare_numbers(const void *context, uint32_t a, uint32_t b)
{
	const uint64_t *numbers = context;

	return numbers[a] < numbers[b] ? -1 : numbers[a] > numbers[b];
}

/* Compares two stacks so that the one with more counts in the input comes first. */
static int compare_uses(const void *context, uint32_t a, uint32_t b)
{
	return compare_numbers(context, b, a);
}

static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	(void)context;
	return a < b ? -1 : a > b;
}

static uint32_t *make_order(size_t count)
{
	uint32_t *order = fg_xcalloc(count, sizeof(*order));

	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	return order;
}

/*
 * Numbers the stacks that have counts in slices, and stores their order in `d`.
 * Frequent stacks get low numbers, which are short and close to each other. `frames`
 * has numbers below `count`. Returns the number of each frame's stack; the caller frees
 * the array.
 */
static uint32_t *number_stacks(const struct fg_heat *h, const uint32_t *frames,
			       size_t count, struct fg_slicedata *d)
{
	uint64_t *uses = fg_xcalloc(count, sizeof(*uses));
	uint32_t *numbers = fg_xcalloc(count, sizeof(*numbers));
	uint32_t *order = make_order(count);

	for (size_t i = 0; i < h->count; i++)
		uses[frames[h->nodes[i]]]++;
	fg_sort(order, count, compare_uses, uses);
	d->stacks = order;
	while (d->stack_count < count && uses[order[d->stack_count]]) {
		numbers[order[d->stack_count]] = (uint32_t)d->stack_count;
		d->stack_count++;
	}
	free(uses);
	return numbers;
}

/* The counts of one slice by stack. */
struct slice {
	/* indexed by number of the stack; 0 for stacks that are not in `items` */
	uint64_t *counts;
	uint32_t *items;
	size_t count;
};

static void add_item(struct slice *s, uint32_t number, uint64_t count)
{
	if (!s->counts[number])
		s->items[s->count++] = number;
	s->counts[number] += count;
}

static void end_slice(struct fg_slicedata *d, struct slice *s, uint64_t slice)
{
	fg_sort(s->items, s->count, compare_items, NULL);
	for (size_t i = 0; i < s->count; i++) {
		uint32_t number = s->items[i];

		d->items[d->item_count] = number;
		d->counts[d->item_count++] = s->counts[number];
		s->counts[number] = 0;
	}
	d->slices[d->slice_count] = slice;
	d->ends[d->slice_count++] = d->item_count;
	s->count = 0;
}

static void fill(const struct fg_heat *h, const uint32_t *frames,
		 const uint32_t *numbers, struct fg_slicedata *d)
{
	uint64_t *slices = make_slices(h, &d->header);
	uint32_t *order = make_order(h->run_count);
	struct slice s = { .count = 0 };

	s.counts = fg_xcalloc(d->stack_count, sizeof(*s.counts));
	s.items = fg_xcalloc(d->stack_count, sizeof(*s.items));
	fg_sort(order, h->run_count, compare_numbers, slices);
	for (size_t i = 0; i < h->run_count; i++) {
		uint32_t run = order[i];

		for (size_t at = h->runs[run].first; at < end_of(h, run); at++)
			add_item(&s, numbers[frames[h->nodes[at]]], h->counts[at]);
		if (i + 1 == h->run_count || slices[order[i + 1]] != slices[run])
			end_slice(d, &s, slices[run]);
	}
	free(slices);
	free(order);
	free(s.counts);
	free(s.items);
}

void fg_heat_make(const struct fg_heat *h, const uint32_t *frames, uint64_t width,
		  struct fg_slicedata *d)
{
	size_t count = 0;
	uint32_t *numbers;

	*d = (struct fg_slicedata){ .header = find_start(h, width) };
	for (size_t i = 0; i < h->count; i++)
		if (frames[h->nodes[i]] >= count)
			count = (size_t)frames[h->nodes[i]] + 1;
	numbers = number_stacks(h, frames, count, d);
	d->slices = fg_xcalloc(h->run_count, sizeof(*d->slices));
	d->ends = fg_xcalloc(h->run_count, sizeof(*d->ends));
	d->items = fg_xcalloc(h->count, sizeof(*d->items));
	d->counts = fg_xcalloc(h->count, sizeof(*d->counts));
	fill(h, frames, numbers, d);
	free(numbers);
}
