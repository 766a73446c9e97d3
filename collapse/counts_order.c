/* The order of folded stacks by their text, without making the text. */
#include "collapse/counts_order.h"

#include <stdlib.h>
#include <string.h>

#include "lib/profile/folded.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

/*
 * Stacks that share their first frames are divided by the id of the next one. So names
 * are compared only where frames have the same caller, and once for each such frame
 * instead of once for each stack. What comes first is sorted first, so that it can be
 * used while the rest is sorted.
 */

struct item {
	const uint32_t *ids;
	uint32_t depth;
	uint32_t entry;
};

/* Items that share their first `shared` frames. */
struct range {
	size_t start;
	size_t count;
	uint32_t shared;
};

/*
 * Those of a range whose next frame is the same; a leaf is a group of its own. There
 * may be as many as stacks, so they are small.
 */
struct group {
	uint64_t start_of_text; /* of the name and what follows it, comparable */
	uint32_t id;
	bool ends; /* a leaf after which there is no ';' */
	union {
		uint32_t count; /* 0: a leaf, which is one item */
		uint32_t start; /* once in order: among the items of the range */
	};
};

struct sorting {
	const struct fg_intern *names;
	enum fg_counts_style style;
	struct item *items;
	size_t count;
	uint32_t *group_of; /* by item of the range; then where the item goes */
	uint32_t *group_plus_1; /* by id, within a stack; 0 between ranges */

	struct group *groups;
	size_t groups_count;
	size_t groups_alloc;
	uint32_t *order; /* of the groups */
	size_t order_alloc;

	struct range *ranges; /* still to do, the first of them at the end */
	size_t ranges_count;
	size_t ranges_alloc;
};

/* Ranges up to this size are sorted by insertion. */
#define INSERTION_MAX 4

/* Items that are put in order before the first of them is used. */
#define STEP 256

static int compare_groups(const void *context, uint32_t ia, uint32_t ib)
{
	const struct sorting *s = context;
	const struct group *a = &s->groups[ia], *b = &s->groups[ib];
	int order;

	if (a->start_of_text != b->start_of_text)
		return a->start_of_text < b->start_of_text ? -1 : 1;
	order = fg_folded_compare(fg_intern_name(s->names, a->id), a->ends,
				  fg_intern_name(s->names, b->id), b->ends);
	return order ? order : (a->count > 0) - (b->count > 0);
}

/* Whether the text of a stack ends with its leaf, and not with a ';' after it. */
static bool ends_text(const struct sorting *s, uint32_t leaf, bool is_only)
{
	return s->style == FG_COUNTS_PERL ||
	       !fg_folded_needs_semicolon(fg_intern_name(s->names, leaf), is_only);
}

/* The same of frame `i` of an item. */
static bool ends_item(const struct sorting *s, const struct item *item, uint32_t i)
{
	return i + 1 == item->depth && ends_text(s, item->ids[i], !i);
}

/* Whether `a` comes before `b`, which has the same first `shared` frames. */
static bool is_before(const struct sorting *s, const struct item *a,
		      const struct item *b, uint32_t shared)
{
	uint32_t common = a->depth < b->depth ? a->depth : b->depth;
	uint32_t i = shared;

	while (i < common && a->ids[i] == b->ids[i])
		i++;
	if (i == common)
		return a->depth < b->depth;
	return fg_folded_compare(
		       fg_intern_name(s->names, a->ids[i]), ends_item(s, a, i),
		       fg_intern_name(s->names, b->ids[i]), ends_item(s, b, i)) < 0;
}

static void insertion_sort(const struct sorting *s, const struct range *r)
{
	struct item *items = s->items + r->start;

	for (size_t i = 1; i < r->count; i++) {
		struct item item = items[i];
		size_t at = i;

		while (at && is_before(s, &item, &items[at - 1], r->shared)) {
			items[at] = items[at - 1];
			at--;
		}
		items[at] = item;
	}
}

/*
 * The first bytes of a frame's text, and of the ';' after it, as a number; most of them
 * differ. After a leaf there are zeros, which come before all else.
 */
static uint64_t start_of_text(struct fg_str name, bool ends)
{
	uint64_t start = fg_str_number_at(name, 0);

	if (!ends && name.len < sizeof(start))
		start |= (uint64_t)';' << 8 * (sizeof(start) - 1 - name.len);
	return start;
}

static uint32_t add_group(struct sorting *s, uint32_t id, bool ends)
{
	struct group *group;

	FG_GROW(s->groups, s->groups_alloc, s->groups_count + 1);
	group = &s->groups[s->groups_count];
	group->start_of_text = start_of_text(fg_intern_name(s->names, id), ends);
	group->id = id;
	group->ends = ends;
	group->count = 0;
	return (uint32_t)s->groups_count++;
}

/* Finds the groups of a range. */
static void find_groups(struct sorting *s, const struct range *r)
{
	const struct item *items = s->items + r->start;

	s->groups_count = 0;
	for (size_t i = 0; i < r->count; i++) {
		const struct item *item = &items[i];
		uint32_t id = item->ids[r->shared];
		uint32_t group;

		if (item->depth == r->shared + 1) {
			group = add_group(s, id, ends_text(s, id, !r->shared));
		} else {
			if (!s->group_plus_1[id])
				s->group_plus_1[id] = add_group(s, id, false) + 1;
			group = s->group_plus_1[id] - 1;
			s->groups[group].count++;
		}
		s->group_of[i] = group;
	}
	for (size_t i = 0; i < s->groups_count; i++)
		s->group_plus_1[s->groups[i].id] = 0;
}

static void add_range(struct sorting *s, struct range r)
{
	FG_GROW(s->ranges, s->ranges_alloc, s->ranges_count + 1);
	s->ranges[s->ranges_count++] = r;
}

/* Puts the groups of a range in order; those of several items are to be parted. */
static void order_groups(struct sorting *s, const struct range *r)
{
	size_t start = r->count;

	FG_GROW(s->order, s->order_alloc, s->groups_count);
	for (size_t i = 0; i < s->groups_count; i++)
		s->order[i] = (uint32_t)i;
	fg_sort(s->order, s->groups_count, compare_groups, s);
	for (size_t i = s->groups_count; i-- > 0;) {
		struct group *group = &s->groups[s->order[i]];
		uint32_t count = group->count;

		start -= count ? count : 1;
		group->start = (uint32_t)start;
		if (count > 1)
			add_range(s, (struct range){ r->start + start, count,
						     r->shared + 1 });
	}
}

/*
 * Puts the items of each group together, without a second array. Whatever is where it
 * goes stays; no two stacks are equal, so that the order within a group is of no
 * matter.
 */
static void move_items(struct sorting *s, const struct range *r)
{
	struct item *items = s->items + r->start;
	uint32_t *to = s->group_of;

	for (size_t i = 0; i < r->count; i++)
		to[i] = s->groups[to[i]].start++;
	for (uint32_t i = 0; i < r->count; i++) {
		struct item item = items[i];
		uint32_t at = to[i];

		while (at != i) {
			struct item displaced = items[at];
			uint32_t next = to[at];

			items[at] = item;
			to[at] = at;
			item = displaced;
			at = next;
		}
		items[i] = item;
	}
}

static void part(struct sorting *s, struct range r)
{
	for (;;) {
		find_groups(s, &r);
		if (s->groups_count > 1)
			break;
		r.shared++;
	}
	order_groups(s, &r);
	move_items(s, &r);
}

/* The stack without frames, if there is one, is no part of a range. */
static size_t put_empty_first(struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!items[i].depth) {
			struct item empty = items[i];

			items[i] = items[0];
			items[0] = empty;
			return 1;
		}
	return 0;
}

static void start_sorting(struct sorting *s, const struct fg_counts *c,
			  const struct fg_intern *names)
{
	size_t empty;

	s->names = names;
	s->count = c->count;
	s->items = fg_xcalloc(c->count, sizeof(*s->items));
	s->group_of = fg_xcalloc(c->count, sizeof(*s->group_of));
	s->group_plus_1 = fg_xcalloc(names->count, sizeof(*s->group_plus_1));
	for (size_t i = 0; i < c->count; i++) {
		s->items[i].ids = c->entries[i].ids;
		s->items[i].depth = c->entries[i].depth;
		s->items[i].entry = (uint32_t)i;
	}
	empty = put_empty_first(s->items, c->count);
	add_range(s, (struct range){ empty, c->count - empty, 0 });
}

static void end_sorting(struct sorting *s)
{
	free(s->items);
	free(s->group_of);
	free(s->group_plus_1);
	free(s->groups);
	free(s->order);
	free(s->ranges);
}

/* Sorts a step further than `done`; returns how many items are where they stay. */
static size_t sort_more(struct sorting *s, size_t done)
{
	size_t enough = done + STEP;

	while (s->ranges_count && done < enough) {
		struct range r = s->ranges[--s->ranges_count];

		if (r.count <= INSERTION_MAX)
			insertion_sort(s, &r);
		else
			part(s, r);
		done = s->ranges_count ? s->ranges[s->ranges_count - 1].start :
					 s->count;
	}
	return done;
}

/* ---- an entry at a time */

struct fg_counts_order {
	const struct fg_counts *counts;
	struct sorting sorting;
	size_t next; /* item to be handed out */
	size_t sorted; /* items that are in order */
};

struct fg_counts_order *fg_counts_order_open(const struct fg_counts *c,
					     const struct fg_intern *names,
					     enum fg_counts_style style)
{
	struct fg_counts_order *o = fg_xcalloc(1, sizeof(*o));

	o->counts = c;
	o->sorting.style = style;
	start_sorting(&o->sorting, c, names);
	return o;
}

const struct fg_counts_entry *fg_counts_order_next(struct fg_counts_order *o)
{
	if (o->next == o->counts->count)
		return NULL;
	if (o->next == o->sorted)
		o->sorted = sort_more(&o->sorting, o->sorted);
	return &o->counts->entries[o->sorting.items[o->next++].entry];
}

void fg_counts_order_close(struct fg_counts_order *o)
{
	end_sorting(&o->sorting);
	free(o);
}
