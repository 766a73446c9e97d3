/* Reads a tree back from its bytes, and trusts none of them. */
#include <stdlib.h>

#include "lib/svg/treedata.h"
#include "lib/base/xalloc.h"
#include "lib/svg/varint.h"

/* The bytes that are left, and what is wrong with those that were read. */
struct parser {
	struct fg_str rest;
	const struct fg_place *at;
	struct fg_diag *diag;
	bool failed;
	struct fg_tree *tree;
	uint64_t flags;
	unsigned decimals;
	uint64_t unit;
	uint32_t *names; /* ids by number */
	uint64_t name_count;
};

/* Only the first fault is worth a message: what follows it is read wrong. */
static void set_fault(struct parser *p, const char *fault)
{
	if (!p->failed)
		fg_error(p->diag, p->at,
			 "this SVG cannot be read: its data are damaged: %s", fault);
	p->failed = true;
}

/* The next number; 0 where there is none. */
static uint64_t read_number(struct parser *p)
{
	uint64_t n;

	if (!fg_varint_cut(&p->rest, &n))
		return n;
	set_fault(p, "it ends early or has a number above 2^64-1");
	return 0;
}

/* The next number where it says how many things of at least one byte follow. */
static size_t read_size(struct parser *p)
{
	uint64_t n = read_number(p);

	if (n <= p->rest.len)
		return (size_t)n;
	set_fault(p, "it ends early");
	return 0;
}

/* The next number where it is less than `limit`. */
static uint64_t read_below(struct parser *p, uint64_t limit, const char *fault)
{
	uint64_t n = read_number(p);

	if (n < limit)
		return n;
	set_fault(p, fault);
	return 0;
}

/* The next count, and the sum of those of its kind, which stays below 2^64. */
static uint64_t read_count(struct parser *p, uint64_t *sum)
{
	uint64_t n = read_number(p);

	if (n <= (UINT64_MAX - *sum) / p->unit) {
		*sum += n * p->unit;
		return n * p->unit;
	}
	set_fault(p, "the sum of its counts exceeds 2^64-1");
	return 0;
}

static void read_header(struct parser *p)
{
	if (!fg_str_starts(p->rest, FG_STR(FG_TREEDATA_MAGIC))) {
		set_fault(p, "it does not start as it should");
		return;
	}
	p->rest = fg_str_from_pos(p->rest, sizeof(FG_TREEDATA_MAGIC) - 1);
	p->flags = read_below(p, 2 * FG_TREEDATA_COLOURS, "it is of a newer kind");
	p->decimals = (unsigned)read_below(p, FG_COUNT_DECIMALS_MAX + 1,
					   "it has too many decimals");
	p->unit = read_number(p);
	if (!p->unit) {
		set_fault(p, "its unit is 0");
		p->unit = 1;
	}
}

static void read_names(struct parser *p)
{
	struct fg_str text;
	size_t n = read_size(p), len = read_size(p);

	text = fg_str_before(p->rest, len);
	p->rest = fg_str_from_pos(p->rest, len);
	p->names = fg_xcalloc(n, sizeof(*p->names));
	while (p->name_count < n && text.len && text.ptr[text.len - 1] == '\n') {
		struct fg_str name = fg_str_cut(&text, '\n');

		if (fg_str_has_char(name, ';'))
			set_fault(p, "a name has a ';'");
		p->names[p->name_count++] = fg_intern(&p->tree->names, name);
	}
	if (p->name_count < n || text.len)
		set_fault(p, "it has another number of names than it says");
}

/* Colours are made anew when a picture is drawn. */
static void skip_colours(struct parser *p)
{
	size_t n = read_size(p);

	if (n > p->rest.len / 3)
		set_fault(p, "it ends early");
	p->rest = fg_str_from_pos(p->rest, n * 3);
	for (size_t i = 0; i < p->name_count && !p->failed; i++)
		read_below(p, n, "a name has a colour that does not exist");
}

static void read_frames(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t frames = read_size(p);
	uint64_t depth = 0;

	if (!frames || frames > FG_TREEDATA_FRAMES_MAX)
		set_fault(p, "it has no frames, or too many");
	for (uint32_t i = 1; i < frames && !p->failed; i++) {
		uint64_t up = read_below(p, depth + 1, "a frame has no parent");
		uint32_t parent = i - 1;

		depth = depth + 1 - up;
		while (up--)
			parent = t->nodes[parent].parent;
		fg_tree_append(t, parent, 0);
	}
	for (size_t i = 1; i < frames && !p->failed; i++) {
		uint64_t name = read_below(p, p->name_count, "a frame has no name");

		if (!p->failed)
			t->nodes[i].name = p->names[name];
	}
}

static void read_counts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t before = 0;

	for (size_t i = 0; i < t->count && !p->failed; i++)
		t->nodes[i].self = read_count(p, &t->total);
	if (p->flags & FG_TREEDATA_GAPS)
		for (size_t i = 1; i < t->count && !p->failed; i++) {
			uint64_t gaps = 0;

			t->starts[i] = read_count(p, &gaps);
		}
	if (!(p->flags & FG_TREEDATA_DIFFERENTIAL) || p->failed)
		return;
	t->before = fg_xcalloc(t->count, sizeof(*t->before));
	t->before_alloc = t->count;
	for (size_t i = 0; i < t->count && !p->failed; i++)
		t->before[i] = read_count(p, &before);
}

/* Each start is so far a gap; a node comes after its parent and left siblings. */
static void set_starts(struct parser *p)
{
	struct fg_tree *t = p->tree;
	uint64_t *ends = fg_xcalloc(t->count, sizeof(*ends));

	for (size_t i = 1; i < t->count && !p->failed; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t end = t->starts[node->parent] + t->nodes[node->parent].total;
		uint64_t at = ends[node->parent];

		if (node->total > end - at || t->starts[i] > end - at - node->total)
			set_fault(p, "a frame ends beyond its parent");
		t->starts[i] += at;
		ends[i] = t->starts[i];
		ends[node->parent] = t->starts[i] + node->total;
	}
	free(ends);
}

int fg_treedata_read(struct fg_str bytes, struct fg_tree *tree,
		     const struct fg_place *at, struct fg_diag *diag)
{
	struct parser p = {
		.rest = bytes, .tree = tree, .at = at, .diag = diag, .unit = 1
	};

	read_header(&p);
	fg_tree_init(tree, p.flags & FG_TREEDATA_GAPS ? FG_TREE_INPUT : FG_TREE_SORTED);
	tree->decimals = p.decimals;
	read_names(&p);
	if (p.flags & FG_TREEDATA_COLOURS)
		skip_colours(&p);
	if (!p.failed)
		read_frames(&p);
	if (!p.failed)
		read_counts(&p);
	if (!p.failed && p.rest.len)
		set_fault(&p, "more bytes follow after its end");
	free(p.names);
	fg_tree_finish(tree);
	if (!p.failed && p.flags & FG_TREEDATA_GAPS)
		set_starts(&p);
	return p.failed ? -1 : 0;
}
