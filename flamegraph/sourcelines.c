/*
 * Chooses the hottest lines of each function, and reads their source text.
 *
 * The viewer's lines.js chooses the lines in the same way when it shows a card. The
 * paths and the text of the files may be hostile: lib/profile/source.h says which files
 * are read, and we write the text like names, with control characters made visible.
 */
#include "flamegraph/sourcelines.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/sort.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "lib/profile/line.h"
#include "lib/profile/source.h"
#include "lib/svg/xml.h"

/* A card shows this many lines of a function. */
#define CARD_LINES 3

/* A longer line of source is cut to this many columns. */
#define COLUMNS 100

/* We look at this many bytes of a line; a character has at most 4. */
#define BYTES ((size_t)4 * COLUMNS)

/* The most bytes of places and texts in a picture. */
#define TEXT_MAX ((size_t)256 << 10)

#define ELLIPSIS "\xe2\x80\xa6"

/* ---- the hottest lines */

/* The sum of a name, which is a line of a function. */
struct line_sum {
	uint64_t total;
	uint32_t number; /* the line; 0 if the name has none */
};

/* The lines of a function, the hottest first: ids of names. */
struct hottest {
	uint32_t names[CARD_LINES];
	unsigned count;
};

/* The outermost call of a function that the walk of the tree has met last. */
struct call {
	uint32_t node; /* 0: none */
	unsigned depth;
};

/* Sums up the totals of names. A recursive call is part of the outer one. */
static void sum_names(const struct fg_tree *t, struct line_sum *sums)
{
	struct call *outer = fg_xcalloc(t->names.count, sizeof(*outer));
	uint32_t *path = NULL; /* indexed by depth: the node on the way to this one */
	size_t path_alloc = 0;
	unsigned depth = 1;

	for (uint32_t node = t->nodes[0].first; node != FG_TREE_NONE;
	     node = fg_tree_walk(t, node, true, &depth)) {
		uint32_t name = t->nodes[node].name;
		struct call *o = &outer[name];

		FG_GROW(path, path_alloc, (size_t)depth + 1);
		path[depth] = node;
		if (o->node && o->depth < depth && path[o->depth] == o->node)
			continue;
		*o = (struct call){ node, depth };
		sums[name].total += t->nodes[node].total;
	}
	free(outer);
	free(path);
}

static bool is_hotter(const struct line_sum *a, const struct line_sum *b)
{
	return a->total != b->total ? a->total > b->total : a->number < b->number;
}

static void insert(struct hottest *h, const struct line_sum *sums, uint32_t name)
{
	unsigned at = h->count;

	while (at && is_hotter(&sums[name], &sums[h->names[at - 1]]))
		at--;
	if (at == CARD_LINES)
		return;
	if (h->count < CARD_LINES)
		h->count++;
	memmove(h->names + at + 1, h->names + at,
		(h->count - at - 1) * sizeof(*h->names));
	h->names[at] = name;
}

/* Returns "src/app.c:12" of a name that has a line. */
static struct fg_str place_of(struct fg_str name, size_t *file_len)
{
	struct fg_line line = { .number = 0 };

	fg_line_split(name, &line);
	*file_len = line.file.len;
	return fg_str_before(fg_str_from_pos(name, (size_t)(line.file.ptr - name.ptr)),
			     name.len - (size_t)(line.file.ptr - name.ptr) -
				     line.annotation.len);
}

/* Adds a line. `share` is its share of the profile. */
static void add_line(struct fg_sourcelines *s, struct fg_str name,
		     const struct line_sum *sum, double share)
{
	size_t before = s->places.count, file_len;
	uint32_t id = fg_intern(&s->places, place_of(name, &file_len));

	if (s->places.count > before) {
		FG_GROW(s->lines, s->lines_alloc, s->places.count);
		s->lines[id] = (struct fg_sourceline){ .file_len = file_len,
						       .number = sum->number };
	}
	if (share > s->lines[id].share)
		s->lines[id].share = share;
}

static void add_hottest(struct fg_sourcelines *s, const struct fg_tree *t)
{
	size_t names = t->names.count;
	struct line_sum *sums = fg_xcalloc(names, sizeof(*sums));
	struct hottest *hottest = fg_xcalloc(names, sizeof(*hottest));
	struct fg_intern functions;
	struct fg_line line;

	fg_intern_init(&functions);
	sum_names(t, sums);
	for (uint32_t i = 0; i < names; i++) {
		if (!sums[i].total ||
		    !fg_line_split(fg_intern_name(&t->names, i), &line))
			continue;
		sums[i].number = line.number;
		insert(&hottest[fg_intern(&functions, line.name)], sums, i);
	}
	for (size_t f = 0; f < functions.count; f++)
		for (unsigned i = 0; i < hottest[f].count; i++) {
			uint32_t name = hottest[f].names[i];

			add_line(s, fg_intern_name(&t->names, name), &sums[name],
				 (double)sums[name].total / (double)t->total);
		}
	fg_intern_release(&functions);
	free(hottest);
	free(sums);
}

/* ---- their text */

static struct fg_str file_of(const struct fg_sourcelines *s, uint32_t id)
{
	return fg_str_before(fg_intern_name(&s->places, id), s->lines[id].file_len);
}

/* Keeps a line of a file in the form in which the card shows it. */
static void keep_text(struct fg_sourcelines *s, uint32_t id, struct fg_str source)
{
	struct fg_str rest = fg_str_trim(source);
	struct fg_str text = fg_str_before(rest, BYTES);
	struct fg_buf plain = FG_BUF_INIT, visible = FG_BUF_INIT;

	fg_buf_add_str(&plain, text);
	fg_buf_replace(&plain, 0, '\t', ' ');
	text = fg_visible(fg_buf_str(&plain), &visible);
	if (text.len && (rest.len > BYTES || fg_utf8_columns(text) > COLUMNS)) {
		struct fg_str start = fg_utf8_fitting(text, COLUMNS - 1);
		struct fg_buf cut = FG_BUF_INIT;

		fg_buf_add_str(&cut, start);
		fg_buf_add_str(&cut, FG_STR(ELLIPSIS));
		s->lines[id].text = fg_arena_copy(&s->texts, fg_buf_str(&cut));
		fg_buf_release(&cut);
	} else {
		s->lines[id].text = fg_arena_copy(&s->texts, text);
	}
	fg_buf_release(&plain);
	fg_buf_release(&visible);
}

static int compare_places(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_sourcelines *s = context;

	return fg_str_cmp(fg_intern_name(&s->places, a), fg_intern_name(&s->places, b));
}

static int compare_shares(const void *context, uint32_t a, uint32_t b)
{
	const struct fg_sourcelines *s = context;

	return (s->lines[a].share < s->lines[b].share) -
	       (s->lines[a].share > s->lines[b].share);
}

static uint32_t *sort_lines(const struct fg_sourcelines *s, fg_compare *compare)
{
	uint32_t *order = fg_xcalloc(s->places.count, sizeof(*order));

	for (uint32_t i = 0; i < s->places.count; i++)
		order[i] = i;
	fg_sort(order, s->places.count, compare, s);
	return order;
}

/* Reads each file once: in the order of places, the lines of a file are together. */
static void read_texts(struct fg_sourcelines *s, struct fg_sources *sources)
{
	uint32_t *order = sort_lines(s, compare_places);
	bool found = false;

	for (size_t i = 0; i < s->places.count; i++) {
		struct fg_str file = file_of(s, order[i]);

		if (!i || !fg_str_eq(file, file_of(s, order[i - 1])))
			found = fg_sources_read(sources, file);
		if (found)
			keep_text(s, order[i],
				  fg_sources_line(sources, s->lines[order[i]].number));
	}
	free(order);
}

/* Drops the texts of the coldest lines if there are too many bytes. */
static void limit_texts(struct fg_sourcelines *s, struct fg_diag *diag)
{
	uint32_t *order = sort_lines(s, compare_shares);
	size_t room = TEXT_MAX, dropped = 0;

	for (size_t i = 0; i < s->places.count; i++) {
		struct fg_sourceline *line = &s->lines[order[i]];
		size_t size = fg_size_add(fg_intern_name(&s->places, order[i]).len,
					  line->text.len);

		if (!line->text.len)
			continue;
		if (size > room) {
			line->text.len = 0;
			dropped++;
			continue;
		}
		room -= size;
		s->count++;
	}
	if (dropped)
		fg_warn(diag, NULL,
			"the source of %zu lines is left out: a picture has at most "
			"256 KiB of it",
			dropped);
	free(order);
}

int fg_sourcelines_init(struct fg_sourcelines *s, const struct fg_graph *graphs,
			size_t count)
{
	const struct fg_graph_options *o = graphs->options;
	struct fg_sources sources;
	int status;

	*s = (struct fg_sourcelines){ .count = 0 };
	fg_intern_init(&s->places);
	if (!o->source)
		return 0;
	for (size_t i = 0; i < count; i++)
		add_hottest(s, &graphs[i].tree);
	if (!s->places.count) {
		fg_warn(graphs->diag, NULL,
			"no frame has a source line, so --source adds nothing: fold "
			"the recording with --lines, as in collapse-perf --lines");
		return 0;
	}
	status = fg_sources_open(&sources, o->source_dirs.items, o->source_dirs.count,
				 graphs->diag);
	if (!status) {
		read_texts(s, &sources);
		fg_sources_end(&sources);
		limit_texts(s, graphs->diag);
	}
	fg_sources_release(&sources);
	return status;
}

void fg_sourcelines_release(struct fg_sourcelines *s)
{
	fg_intern_release(&s->places);
	fg_arena_release(&s->texts);
	free(s->lines);
	*s = (struct fg_sourcelines){ .count = 0 };
}

void fg_sourcelines_write(const struct fg_sourcelines *s, struct fg_out *out)
{
	for (uint32_t i = 0; s->count && i < s->places.count; i++) {
		if (!s->lines[i].text.len)
			continue;
		fg_out_add_str(out, FG_STR("<fg:line"));
		fg_xml_attr(out, "at", fg_intern_name(&s->places, i));
		fg_out_add_char(out, '>');
		fg_xml_text(out, s->lines[i].text);
		fg_out_add_str(out, FG_STR("</fg:line>\n"));
	}
}
