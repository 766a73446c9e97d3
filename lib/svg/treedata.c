/* Writes a tree as bytes that travel in a picture, and reads it back. */
#include "lib/svg/treedata.h"

#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/svg/varint.h"

/* ---- writing */

/* A frame on the path from the root to the frame that is being written. */
struct step {
	size_t frame; /* the number of the frame in the data */
	uint64_t end; /* position, in counts, at which its last child so far ends */
};

struct writer {
	const struct fg_treedata *data;
	const struct fg_tree *tree;
	bool has_gaps;
	size_t count; /* number of frames so far */
	/*
	 * the first column, encoded: the number of levels from each frame up to the
	 * parent of the next frame
	 */
	struct fg_buf ups;
	uint32_t *ids; /* indexed by frame: the id of its name */
	uint64_t *self; /* own counts, indexed by frame */
	uint64_t *gaps; /* indexed by frame; NULL if not written */
	uint64_t *before; /* indexed by frame; NULL if not written */
	/* inclusive counts before, by node; only if frames are left out */
	uint64_t *sums_before;
	/* inclusive counts after, by node; only if widths differ from counts */
	uint64_t *sums_after;
	struct step *path; /* indexed by depth */
	size_t path_alloc;
	uint64_t unit;
	uint32_t *uses; /* indexed by id: how many frames have the name */
	uint32_t *names; /* ids of the used names, in order of first use */
	size_t name_count;
};

/* Allocates columns for all frames. Pages that stay unused take no memory. */
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

/*
 * Returns the gap before a frame of a flame chart: its distance from the end of its
 * left sibling or, for the first child, from the start of its parent. Updates the ends
 * in the path.
 */
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

/* Leaves out a frame: adds its counts to the self counts of its parent. */
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

/* Returns how many names are used at least `least` times. */
static size_t names_used(const struct writer *w, uint32_t least)
{
	size_t names = 0;

	for (size_t id = 0; id < w->tree->names.count; id++)
		names += w->uses[id] >= least;
	return names;
}

/*
 * Returns how many uses make a name frequent. This is chosen so that the numbers of all
 * frequent names fit into one byte.
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
 * Numbers the names, the frequent ones first, so that their numbers are short. Both the
 * frequent and the other names are in the order of first use, because similar names are
 * then often neighbours.
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

/* Writes each colour once, then the index of each name's colour. */
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

/* Writes the numbers of the names, of all frames except the root. */
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

/* Writes column by column, which compresses better than frame by frame. */
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

/* ---- reading */

/* The input, and what was read so far. */
struct parser {
	struct fg_varint_reader in;
	struct fg_tree *tree;
	uint64_t flags;
	unsigned decimals;
	uint64_t unit;
	uint32_t *names; /* indexed by number in the data: id in the tree */
	uint64_t name_count;
};

/*
 * Reads a count and adds it to `sum`, the sum of its column, which must stay below
 * 2^64.
 */
static uint64_t read_count(struct parser *p, uint64_t *sum)
{
	uint64_t n = fg_varint_read(&p->in);

	if (n <= (UINT64_MAX - *sum) / p->unit) {
		*sum += n * p->unit;
		return n * p->unit;
	}
	fg_varint_fault(&p->in, "the sum of their counts exceeds 2^64-1");
	return 0;
}

static void read_header(struct parser *p)
{
	if (!fg_str_starts(p->in.rest, FG_STR(FG_TREEDATA_MAGIC))) {
		fg_varint_fault(&p->in, "their first bytes are wrong");
		return;
	}
	p->in.rest = fg_str_from_pos(p->in.rest, sizeof(FG_TREEDATA_MAGIC) - 1);
	p->flags = fg_varint_read_below(&p->in, 2 * FG_TREEDATA_COLOURS,
					"they are of a newer version");
	p->decimals = (unsigned)fg_varint_read_below(&p->in, FG_COUNT_DECIMALS_MAX + 1,
						     "they have too many decimals");
	p->unit = fg_varint_read(&p->in);
	if (!p->unit) {
		fg_varint_fault(&p->in, "their unit is 0");
		p->unit = 1;
	}
}

static void read_names(struct parser *p)
{
	struct fg_str text;
	size_t n = fg_varint_read_size(&p->in), len = fg_varint_read_size(&p->in);

	text = fg_str_before(p->in.rest, len);
	p->in.rest = fg_str_from_pos(p->in.rest, len);
	p->names = fg_xcalloc(n, sizeof(*p->names));
	while (p->name_count < n && text.len && text.ptr[text.len - 1] == '\n') {
		struct fg_str name = fg_str_cut(&text, '\n');

		if (fg_str_has_char(name, ';'))
			fg_varint_fault(&p->in, "a name has a ';'");
		p->names[p->name_count++] = fg_intern(&p->tree->names, name);
	}
	if (p->name_count < n || text.len)
		fg_varint_fault(&p->in, "the number of names is wrong");
}

/* Skips the colours, because they are chosen again when a picture is drawn. */
static void skip_colours(struct parser *p)
{
	size_t n = fg_varint_read_size(&p->in);

	if (n > p->in.rest.len / 3)
		fg_varint_fault(&p->in, "they end early");
	p->in.rest = fg_str_from_pos(p->in.rest, n * 3);
	for (size_t i = 0; i < p->name_count && !p->in.failed; i++)
		fg_varint_read_below(&p->in, n,
				     "a name has a colour that does not exist");
}

static void read_frames(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t frames = fg_varint_read_size(&p->in);
	uint64_t depth = 0;

	if (!frames || frames > FG_TREEDATA_FRAMES_MAX)
		fg_varint_fault(&p->in, "they have no frames, or too many");
	for (uint32_t i = 1; i < frames && !p->in.failed; i++) {
		uint64_t up = fg_varint_read_below(&p->in, depth + 1,
						   "a frame has no parent");
		uint32_t parent = i - 1;

		depth = depth + 1 - up;
		while (up--)
			parent = t->nodes[parent].parent;
		fg_tree_append(t, parent, 0);
	}
	for (size_t i = 1; i < frames && !p->in.failed; i++) {
		uint64_t name = fg_varint_read_below(&p->in, p->name_count,
						     "a frame has no name");

		if (!p->in.failed)
			t->nodes[i].name = p->names[name];
	}
}

static void read_counts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t before = 0;

	for (size_t i = 0; i < t->count && !p->in.failed; i++)
		t->nodes[i].self = read_count(p, &t->total);
	if (p->flags & FG_TREEDATA_GAPS)
		for (size_t i = 1; i < t->count && !p->in.failed; i++) {
			uint64_t gaps = 0;

			t->starts[i] = read_count(p, &gaps);
		}
	if (!(p->flags & FG_TREEDATA_DIFFERENTIAL) || p->in.failed)
		return;
	t->before = fg_xcalloc(t->count, sizeof(*t->before));
	t->before_alloc = t->count;
	for (size_t i = 0; i < t->count && !p->in.failed; i++)
		t->before[i] = read_count(p, &before);
}

/* Turns gaps into starts. A node comes after its parent and its left siblings. */
static void set_starts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t *ends = fg_xcalloc(t->count, sizeof(*ends));

	for (size_t i = 1; i < t->count && !p->in.failed; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t end = t->starts[node->parent] + t->nodes[node->parent].total;
		uint64_t at = ends[node->parent];

		if (node->total > end - at || t->starts[i] > end - at - node->total)
			fg_varint_fault(&p->in, "a frame ends beyond its parent");
		t->starts[i] += at;
		ends[i] = t->starts[i];
		ends[node->parent] = t->starts[i] + node->total;
	}
	free(ends);
}

int fg_treedata_read(struct fg_str bytes, struct fg_tree *tree,
		     const struct fg_place *at, struct fg_diag *diag)
{
	struct parser p = { .in = { bytes, at, diag, "data", false },
			    .tree = tree,
			    .unit = 1 };

	read_header(&p);
	fg_tree_init(tree, p.flags & FG_TREEDATA_GAPS ? FG_TREE_INPUT : FG_TREE_SORTED);
	tree->decimals = p.decimals;
	read_names(&p);
	if (p.flags & FG_TREEDATA_COLOURS)
		skip_colours(&p);
	if (!p.in.failed)
		read_frames(&p);
	if (!p.in.failed)
		read_counts(&p);
	if (!p.in.failed && p.in.rest.len)
		fg_varint_fault(&p.in, "more bytes follow after their end");
	free(p.names);
	fg_tree_finish(tree);
	if (!p.in.failed && p.flags & FG_TREEDATA_GAPS)
		set_starts(&p);
	return p.in.failed ? -1 : 0;
}
