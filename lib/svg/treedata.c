/* Writes a tree as bytes that can travel in a file. */
#include "lib/svg/treedata.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/svg/varint.h"

/* A frame on the way from the root to the one that is written. */
struct step {
	size_t frame; /* how many are written before it */
	uint64_t end; /* of its children so far */
};

struct writer {
	const struct fg_treedata *data;
	const struct fg_tree *tree;
	bool has_gaps;
	size_t count; /* frames so far */
	struct fg_buf ups; /* the first column as it is written */
	uint32_t *ids; /* by frame, of its name */
	uint64_t *self; /* by frame */
	uint64_t *gaps; /* the same; NULL where they are not written */
	uint64_t *before; /* the same */
	uint64_t *sums_before; /* inclusive, by node; where frames are left out */
	uint64_t *sums_after; /* the same, where widths are others; else NULL */
	struct step *path; /* by depth */
	size_t path_alloc;
	uint64_t unit;
	uint32_t *uses; /* how many frames have a name, by id */
	uint32_t *names; /* ids of those that are used; the one used first is first */
	size_t name_count;
};

/* Room for all frames: what stays without use takes no memory. */
static void init_columns(struct writer *w)
{
	const struct fg_tree *t = w->tree;

	w->ids = fg_xmalloc(fg_size_mul(t->count, sizeof(*w->ids)));
	w->self = fg_xmalloc(fg_size_mul(t->count, sizeof(*w->self)));
	if (w->has_gaps)
		w->gaps = fg_xmalloc(fg_size_mul(t->count, sizeof(*w->gaps)));
	if (t->before)
		w->before = fg_xmalloc(fg_size_mul(t->count, sizeof(*w->before)));
	w->uses = fg_xcalloc(t->names.count, sizeof(*w->uses));
	w->names = fg_xcalloc(t->names.count, sizeof(*w->names));
}

/* In a flame chart a frame starts where its left sibling ends, or right of that. */
static uint64_t take_gap(struct writer *w, uint32_t node, unsigned depth)
{
	uint64_t start = w->tree->starts[node];
	uint64_t gap = depth ? start - w->path[depth - 1].end : 0;

	w->path[depth].end = start;
	if (depth)
		w->path[depth - 1].end = start + w->tree->nodes[node].total;
	return gap;
}

static void add_frame(struct writer *w, uint32_t i, unsigned depth)
{
	const struct fg_tree_node *node = &w->tree->nodes[i];

	FG_GROW(w->path, w->path_alloc, (size_t)depth + 1);
	w->path[depth].frame = w->count;
	w->ids[w->count] = node->name;
	w->self[w->count] = w->tree->after ? w->tree->after[i] : node->self;
	if (w->gaps)
		w->gaps[w->count] = take_gap(w, i, depth);
	if (w->before)
		w->before[w->count] = w->tree->before[i];
	if (i && !w->uses[node->name]++)
		w->names[w->name_count++] = node->name;
	w->count++;
}

/* What is not in the children that are written is the frame's own. */
static void leave_out(struct writer *w, uint32_t i, unsigned depth)
{
	size_t parent = w->path[depth - 1].frame;

	w->self[parent] += w->sums_after ? w->sums_after[i] : w->tree->nodes[i].total;
	if (w->before)
		w->before[parent] += w->sums_before[i];
}

static void collect(struct writer *w)
{
	unsigned depth = 0, last = 0;
	uint32_t node = 0;

	while (node != FG_TREE_NONE) {
		bool kept = !node || w->tree->nodes[node].total >= w->data->min;

		if (kept) {
			if (node)
				fg_varint_add(&w->ups, last + 1 - depth);
			add_frame(w, node, depth);
			last = depth;
		} else {
			leave_out(w, node, depth);
		}
		node = fg_tree_walk(w->tree, node, kept, &depth);
	}
}

static void find_unit(struct writer *w, const uint64_t *column)
{
	for (size_t i = 0; column && i < w->count && w->unit != 1; i++)
		if (column[i])
			w->unit = fg_common_divisor(column[i], w->unit);
}

/* How many names are used at least so often. */
static size_t names_used(const struct writer *w, uint32_t least)
{
	size_t names = 0;

	for (size_t id = 0; id < w->tree->names.count; id++)
		names += w->uses[id] >= least;
	return names;
}

/*
 * How many uses a name needs to be one of the frequent: there are as many of them as
 * have a number of one byte, or somewhat less.
 */
static uint32_t frequent_uses(const struct writer *w)
{
	uint32_t least = w->count < UINT32_MAX ? (uint32_t)w->count : UINT32_MAX, step;

	while (least && names_used(w, least / 2) <= FG_VARINT_ONE_BYTE)
		least /= 2;
	for (step = least / 16;
	     step && names_used(w, least - step) <= FG_VARINT_ONE_BYTE;)
		least -= step;
	return least;
}

/*
 * Short numbers for frequent names. Within those and the others, the one that is used
 * first is first: similar names are neighbours often.
 */
static void number_names(struct writer *w)
{
	uint32_t frequent = frequent_uses(w);
	uint32_t *numbered = fg_xcalloc(w->tree->names.count, sizeof(*numbered));
	size_t count = 0;

	for (size_t i = 0; i < w->name_count; i++)
		if (w->uses[w->names[i]] >= frequent)
			numbered[count++] = w->names[i];
	for (size_t i = 0; i < w->name_count; i++)
		if (w->uses[w->names[i]] < frequent)
			numbered[count++] = w->names[i];
	free(w->names);
	w->names = numbered;
}

static void write_names(const struct writer *w, struct fg_buf *out)
{
	size_t len = 0;

	for (size_t i = 0; i < w->name_count; i++)
		len += fg_intern_name(&w->tree->names, w->names[i]).len + 1;
	fg_varint_add(out, w->name_count);
	fg_varint_add(out, len);
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
	fg_varint_add(out, colours.count);
	for (uint32_t i = 0; i < colours.count; i++)
		fg_buf_add_str(out, fg_intern_name(&colours, i));
	for (size_t i = 0; i < w->name_count; i++)
		fg_varint_add(out, ids[i]);
	fg_intern_release(&colours);
	free(ids);
}

/* The numbers of the names, of all frames but the root. */
static void write_ids(const struct writer *w, struct fg_buf *out)
{
	uint32_t *numbers = fg_xcalloc(w->tree->names.count, sizeof(*numbers));
	char *p;

	for (uint32_t i = 0; i < w->name_count; i++)
		numbers[w->names[i]] = i;
	fg_buf_reserve(out, fg_size_mul(w->count, FG_VARINT_MAX));
	p = out->ptr + out->len;
	for (size_t i = 1; i < w->count; i++)
		p = fg_varint_put(p, numbers[w->ids[i]]);
	out->len = (size_t)(p - out->ptr);
	free(numbers);
}

static void write_counts(const struct writer *w, const uint64_t *column, size_t from,
			 struct fg_buf *out)
{
	char *p;

	fg_buf_reserve(out, fg_size_mul(w->count, FG_VARINT_MAX));
	p = out->ptr + out->len;
	for (size_t i = from; i < w->count; i++)
		p = fg_varint_put(p, column[i] && w->unit != 1 ? column[i] / w->unit :
								 column[i]);
	out->len = (size_t)(p - out->ptr);
}

/* Columns one after the other are compressed better than frame by frame. */
static void write_all(const struct writer *w, struct fg_buf *out)
{
	const struct fg_tree *t = w->tree;
	uint64_t flags = (t->before ? FG_TREEDATA_DIFFERENTIAL : 0) |
			 (w->has_gaps ? FG_TREEDATA_GAPS : 0) |
			 (w->data->colours ? FG_TREEDATA_COLOURS : 0);

	fg_buf_add_str(out, FG_STR(FG_TREEDATA_MAGIC));
	fg_varint_add(out, flags);
	fg_varint_add(out, t->decimals);
	fg_varint_add(out, w->unit);
	write_names(w, out);
	if (w->data->colours)
		write_colours(w, out);
	fg_varint_add(out, w->count);
	fg_buf_add_str(out, fg_buf_str(&w->ups));
	write_ids(w, out);
	write_counts(w, w->self, 0, out);
	if (w->gaps)
		write_counts(w, w->gaps, 1, out);
	if (w->before)
		write_counts(w, w->before, 0, out);
}

size_t fg_treedata_write(const struct fg_treedata *d, struct fg_buf *out)
{
	struct writer w = { .data = d, .tree = d->tree };

	w.has_gaps = d->tree->order == FG_TREE_INPUT;
	init_columns(&w);
	if (d->tree->before && d->min)
		w.sums_before = fg_tree_sums_before(d->tree);
	if (d->tree->after && d->min)
		w.sums_after = fg_tree_sums(d->tree, d->tree->after);
	collect(&w);
	free(w.path);
	find_unit(&w, w.self);
	find_unit(&w, w.gaps);
	find_unit(&w, w.before);
	if (!w.unit)
		w.unit = 1;
	number_names(&w);
	write_all(&w, out);
	fg_buf_release(&w.ups);
	free(w.ids);
	free(w.self);
	free(w.gaps);
	free(w.before);
	free(w.sums_before);
	free(w.sums_after);
	free(w.uses);
	free(w.names);
	return w.count;
}
