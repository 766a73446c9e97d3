/* Counts distinct stacks, sorts them by their text, and writes their lines. */
#include "collapse/counts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/hash.h"
#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/* ---- counting */

#define FIRST_SLOTS 1024

void fg_counts_init(struct fg_counts *c)
{
	memset(c, 0, sizeof(*c));
	fg_arena_init(&c->ids);
	c->seed = fg_hash_seed();
}

void fg_counts_release(struct fg_counts *c)
{
	fg_arena_release(&c->ids);
	free(c->entries);
	free(c->minus);
	fg_slots_release(&c->slots);
	fg_counts_init(c);
}

static uint32_t add_entry(struct fg_counts *c, const uint32_t *ids, size_t depth)
{
	size_t bytes = fg_size_mul(depth, sizeof(*ids));
	struct fg_counts_entry *entry;
	uint32_t *copy;

	if (c->count >= UINT32_MAX - 1 || depth > UINT32_MAX)
		fg_size_overflow(); /* indices are 32 bits wide */
	FG_GROW(c->entries, c->alloc, c->count + 1);
	copy = (void *)fg_arena_bytes(&c->ids,
				      bytes); /* aligned: the arena has only ids */
	if (bytes)
		memcpy(copy, ids, bytes);
	entry = &c->entries[c->count];
	memset(entry, 0, sizeof(*entry));
	entry->ids = copy;
	entry->depth = (uint32_t)depth;
	return (uint32_t)c->count++;
}

static bool same_stack(const struct fg_counts_entry *entry, const uint32_t *ids,
		       size_t depth)
{
	return entry->depth == depth &&
	       (!depth || !memcmp(entry->ids, ids, depth * sizeof(*ids)));
}

static struct fg_counts_entry *find_entry(struct fg_counts *c, const uint32_t *ids,
					  size_t depth, uint32_t tag)
{
	struct fg_slots *slots = &c->slots;
	size_t i;

	if ((c->count + 1) * 2 > slots->count)
		fg_slots_grow(slots, FIRST_SLOTS);
	for (i = tag & slots->mask; slots->at[i].item; i = (i + 1) & slots->mask) {
		struct fg_counts_entry *entry = &c->entries[slots->at[i].item - 1];

		if (slots->at[i].tag == tag && same_stack(entry, ids, depth))
			return entry;
	}
	slots->at[i] = (struct fg_slot){ tag, add_entry(c, ids, depth) + 1 };
	return &c->entries[c->count - 1];
}

struct fg_counts_entry *fg_counts_entry(struct fg_counts *c, const uint32_t *ids,
					size_t depth)
{
	uint64_t hash = fg_hash_bytes((const char *)ids, depth * sizeof(*ids), c->seed);

	return find_entry(c, ids, depth, (uint32_t)hash);
}

struct fg_counts_entry *fg_counts_entry_of_path(struct fg_counts *c,
						const struct fg_path *path)
{
	return find_entry(c, path->ids, path->depth, (uint32_t)fg_path_hash(path));
}

void fg_counts_subtract(struct fg_counts *c, const struct fg_counts_entry *entry,
			struct fg_sum weight)
{
	size_t i = (size_t)(entry - c->entries), had = c->minus_alloc;

	FG_GROW(c->minus, c->minus_alloc, i + 1);
	memset(c->minus + had, 0, (c->minus_alloc - had) * sizeof(*c->minus));
	fg_sum_add_sum(&c->minus[i], weight);
}

void fg_counts_scale(struct fg_counts *c, uint64_t factor)
{
	for (size_t i = 0; i < c->count; i++)
		c->entries[i].sum = fg_sum_mul(c->entries[i].sum, factor);
	for (size_t i = 0; i < c->minus_alloc; i++)
		c->minus[i] = fg_sum_mul(c->minus[i], factor);
}

void fg_counts_settle(struct fg_counts *c, struct fg_shrunk *shrunk)
{
	size_t kept = 0;

	if (!c->minus)
		return;
	for (size_t i = 0; i < c->count; i++) {
		struct fg_counts_entry entry = c->entries[i];

		if (i < c->minus_alloc && !fg_sum_is_zero(c->minus[i])) {
			struct fg_sum less = fg_sum_less(c->minus[i], entry.sum);

			shrunk->stacks += !fg_sum_is_zero(less);
			fg_sum_add_sum(&shrunk->weight, less);
			entry.sum = fg_sum_less(entry.sum, c->minus[i]);
			if (fg_sum_is_zero(entry.sum))
				continue;
		}
		c->entries[kept++] = entry;
	}
	c->count = kept;
}

void fg_counts_expect_path(const struct fg_counts *c, const struct fg_path *path)
{
	if (c->slots.count)
		__builtin_prefetch(&c->slots.at[fg_path_hash(path) & c->slots.mask]);
}

void fg_counts_finish(struct fg_counts *c)
{
	fg_slots_release(&c->slots);
}

/* ---- the order of the lines */

/*
 * Stacks are sorted frame by frame: those that share their first frames are divided
 * into groups by the id of the next frame. So names are compared only among callees of
 * the same caller, and once for each callee instead of once for each stack. The first
 * lines of the output are in order first, so that they can be written before the rest
 * is sorted.
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
 * The items of a range that have the same next frame. An item whose leaf is that frame
 * is a group of its own. There may be as many groups as stacks, so this struct is
 * small.
 */
struct group {
	uint64_t start_of_text; /* see start_of_text() */
	uint32_t id;
	bool ends; /* the frame is a leaf, and no ';' follows it */
	union {
		/* the number of items; 0 for a leaf, which is one item */
		uint32_t count;
		/* once groups are in order: the index in the range of its first item */
		uint32_t start;
	};
};

struct sorting {
	const struct fg_intern *names;
	enum fg_counts_style style;
	struct item *items;
	size_t count;
	/* the group of each item of the range; later the item's new index */
	uint32_t *group_of;
	/*
	 * index plus 1 of the group of each frame, indexed by frame id; 0 if the frame
	 * has no group or its group is a leaf; all 0 between ranges
	 */
	uint32_t *group_plus_1;

	struct group *groups;
	size_t groups_count;
	size_t groups_alloc;
	uint32_t *order; /* indices of the groups, sorted */
	size_t order_alloc;

	struct range *ranges; /* the ranges that are not sorted yet, in reverse order */
	size_t ranges_count;
	size_t ranges_alloc;
};

/* Ranges up to this size are sorted by insertion. */
#define INSERTION_MAX 4

/* The number of items that we put in order at a time. */
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

/*
 * Returns true if no ';' follows the leaf in the text of a stack. `is_only` says that
 * the leaf is the only frame.
 */
static bool ends_text(const struct sorting *s, uint32_t leaf, bool is_only)
{
	return s->style == FG_COUNTS_PERL ||
	       !fg_folded_needs_semicolon(fg_intern_name(s->names, leaf), is_only);
}

/* Returns true if the text of an item ends with its frame `i`. */
static bool ends_item(const struct sorting *s, const struct item *item, uint32_t i)
{
	return i + 1 == item->depth && ends_text(s, item->ids[i], !i);
}

/* Returns true if `a` comes before `b`, which has the same first `shared` frames. */
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
 * Returns the first eight bytes of a frame's text and its ';' as a number, so that most
 * names are compared as two numbers. The text of a leaf that ends is padded with zeros,
 * which sort before everything else.
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

/* Puts the groups of a range in order. Groups of several items become new ranges. */
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
 * Moves the items of each group next to each other, without a second array: it follows
 * each cycle of items that take each other's place. The order within a group does not
 * matter, because it is sorted later and no two stacks are equal.
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

/* Puts the items of a range into groups, and the groups in order. */
static void sort_range(struct sorting *s, struct range r)
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

/* Puts the stack without frames first, and returns 1 if there is one. */
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

/* Sorts at least STEP items beyond `done`. Returns how many items are in order then. */
static size_t sort_more(struct sorting *s, size_t done)
{
	size_t enough = done + STEP;

	while (s->ranges_count && done < enough) {
		struct range r = s->ranges[--s->ranges_count];

		if (r.count <= INSERTION_MAX)
			insertion_sort(s, &r);
		else
			sort_range(s, r);
		done = s->ranges_count ? s->ranges[s->ranges_count - 1].start :
					 s->count;
	}
	return done;
}

struct fg_counts_order {
	const struct fg_counts *counts;
	struct sorting sorting;
	size_t next; /* index of the item to return next */
	size_t sorted; /* the number of items that are in order */
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

/* ---- the lines */

/*
 * A line longer than this is written in pieces. Long names and many frames can make a
 * line that is many times as long as the profile.
 */
#define PIECE ((size_t)1 << 20)

/*
 * Writes lines one after the other. Keeps the text that a line shares with the line
 * before it.
 */
struct line {
	const struct fg_intern *names;
	const struct fg_counts_format *format;
	struct fg_out *out;
	struct fg_buf text;
	/* the frame to write before each stack; may be empty */
	struct fg_str first_frame;
	size_t start; /* offset of the stack in the text, after first_frame */
	size_t *ends; /* offsets of the ends of frames in the text */
	size_t ends_alloc;
	/* the entry of the line before; NULL at first */
	const struct fg_counts_entry *entry;
	bool in_pieces; /* the start of the line is written already */
	size_t written; /* the number of lines written */
};

static void start_line(struct line *line)
{
	fg_buf_clear(&line->text);
	fg_buf_add_str(&line->text, line->first_frame);
	if (line->first_frame.len)
		fg_buf_add_char(&line->text, ';');
	line->start = line->text.len;
	line->entry = NULL;
	line->in_pieces = false;
}

static void write_piece(struct line *line)
{
	fg_out_add_str(line->out, fg_buf_str(&line->text));
	fg_buf_clear(&line->text);
	line->in_pieces = true;
}

/* Sets the text to the stack of `entry`. */
static void set_line(struct line *line, const struct fg_counts_entry *entry)
{
	size_t common = 0;

	if (line->entry)
		while (common < entry->depth && common < line->entry->depth &&
		       entry->ids[common] == line->entry->ids[common])
			common++;
	FG_GROW(line->ends, line->ends_alloc, entry->depth);
	line->text.len = common ? line->ends[common - 1] : line->start;
	for (size_t i = common; i < entry->depth; i++) {
		if (i)
			fg_buf_add_char(&line->text, ';');
		fg_buf_add_str(&line->text, fg_intern_name(line->names, entry->ids[i]));
		line->ends[i] = line->text.len;
		if (line->text.len >= PIECE && !line->format->keep)
			write_piece(line);
	}
	line->entry = entry;
}

struct fg_sum fg_counts_round(struct fg_sum sum, unsigned decimals)
{
	uint64_t unit = fg_pow10(decimals);

	fg_sum_add(&sum, unit / 2);
	return fg_sum_div(sum, unit, NULL);
}

static void add_sum(struct fg_buf *b, struct fg_sum sum,
		    const struct fg_counts_format *format)
{
	fg_buf_add_char(b, ' ');
	if (format->style == FG_COUNTS_PERL && sum.high)
		fg_buf_addf(b, "%.15g", fg_sum_double(sum));
	else
		fg_buf_add_sum(b, sum, format->whole ? 0 : format->decimals);
}

/* Writes the line of `entry` with `sum`, unless the format leaves it out. */
static void write_line(struct line *line, const struct fg_counts_entry *entry,
		       struct fg_sum sum)
{
	const struct fg_counts_format *format = line->format;
	size_t end;

	if (format->whole && format->decimals) {
		sum = fg_counts_round(sum, format->decimals);
		if (fg_sum_is_zero(sum))
			return;
	}
	set_line(line, entry);
	if (format->keep &&
	    !format->keep(format->data,
			  fg_str_from_pos(fg_buf_str(&line->text), line->start)))
		return;
	end = line->text.len;
	if (format->style != FG_COUNTS_PERL && entry->depth &&
	    fg_folded_needs_semicolon(
		    fg_intern_name(line->names, entry->ids[entry->depth - 1]),
		    entry->depth == 1))
		fg_buf_add_char(&line->text, ';');
	add_sum(&line->text, sum, format);
	fg_buf_add_char(&line->text, '\n');
	fg_out_add_str(line->out, fg_buf_str(&line->text));
	line->text.len = end;
	if (line->in_pieces)
		start_line(line);
	line->written++;
}

static size_t end_lines(struct line *line)
{
	fg_buf_release(&line->text);
	free(line->ends);
	return line->written;
}

size_t fg_counts_write(const struct fg_counts *c, const struct fg_intern *names,
		       const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { .names = names, .format = format, .out = out };
	struct fg_counts_order *order = fg_counts_order_open(c, names, format->style);
	const struct fg_counts_entry *entry;

	while ((entry = fg_counts_order_next(order)))
		write_line(&line, entry, entry->sum);
	fg_counts_order_close(order);
	return end_lines(&line);
}

size_t fg_counts_write_steps(const struct fg_counts_steps *steps,
			     const struct fg_intern *names,
			     const struct fg_counts_format *format, struct fg_out *out)
{
	struct line line = { .names = names, .format = format, .out = out };

	line.first_frame = steps->first_frame;
	start_line(&line);
	for (size_t i = 0; i < steps->count; i++) {
		const struct fg_counts_step *step = &steps->items[i];

		write_line(&line, &steps->counts->entries[step->entry], step->sum);
	}
	return end_lines(&line);
}
