/* Makes a tree from a picture by the positions of its frames. */
#include "lib/svg/picture.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"

void fg_picture_init(struct fg_picture *p)
{
	memset(p, 0, sizeof(*p));
	fg_intern_init(&p->names);
}

void fg_picture_release(struct fg_picture *p)
{
	fg_intern_release(&p->names);
	free(p->frames);
	fg_picture_init(p);
}

/* Cuts a number such as "1,234.5" off the start of `s`. Returns -1 if there is none. */
static int cut_thousands(struct fg_str *s, struct fg_count *count)
{
	struct fg_buf digits = FG_BUF_INIT;
	size_t end = 0;
	int status;

	for (; end < s->len; end++) {
		char c = s->ptr[end];

		if (fg_is_digit(c) || c == '.')
			fg_buf_add_char(&digits, c);
		else if (c != ',')
			break;
	}
	status = fg_count_parse(fg_buf_str(&digits), count);
	fg_buf_release(&digits);
	*s = fg_str_from_pos(*s, end);
	return status;
}

/*
 * Reads "1,234 samples, 5.67%" or "1,234 samples, 5.67%; +0.12%". We call this for many
 * places in a title, so it must be quick: the first bytes decide if the text may be a
 * detail.
 */
static int parse_detail(struct fg_str s, struct fg_picture_frame *frame)
{
	struct fg_str delta;

	if (cut_thousands(&s, &frame->count) || !fg_str_starts(s, FG_STR(" ")) ||
	    !fg_str_ends(s, FG_STR("%")))
		return -1;
	frame->has_count = true;
	delta = fg_str_trim(fg_str_from_pos(s, fg_str_rfind_char(s, ';') + 1));
	if (!fg_str_cut_end(&delta, FG_STR("%")))
		return 0;
	if (fg_str_starts(delta, FG_STR("+")))
		delta = fg_str_from_pos(delta, 1);
	frame->has_delta = !fg_str_double(delta, &frame->delta);
	return 0;
}

struct fg_str fg_picture_title(struct fg_str title, struct fg_picture_frame *frame)
{
	struct fg_str rest = title;

	if (!fg_str_ends(title, FG_STR(")")))
		return title;
	for (;;) {
		size_t at = fg_str_rfind_char(rest, '(');
		struct fg_str detail = fg_str_from_pos(title, at + 1);

		if (at == rest.len)
			return title;
		detail.len--;
		if (at && title.ptr[at - 1] == ' ' && !parse_detail(detail, frame))
			return fg_str_before(title, at - 1);
		rest = fg_str_before(rest, at);
	}
}

void fg_picture_add(struct fg_picture *p, struct fg_str name,
		    const struct fg_picture_frame *frame)
{
	struct fg_buf copy = FG_BUF_INIT;

	fg_buf_add_str(&copy, name);
	fg_buf_replace(&copy, 0, ';', ':');
	fg_buf_replace(&copy, 0, '\n', ' ');
	FG_GROW(p->frames, p->alloc, p->count + 1);
	p->frames[p->count] = *frame;
	p->frames[p->count++].name = fg_intern(&p->names, fg_buf_str(&copy));
	fg_buf_release(&copy);
}

/* A frame, in the picture and in the tree. */
struct place {
	uint32_t frame;
	uint32_t node;
	uint64_t total, start, before; /* in the tree's units */
	uint64_t free; /* the part of `total` that is not taken by children yet */
	uint64_t free_before;
};

/* The frames of one row of the picture, from left to right. */
struct row {
	size_t first, end; /* indices of places */
};

struct rebuild {
	const struct fg_picture *picture;
	struct fg_tree *tree;
	uint32_t *ids; /* indexed by id of a name in the picture: its id in the tree */
	struct place *places; /* row by row, the root's row first */
	size_t count;
	uint64_t excess; /* sum of the counts by which frames exceed their parents */
	bool differential, negated;
	const struct fg_place *at;
	struct fg_diag *diag;
	bool failed;
};

static void set_fault(struct rebuild *m, const char *fault)
{
	if (!m->failed)
		fg_error(m->diag, m->at,
			 "this SVG cannot be read: its frames do not make a flame "
			 "graph: %s",
			 fault);
	m->failed = true;
}

/*
 * Compares frames so that they are sorted from top to bottom, then from left to right,
 * then from narrow to wide.
 */
static int compare_frames(const void *context, uint32_t ia, uint32_t ib)
{
	const struct fg_picture *p = context;
	const struct fg_picture_frame *a = &p->frames[ia], *b = &p->frames[ib];

	if (a->y != b->y)
		return a->y < b->y ? -1 : 1;
	if (a->x != b->x)
		return a->x < b->x ? -1 : 1;
	return (a->width > b->width) - (a->width < b->width);
}

static double width_of(const struct fg_picture *p, const uint32_t *frames, size_t count)
{
	double width = 0;

	for (size_t i = 0; i < count; i++)
		width += p->frames[frames[i]].width;
	return width;
}

static bool is_named_all(const struct fg_picture *p, uint32_t frame)
{
	return fg_str_eq(fg_intern_name(&p->names, p->frames[frame].name),
			 FG_STR("all"));
}

/* Returns how many of the sorted frames are in the same row as the first one. */
static size_t row_length(const struct fg_picture *p, const uint32_t *frames,
			 size_t count)
{
	size_t i = 1;

	while (i < count && p->frames[frames[i]].y == p->frames[frames[0]].y)
		i++;
	return i;
}

/*
 * Returns true if the root's row is at the top. The root comes first in a picture of
 * this program. In others its row is the widest.
 */
static bool root_is_on_top(const struct fg_picture *p, const uint32_t *frames)
{
	size_t top = row_length(p, frames, p->count);
	size_t bottom = p->count - 1;
	double difference;

	if (p->depth_first)
		return p->frames[frames[0]].y == p->frames[0].y;
	while (bottom && p->frames[frames[bottom - 1]].y == p->frames[frames[bottom]].y)
		bottom--;
	if (!bottom)
		return true;
	difference = width_of(p, frames, top) -
		     width_of(p, frames + bottom, p->count - bottom);
	if (difference != 0)
		return difference > 0;
	return is_named_all(p, frames[0]) && !is_named_all(p, frames[bottom]);
}

/* Sorts the frames into rows, the root's row first. */
static void make_places(struct rebuild *m)
{
	const struct fg_picture *p = m->picture;
	uint32_t *frames = fg_xcalloc(p->count, sizeof(*frames));
	bool on_top;

	for (size_t i = 0; i < p->count; i++)
		frames[i] = (uint32_t)i;
	fg_sort(frames, p->count, compare_frames, p);
	on_top = root_is_on_top(p, frames);
	m->places = fg_xcalloc(p->count, sizeof(*m->places));
	for (size_t at = 0; at < p->count;) {
		size_t length = row_length(p, frames + at, p->count - at);
		size_t to = on_top ? at : p->count - at - length;

		for (size_t i = 0; i < length; i++)
			m->places[to + i].frame = frames[at + i];
		at += length;
	}
	m->count = p->count;
	free(frames);
}

static const struct fg_picture_frame *frame_at(const struct rebuild *m, size_t place)
{
	return &m->picture->frames[m->places[place].frame];
}

static struct row next_row(const struct rebuild *m, size_t first)
{
	struct row row = { first, first };

	while (row.end < m->count && frame_at(m, row.end)->y == frame_at(m, first)->y)
		row.end++;
	return row;
}

static void choose_decimals(struct rebuild *m)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct fg_picture_frame *f = frame_at(m, i);

		if (f->has_count && f->count.decimals > m->tree->decimals)
			m->tree->decimals = f->count.decimals;
		if (f->has_before && f->before.decimals > m->tree->decimals)
			m->tree->decimals = f->before.decimals;
		m->differential |= f->has_before || f->has_delta;
	}
}

/*
 * Computes the count of a frame from its width, because its title does not have it.
 * Returns 0, or -1 if the root has no count or the result makes no sense.
 */
static int count_by_width(const struct rebuild *m, const struct fg_picture_frame *f,
			  uint64_t *total)
{
	const struct fg_picture_frame *root = frame_at(m, 0);
	double count;

	if (!root->has_count || !(root->width > 0) || !(f->width >= 0))
		return -1;
	count = (double)m->places[0].total * f->width / root->width;
	if (!(count < 18e18))
		return -1;
	*total = (uint64_t)(count + 0.5);
	return 0;
}

static void set_counts(struct rebuild *m)
{
	unsigned decimals = m->tree->decimals;

	for (size_t i = 0; i < m->count; i++) {
		const struct fg_picture_frame *f = frame_at(m, i);
		struct place *p = &m->places[i];
		int status;

		status = f->has_count ? fg_count_scale(f->count, decimals, &p->total) :
					count_by_width(m, f, &p->total);
		if (!status && f->has_before)
			status = fg_count_scale(f->before, decimals, &p->before);
		if (!status && f->has_start)
			status = fg_count_scale(f->start, decimals, &p->start);
		if (status)
			set_fault(m, "the count of a frame is missing or too large");
		p->free = p->total;
		p->free_before = p->before;
	}
}

static uint64_t less(uint64_t from, uint64_t n)
{
	return from > n ? from - n : 0;
}

static void add_place(struct rebuild *m, struct place *p, struct place *parent)
{
	const struct fg_picture_frame *f = &m->picture->frames[p->frame];

	p->node = fg_tree_append(m->tree, parent ? parent->node : 0, m->ids[f->name]);
	if (!parent)
		return;
	if (parent != m->places) /* the root of old pictures has no counts */
		m->excess += less(p->total, parent->free);
	parent->free = less(parent->free, p->total);
	parent->free_before = less(parent->free_before, p->before);
}

/*
 * Puts each frame of a row on a parent in the row before: the last one that does not
 * start to the right of the frame. If several parents are so narrow that they start at
 * the same place, takes the first with enough counts left.
 */
static void put_on(struct rebuild *m, struct row row, struct row parents)
{
	size_t first = parents.first, last = parents.first;

	for (size_t i = row.first; i < row.end; i++) {
		double x = frame_at(m, i)->x;

		while (last + 1 < parents.end && frame_at(m, last + 1)->x <= x)
			last++;
		if (frame_at(m, last)->x > x) {
			set_fault(m, "a frame has no parent");
			return;
		}
		while (first < last && (frame_at(m, first)->x < frame_at(m, last)->x ||
					m->places[first].free < m->places[i].total))
			first++;
		add_place(m, &m->places[i], &m->places[first]);
	}
}

/*
 * Finds the parents of frames that come depth first: the parent is the latest frame of
 * the row before.
 */
static void put_in_order(struct rebuild *m)
{
	size_t *places = fg_xcalloc(m->count, sizeof(*places)); /* indexed by frame */
	size_t *rows = fg_xcalloc(m->count, sizeof(*rows)); /* indexed by place */
	size_t *last = fg_xcalloc(m->count, sizeof(*last)); /* place + 1, by row */

	for (size_t i = 0; i < m->count; i++) {
		bool same = i && frame_at(m, i)->y == frame_at(m, i - 1)->y;

		places[m->places[i].frame] = i;
		rows[i] = !i ? 0 : rows[i - 1] + !same;
	}
	for (size_t frame = 0; frame < m->count && !m->failed; frame++) {
		size_t place = places[frame], row = rows[place];
		size_t parent = row ? last[row - 1] : 0;

		last[row] = place + 1;
		if (parent)
			add_place(m, &m->places[place], &m->places[parent - 1]);
		else if (row || frame)
			set_fault(m, "a frame has no parent");
	}
	free(places);
	free(rows);
	free(last);
}

/*
 * Puts each row on the row before. If the first row has a single frame, that is the
 * root. Otherwise the picture has no frame for the root.
 */
static void add_rows(struct rebuild *m)
{
	struct row row = next_row(m, 0);

	for (size_t i = row.first; i < row.end && row.end > 1; i++)
		add_place(m, &m->places[i], NULL);
	while (row.end < m->count && !m->failed) {
		struct row next = next_row(m, row.end);

		put_on(m, next, row);
		row = next;
	}
}

/* Returns true if frames are in the wrong place, by more than rounding explains. */
static bool is_misplaced(const struct rebuild *m)
{
	return m->excess > 10 + m->tree->total / 100;
}

/*
 * Estimates a frame's own count before from its delta, which is in percent with two
 * decimals.
 */
static double estimate_before(const struct rebuild *m, size_t place)
{
	double change = frame_at(m, place)->delta / 100 * (double)m->places[0].total;

	return (double)m->places[place].free + (m->negated ? change : -change);
}

/*
 * Returns true if the picture was drawn with --negate, which swaps the signs of the
 * deltas. We notice it if deltas, taken as they are, would make the count before of
 * some frame negative by more than rounding explains.
 */
static bool is_negated(const struct rebuild *m)
{
	double least = -1e-4 * (double)m->places[0].total -
		       (double)fg_pow10(m->tree->decimals);
	bool found = false;

	for (size_t i = 0; i < m->count && !found; i++)
		found = frame_at(m, i)->has_delta && estimate_before(m, i) < least;
	return found;
}

static uint64_t before_of(const struct rebuild *m, size_t place)
{
	const struct fg_picture_frame *f = frame_at(m, place);
	double estimate;

	if (f->has_before || !f->has_delta)
		return f->has_before ? m->places[place].free_before : 0;
	estimate = estimate_before(m, place);
	return estimate > 0 && estimate < 18e18 ? (uint64_t)(estimate + 0.5) : 0;
}

static void set_before(struct rebuild *m, uint64_t *sum)
{
	struct fg_tree *t = m->tree;

	t->before = fg_xcalloc(t->count, sizeof(*t->before));
	t->before_alloc = t->count;
	m->negated = !is_misplaced(m) && is_negated(m);
	for (size_t i = 0; i < m->count && !m->failed; i++) {
		uint64_t before = before_of(m, i);

		t->before[m->places[i].node] += before;
		*sum += before;
		if (*sum < before)
			set_fault(m, "the sum of its counts exceeds 2^64-1");
	}
}

static void set_self(struct rebuild *m)
{
	struct fg_tree *t = m->tree;

	for (size_t i = 0; i < m->count && !m->failed; i++) {
		const struct place *p = &m->places[i];

		t->nodes[p->node].self = p->free;
		t->total += p->free;
		if (t->total < p->free)
			set_fault(m, "the sum of its counts exceeds 2^64-1");
	}
}

/*
 * Sets the starts of frames like in the picture, unless frames to the right would not
 * fit any more.
 */
static void set_starts(struct rebuild *m)
{
	struct fg_tree *t = m->tree;

	for (size_t i = 0; i < m->count; i++)
		t->starts[m->places[i].node] = m->places[i].start;
	t->starts[0] = 0;
	for (size_t i = 0; i < t->count; i++) {
		uint64_t at = t->starts[i], room = t->nodes[i].self;

		for (uint32_t c = t->nodes[i].first; c != FG_TREE_NONE;
		     c = t->nodes[c].next) {
			uint64_t gap = less(t->starts[c], at);

			gap = gap < room ? gap : room;
			room -= gap;
			t->starts[c] = at + gap;
			at = t->starts[c] + t->nodes[c].total;
		}
	}
}

int fg_picture_tree(const struct fg_picture *p, struct fg_tree *tree,
		    const struct fg_place *at, struct fg_diag *diag)
{
	struct rebuild m = { .picture = p, .tree = tree, .at = at, .diag = diag };
	uint64_t sum_before = 0;

	fg_tree_init(tree, p->order);
	if (!p->count)
		return fg_error(
			diag, at,
			"this SVG is not a flame graph, or was made before 2013: it "
			"has neither data nor frames with titles");
	m.ids = fg_xcalloc(p->names.count, sizeof(*m.ids));
	for (uint32_t i = 0; i < p->names.count; i++)
		m.ids[i] = fg_intern(&tree->names, fg_intern_name(&p->names, i));
	make_places(&m);
	choose_decimals(&m);
	set_counts(&m);
	if (!m.failed && p->depth_first)
		put_in_order(&m);
	else if (!m.failed)
		add_rows(&m);
	if (!m.failed)
		set_self(&m);
	if (!m.failed && m.differential)
		set_before(&m, &sum_before);
	fg_tree_finish(tree);
	if (!m.failed && is_misplaced(&m))
		fg_warn(diag, at,
			"some frames of this SVG are misplaced, so the counts of some "
			"stacks are wrong");
	if (!m.failed && p->order == FG_TREE_INPUT)
		set_starts(&m);
	free(m.ids);
	free(m.places);
	return m.failed ? -1 : 0;
}
