/* Writes the slices of time in a picture as lines of folded stacks. */
#include "lib/svg/slicelines.h"

#include <stdlib.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "lib/profile/treelines.h"

static int report(const char *fault, const struct fg_place *at, struct fg_diag *diag)
{
	return fg_error(diag, at, "this SVG cannot be read: its slices of time %s",
			fault);
}

static uint32_t node_of(const struct fg_slicelines *l, size_t item)
{
	return l->data.stacks[l->data.items[item]];
}

/*
 * Subtracts the counts of the slices from those of the tree. Returns false if a frame
 * of the tree has fewer counts than its slices.
 */
static bool take_out(const struct fg_slicelines *l, struct fg_tree *tree)
{
	for (size_t i = 0; i < l->data.item_count; i++) {
		struct fg_tree_node *node = &tree->nodes[node_of(l, i)];

		if (l->data.counts[i] > node->self)
			return false;
		node->self -= l->data.counts[i];
	}
	return true;
}

/* Returns true if the text of all lines stays within the limit for pictures. */
static bool fits(const struct fg_slicelines *l)
{
	const struct fg_tree *t = l->tree;
	uint64_t *lengths = fg_xcalloc(t->count, sizeof(*lengths));
	uint64_t sum = 0;

	for (size_t i = 1; i < t->count; i++)
		lengths[i] = lengths[t->nodes[i].parent] + 1 +
			     fg_intern_name(&t->names, t->nodes[i].name).len;
	for (size_t i = 0; i < l->data.item_count && sum <= FG_TREELINES_SUM_MAX; i++)
		sum += lengths[node_of(l, i)] <= FG_TREELINES_MAX ?
			       lengths[node_of(l, i)] :
			       FG_TREELINES_SUM_MAX + 1;
	free(lengths);
	return sum <= FG_TREELINES_SUM_MAX;
}

/* Finds the position that each stack's line would have in a profile without slices. */
static void find_places(struct fg_slicelines *l)
{
	struct fg_treelines lines;
	struct fg_buf text = FG_BUF_INIT;
	uint32_t place = 0;

	l->places = fg_xcalloc(l->tree->count, sizeof(*l->places));
	fg_treelines_init(&lines, l->tree);
	while (fg_treelines_next(&lines, &text) > 0) {
		l->places[lines.node] = place++;
		fg_buf_clear(&text);
	}
	fg_treelines_release(&lines);
	fg_buf_release(&text);
}

static int compare_items(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_slicelines *l = context;
	uint32_t x = l->places[node_of(l, a)], y = l->places[node_of(l, b)];

	return x < y ? -1 : x > y;
}

static void sort_items(struct fg_slicelines *l)
{
	size_t first = 0;

	l->order = fg_xcalloc(l->data.item_count, sizeof(*l->order));
	for (size_t i = 0; i < l->data.item_count; i++)
		l->order[i] = (uint32_t)i;
	for (size_t slice = 0; slice < l->data.slice_count; slice++) {
		fg_sort(l->order + first, l->data.ends[slice] - first, compare_items,
			l);
		first = l->data.ends[slice];
	}
}

int fg_slicelines_init(struct fg_slicelines *l, struct fg_tree *tree,
		       struct fg_str bytes, const struct fg_place *at,
		       struct fg_diag *diag)
{
	const struct fg_slicedata *d = &l->data;
	uint64_t width;

	*l = (struct fg_slicelines){ .tree = tree };
	if (fg_slicedata_read(bytes, tree->count, &l->data, at, diag))
		return -1;
	if (tree->before || tree->order != FG_TREE_SORTED ||
	    d->item_count >= UINT32_MAX)
		return report("do not belong to its frames", at, diag);
	if (!fits(l))
		return report("would be more than 64 GiB of text", at, diag);
	find_places(l);
	if (!take_out(l, tree))
		return report("are damaged: their counts are larger than those of the "
			      "frames",
			      at, diag);
	sort_items(l);
	width = d->header.width;
	l->shape = fg_slice_shape(
		width, d->slice_count ? d->slices[d->slice_count - 1] * width : 0);
	return 0;
}

void fg_slicelines_release(struct fg_slicelines *l)
{
	fg_slicedata_release(&l->data);
	free(l->places);
	free(l->order);
	*l = (struct fg_slicelines){ .item = 0 };
}

void fg_slicelines_header(const struct fg_slicelines *l, struct fg_buf *out)
{
	fg_slice_add_header(out, &l->data.header);
}

/*
 * Appends the frames from the root to a node. Fills the text in from its end, because
 * we find the leaf first.
 */
static void add_stack(const struct fg_slicelines *l, uint32_t node, struct fg_buf *out)
{
	const struct fg_tree *t = l->tree;
	struct fg_str leaf = fg_intern_name(&t->names, t->nodes[node].name);
	size_t len = 0;
	char *end;

	for (uint32_t at = node; at; at = t->nodes[at].parent)
		len += 1 + fg_intern_name(&t->names, t->nodes[at].name).len;
	fg_buf_reserve(out, len);
	out->len += len;
	end = out->ptr + out->len;
	for (uint32_t at = node; at; at = t->nodes[at].parent) {
		struct fg_str name = fg_intern_name(&t->names, t->nodes[at].name);

		end -= name.len;
		if (name.len)
			memcpy(end, name.ptr, name.len);
		*--end = ';';
	}
	if (node && fg_folded_needs_semicolon(leaf, false))
		fg_buf_add_char(out, ';');
}

int fg_slicelines_next(struct fg_slicelines *l, struct fg_buf *out)
{
	const struct fg_slicedata *d = &l->data;
	uint32_t item;

	if (l->item == d->item_count)
		return 0;
	while (l->item == d->ends[l->slice])
		l->slice++;
	item = l->order[l->item++];
	fg_slice_add_frame(out, l->shape, d->slices[l->slice] * d->header.width);
	add_stack(l, node_of(l, item), out);
	fg_buf_add_char(out, ' ');
	fg_buf_add_sum(out, (struct fg_sum){ d->counts[item], 0 }, l->tree->decimals);
	fg_buf_add_char(out, '\n');
	return 1;
}
