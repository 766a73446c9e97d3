/* A tree as bytes that can travel in a file, and back. */
#include "lib/treedata.h"

#include <stdlib.h>

#include "lib/sort.h"
#include "lib/xalloc.h"

/* A number takes so many bytes at most, seven bits in each. */
#define VARINT_MAX 10

enum flags { DIFFERENTIAL = 1, GAPS = 2, COLOURS = 4 };

static const struct fg_str magic = FG_STR_INIT("fgd1");

static char *put_number(char *p, uint64_t n)
{
	for (; n > 127; n >>= 7)
		*p++ = (char)(n | 128);
	*p++ = (char)n;
	return p;
}

static void add_number(struct fg_buf *out, uint64_t n)
{
	fg_buf_reserve(out, VARINT_MAX);
	out->len = (size_t)(put_number(out->ptr + out->len, n) - out->ptr);
}

/* A frame that is written, and its numbers. */
struct entry {
	uint32_t node;
	uint32_t name; /* number in the data */
	uint32_t up; /* how many frames to go up from the one before to the parent */
	uint64_t self, gap, before;
};

struct writer {
	const struct fg_treedata *data;
	const struct fg_tree *tree;
	struct entry *entries;
	size_t count;
	size_t alloc;
	uint64_t *before; /* inclusive, by node; where frames are left out */
	uint64_t unit;
	uint32_t *names; /* ids of those that are used, in their order */
	size_t name_count;
	uint32_t *uses; /* by id */
};

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void sum_before(struct writer *w)
{
	const struct fg_tree *t = w->tree;

	w->before = fg_xcalloc(t->count, sizeof(*w->before));
	for (size_t i = t->count; i-- > 0;) {
		w->before[i] += t->before[i];
		if (i)
			w->before[t->nodes[i].parent] += w->before[i];
	}
}

/* What is not in the children that are written is the frame's own. */
static void set_counts(struct writer *w, struct entry *e)
{
	const struct fg_tree *t = w->tree;
	const struct fg_tree_node *node = &t->nodes[e->node];

	e->self = node->self;
	if (t->before)
		e->before = t->before[e->node];
	if (!w->data->min)
		return;
	for (uint32_t i = node->first; i != FG_TREE_NONE; i = t->nodes[i].next) {
		if (t->nodes[i].total >= w->data->min)
			continue;
		e->self += t->nodes[i].total;
		if (t->before)
			e->before += w->before[i];
	}
}

static void add_entry(struct writer *w, uint32_t node, uint32_t up)
{
	struct entry e = { .node = node, .up = up };

	set_counts(w, &e);
	if (w->unit != 1) {
		w->unit = common_divisor(w->unit, e.self);
		w->unit = common_divisor(w->unit, e.before);
	}
	if (node)
		w->uses[w->tree->nodes[node].name]++;
	FG_GROW(w->entries, w->alloc, w->count + 1);
	w->entries[w->count++] = e;
}

static void collect(struct writer *w)
{
	unsigned depth = 0, last = 0;
	uint32_t node = 0;

	while (node != FG_TREE_NONE) {
		bool kept = !node || w->tree->nodes[node].total >= w->data->min;

		if (kept) {
			add_entry(w, node, node ? last + 1 - depth : 0);
			last = depth;
		}
		node = fg_tree_walk(w->tree, node, kept, &depth);
	}
}

/* Where in a flame chart each frame starts, from the end of what is left of it. */
static void set_gaps(struct writer *w)
{
	uint64_t *ends = fg_xcalloc(w->tree->count, sizeof(*ends));

	for (size_t i = 0; i < w->count; i++) {
		struct entry *e = &w->entries[i];
		const struct fg_tree_node *node = &w->tree->nodes[e->node];

		ends[e->node] = node->start;
		if (!e->node)
			continue;
		e->gap = node->start - ends[node->parent];
		ends[node->parent] = node->start + node->total;
		w->unit = common_divisor(w->unit, e->gap);
	}
	free(ends);
}

/* The more frequent name first. */
static int compare_uses(const void *context, uint32_t a, uint32_t b)
{
	const uint32_t *uses = context;

	return (uses[b] > uses[a]) - (uses[b] < uses[a]);
}

/* Short numbers for frequent names; among equals the one that is used first. */
static void number_names(struct writer *w)
{
	uint32_t *numbers = fg_xcalloc(w->tree->names.count, sizeof(*numbers));

	w->names = fg_xcalloc(w->tree->names.count, sizeof(*w->names));
	for (size_t i = 1; i < w->count; i++) {
		uint32_t id = w->tree->nodes[w->entries[i].node].name;

		if (!numbers[id]++)
			w->names[w->name_count++] = id;
	}
	fg_sort(w->names, w->name_count, compare_uses, w->uses);
	for (uint32_t i = 0; i < w->name_count; i++)
		numbers[w->names[i]] = i;
	for (size_t i = 1; i < w->count; i++)
		w->entries[i].name = numbers[w->tree->nodes[w->entries[i].node].name];
	free(numbers);
}

static void write_names(const struct writer *w, struct fg_buf *out)
{
	size_t len = 0;

	for (size_t i = 0; i < w->name_count; i++)
		len += fg_intern_name(&w->tree->names, w->names[i]).len + 1;
	add_number(out, w->name_count);
	add_number(out, len);
	fg_buf_reserve(out, len);
	for (size_t i = 0; i < w->name_count; i++) {
		fg_buf_add_str(out, fg_intern_name(&w->tree->names, w->names[i]));
		fg_buf_add_char(out, '\n');
	}
}

/* Each colour once, and of each name which one it has. */
static void write_colours(const struct writer *w, struct fg_buf *out)
{
	struct fg_intern colours;
	uint32_t *ids = fg_xcalloc(w->name_count, sizeof(*ids));

	fg_intern_init(&colours);
	for (size_t i = 0; i < w->name_count; i++) {
		const unsigned char *rgb = w->data->colours[w->names[i]].rgb;

		ids[i] = fg_intern(&colours, fg_str_of((const char *)rgb, 3));
	}
	add_number(out, colours.count);
	for (uint32_t i = 0; i < colours.count; i++)
		fg_buf_add_str(out, fg_intern_name(&colours, i));
	for (size_t i = 0; i < w->name_count; i++)
		add_number(out, ids[i]);
	fg_intern_release(&colours);
	free(ids);
}

enum column { COLUMN_DEPTH, COLUMN_NAME, COLUMN_SELF, COLUMN_GAP, COLUMN_BEFORE };

/* A number of a frame in a column. */
static uint64_t number_in(const struct entry *e, enum column column, uint64_t unit)
{
	switch (column) {
	case COLUMN_DEPTH:
		return e->up;
	case COLUMN_NAME:
		return e->name;
	case COLUMN_SELF:
		return e->self / unit;
	case COLUMN_GAP:
		return e->gap / unit;
	case COLUMN_BEFORE:
		break;
	}
	return e->before / unit;
}

/* Columns one after the other are compressed better than frame by frame. */
static void write_column(const struct writer *w, enum column column, struct fg_buf *out)
{
	bool with_root = column == COLUMN_SELF || column == COLUMN_BEFORE;
	char *p;

	fg_buf_reserve(out, fg_size_mul(w->count, VARINT_MAX));
	p = out->ptr + out->len;
	for (size_t i = with_root ? 0 : 1; i < w->count; i++)
		p = put_number(p, number_in(&w->entries[i], column, w->unit));
	out->len = (size_t)(p - out->ptr);
}

static void write_all(const struct writer *w, bool gaps, struct fg_buf *out)
{
	const struct fg_tree *t = w->tree;
	uint64_t flags = (t->before ? DIFFERENTIAL : 0) | (gaps ? GAPS : 0) |
			 (w->data->colours ? COLOURS : 0);

	fg_buf_add_str(out, magic);
	add_number(out, flags);
	add_number(out, t->decimals);
	add_number(out, w->unit);
	write_names(w, out);
	if (w->data->colours)
		write_colours(w, out);
	add_number(out, w->count);
	write_column(w, COLUMN_DEPTH, out);
	write_column(w, COLUMN_NAME, out);
	write_column(w, COLUMN_SELF, out);
	if (gaps)
		write_column(w, COLUMN_GAP, out);
	if (t->before)
		write_column(w, COLUMN_BEFORE, out);
}

size_t fg_treedata_write(const struct fg_treedata *d, struct fg_buf *out)
{
	struct writer w = { .data = d, .tree = d->tree };
	bool gaps = d->tree->order == FG_TREE_INPUT;

	w.uses = fg_xcalloc(d->tree->names.count, sizeof(*w.uses));
	if (d->tree->before && d->min)
		sum_before(&w);
	collect(&w);
	if (gaps)
		set_gaps(&w);
	if (!w.unit)
		w.unit = 1;
	number_names(&w);
	write_all(&w, gaps, out);
	free(w.entries);
	free(w.before);
	free(w.names);
	free(w.uses);
	return w.count;
}

/* The bytes that are left, and what is wrong with those that were read. */
struct parser {
	struct fg_str rest;
	const char *fault; /* NULL: nothing yet */
	struct fg_tree *tree;
	uint64_t flags;
	uint64_t unit;
	uint32_t *names; /* ids by number */
	uint64_t name_count;
};

static void set_fault(struct parser *p, const char *fault)
{
	if (!p->fault)
		p->fault = fault;
}

/* The next number; 0 where there is none. */
static uint64_t number(struct parser *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < VARINT_MAX && i < p->rest.len; i++) {
		unsigned char byte = (unsigned char)p->rest.ptr[i];

		if (i == VARINT_MAX - 1 && byte > 1)
			break;
		n |= (uint64_t)(byte & 127) << 7 * i;
		if (byte < 128) {
			p->rest = fg_str_from_pos(p->rest, i + 1);
			return n;
		}
	}
	set_fault(p, "it ends early or has a number above 2^64-1");
	p->rest.len = 0;
	return 0;
}

/* The next number where it says how many things of at least one byte follow. */
static uint64_t size(struct parser *p)
{
	uint64_t n = number(p);

	if (n <= p->rest.len)
		return n;
	set_fault(p, "it ends early");
	return 0;
}

/* The next number where it is less than `limit`. */
static uint64_t number_below(struct parser *p, uint64_t limit, const char *fault)
{
	uint64_t n = number(p);

	if (n < limit)
		return n;
	set_fault(p, fault);
	return 0;
}

/* The next count, and the sum of those of its kind, which stays below 2^64. */
static uint64_t count(struct parser *p, uint64_t *sum)
{
	uint64_t n = number(p);

	if (n <= (UINT64_MAX - *sum) / p->unit) {
		*sum += n * p->unit;
		return n * p->unit;
	}
	set_fault(p, "the sum of its counts exceeds 2^64-1");
	return 0;
}

static void read_header(struct parser *p)
{
	if (!fg_str_starts(p->rest, magic)) {
		set_fault(p, "it does not start as such data do");
		return;
	}
	p->rest = fg_str_from_pos(p->rest, magic.len);
	p->flags = number_below(p, 2 * COLOURS, "it is of a newer kind");
	p->tree->decimals = (unsigned)number_below(p, FG_COUNT_DECIMALS_MAX + 1,
						   "it has too many decimals");
	p->unit = number(p);
	if (!p->unit) {
		set_fault(p, "its unit is 0");
		p->unit = 1;
	}
}

static void read_names(struct parser *p)
{
	struct fg_str text;
	uint64_t n = size(p), len = size(p);

	text = fg_str_before(p->rest, len);
	p->rest = fg_str_from_pos(p->rest, len);
	p->names = fg_xcalloc(n, sizeof(*p->names));
	while (p->name_count < n && text.len && text.ptr[text.len - 1] == '\n') {
		struct fg_str name = fg_str_cut(&text, '\n');

		if (fg_str_find_char(name, ';') < name.len)
			set_fault(p, "a name has a ';'");
		p->names[p->name_count++] = fg_intern(&p->tree->names, name);
	}
	if (p->name_count < n || text.len)
		set_fault(p, "its names are not as many as it says");
}

/* Colours are made anew when a picture is drawn. */
static void skip_colours(struct parser *p)
{
	uint64_t n = size(p);

	if (n > p->rest.len / 3)
		set_fault(p, "it ends early");
	p->rest = fg_str_from_pos(p->rest, n * 3);
	for (size_t i = 0; i < p->name_count && !p->fault; i++)
		number_below(p, n, "a name has no such colour");
}

static void read_frames(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t frames = size(p);
	uint64_t depth = 0;

	if (!frames || frames > FG_TREEDATA_FRAMES_MAX)
		set_fault(p, "it has no frames, or too many");
	for (uint32_t i = 1; i < frames && !p->fault; i++) {
		uint64_t up = number_below(p, depth + 1, "a frame has no parent");
		uint32_t parent = i - 1;

		depth = depth + 1 - up;
		while (up--)
			parent = t->nodes[parent].parent;
		fg_tree_append(t, parent, 0);
	}
	for (size_t i = 1; i < frames && !p->fault; i++) {
		uint64_t name = number_below(p, p->name_count, "a frame has no name");

		if (!p->fault)
			t->nodes[i].name = p->names[name];
	}
}

static void read_counts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t before = 0;

	for (size_t i = 0; i < t->count && !p->fault; i++)
		t->nodes[i].self = count(p, &t->total);
	if (p->flags & GAPS)
		for (size_t i = 1; i < t->count && !p->fault; i++) {
			uint64_t gaps = 0;

			t->nodes[i].start = count(p, &gaps);
		}
	if (!(p->flags & DIFFERENTIAL) || p->fault)
		return;
	t->before = fg_xcalloc(t->count, sizeof(*t->before));
	t->before_alloc = t->count;
	for (size_t i = 0; i < t->count && !p->fault; i++)
		t->before[i] = count(p, &before);
}

/* Each start is so far a gap; a node comes after its parent and left siblings. */
static void set_starts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t *ends = fg_xcalloc(t->count, sizeof(*ends));

	for (size_t i = 1; i < t->count && !p->fault; i++) {
		struct fg_tree_node *node = &t->nodes[i];
		const struct fg_tree_node *parent = &t->nodes[node->parent];
		uint64_t end = parent->start + parent->total;
		uint64_t at = ends[node->parent];

		if (node->total > end - at || node->start > end - at - node->total)
			set_fault(p, "a frame ends beyond its parent");
		node->start += at;
		ends[i] = node->start;
		ends[node->parent] = node->start + node->total;
	}
	free(ends);
}

const char *fg_treedata_read(struct fg_str bytes, struct fg_tree *tree)
{
	struct parser p = { .rest = bytes, .tree = tree, .unit = 1 };

	fg_tree_init(tree, FG_TREE_SORTED);
	read_header(&p);
	read_names(&p);
	if (p.flags & COLOURS)
		skip_colours(&p);
	if (!p.fault)
		read_frames(&p);
	if (!p.fault)
		read_counts(&p);
	if (!p.fault && p.rest.len)
		set_fault(&p, "it goes on after its end");
	free(p.names);
	if (p.flags & GAPS)
		tree->order = FG_TREE_INPUT;
	fg_tree_finish(tree);
	if (!p.fault && p.flags & GAPS)
		set_starts(&p);
	return p.fault;
}
