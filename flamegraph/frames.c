/* Writing the frames: what depends on the name or the row only is made once. */
#include "flamegraph/frames.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/number.h"
#include "lib/utf8.h"
#include "lib/xalloc.h"
#include "lib/xml.h"

/* Room for the markup, the numbers and the colours of a frame. */
#define FIXED_ROOM 1024

/* The most bytes that one byte of a name becomes in XML: &quot; */
#define ESCAPED_MAX 6

#define LABEL_INDENT 3
#define LABEL_DROP 3
#define MIN_LABEL_CHARS 3

/* What the frames of a name have in common. */
struct name {
	struct fg_str raw; /* with its annotation */
	struct fg_str label; /* without it */
	struct fg_str shown; /* that, escaped for XML */
	struct fg_str annotation;
	struct fg_str fill;
	const struct fg_nameattr *attr;
	bool ready;
	bool found; /* by --search */
	bool separator; /* "-" or "--" */
};

/* What the frames of a row have in common: markup with the vertical positions. */
struct row {
	struct fg_str rect, text;
};

struct writer {
	struct fg_graph *graph;
	struct fg_out *out;
	struct fg_arena text;
	struct name *names; /* by id in the tree */
	struct name root;
	struct row *rows; /* by depth */
	struct fg_random random;
	struct fg_str gap, end; /* between the elements of a frame, and after */
	struct fg_str count_name;
	struct fg_str height; /* ends the start of a rect's attributes */
	struct fg_str rect_end;
	bool exact; /* counts are shown as they are */
	double label_char; /* width of a character */
	double shown_total; /* what is 100% */
	double max_delta;
};

/* A frame in counts and in pixels. */
struct frame {
	const struct fg_tree_node *node;
	struct name *name;
	const struct row *row;
	bool root;
	double counts;
	double width;
	int64_t left, right; /* in tenths of a pixel */
};

static struct fg_str keep_out(struct writer *w, struct fg_out *memory)
{
	struct fg_str kept = fg_arena_copy(&w->text, fg_buf_str(&memory->buf));

	fg_out_close(memory);
	return kept;
}

static struct fg_str escaped(struct writer *w, struct fg_str s)
{
	struct fg_out memory;

	fg_out_init_memory(&memory);
	fg_xml_text(&memory, s);
	if (fg_str_eq(fg_buf_str(&memory.buf), s)) {
		fg_out_close(&memory);
		return s;
	}
	return keep_out(w, &memory);
}

static struct fg_str keep_colour(struct writer *w, struct fg_rgb colour)
{
	char text[FG_NUMBER_MAX];
	char *end = fg_put_rgb(text, colour);

	return fg_arena_copy(&w->text, fg_str_of(text, (size_t)(end - text)));
}

static struct fg_rgb palette_colour(struct writer *w, struct fg_str name)
{
	const struct fg_graph_options *o = w->graph->options;
	struct fg_shade shade;

	if (o->hash)
		shade = fg_shade_of_hash(name);
	else if (o->random && !o->deterministic)
		shade = fg_shade_random(&w->random);
	else
		shade = fg_shade_of_sum(name);
	return fg_palette_colour((enum fg_palette)o->palette, name, shade);
}

/* A colour that every frame of the name has, unless something else decides. */
static struct fg_str colour_of_name(struct writer *w, struct name *n)
{
	struct fg_palette_map *map = &w->graph->colours;
	struct fg_str colour;

	if (n->separator)
		return n->raw.len == 1 ? FG_STR("rgb(200,200,200)") :
					 FG_STR("rgb(160,160,160)");
	if (!w->graph->options->cp || w->graph->tree.before)
		return keep_colour(w, palette_colour(w, n->raw));
	colour = fg_palette_map_get(map, n->raw);
	if (!colour.len) {
		fg_palette_map_set(map, n->raw,
				   keep_colour(w, palette_colour(w, n->raw)));
		colour = fg_palette_map_get(map, n->raw);
	}
	return escaped(w, colour);
}

static void prepare_name(struct writer *w, struct name *n, struct fg_str raw)
{
	n->raw = raw;
	n->label = fg_without_annotation(raw);
	n->annotation = fg_str_from_pos(raw, n->label.len);
	n->shown = escaped(w, n->label);
	n->separator = fg_str_eq(raw, FG_STR("-")) || fg_str_eq(raw, FG_STR("--"));
	n->fill = colour_of_name(w, n);
	n->ready = true;
}

static struct name *name_of(struct writer *w, uint32_t id)
{
	struct name *n = &w->names[id];

	if (!n->ready) {
		prepare_name(w, n, fg_intern_name(&w->graph->tree.names, id));
		n->found = w->graph->search.found && w->graph->search.found[id];
	}
	return n;
}

static struct row make_row(struct writer *w, uint32_t depth)
{
	const struct fg_layout *l = &w->graph->layout;
	double y = fg_layout_y(l, depth);
	double height = l->frame_height - FG_FRAME_GAP;
	struct fg_buf text = { NULL, 0, 0 };
	struct row row;

	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, y);
	fg_buf_add_str(&text, FG_STR("\" width=\""));
	row.rect = fg_arena_copy(&w->text, fg_buf_str(&text));
	fg_buf_clear(&text);
	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, LABEL_DROP + y + height / 2);
	fg_buf_add_str(&text, FG_STR("\">"));
	row.text = fg_arena_copy(&w->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return row;
}

static struct fg_str make_rect_end(struct writer *w)
{
	const struct fg_graph_options *o = w->graph->options;
	struct fg_out memory;

	fg_out_init_memory(&memory);
	fg_out_add_char(&memory, '"');
	if (o->has_stroke)
		fg_xml_attr(&memory, "stroke", keep_colour(w, o->stroke_colour));
	fg_out_add_str(&memory, FG_STR("/>"));
	return keep_out(w, &memory);
}

static struct fg_str make_height(struct writer *w)
{
	struct fg_buf text = { NULL, 0, 0 };
	struct fg_str kept;

	fg_buf_add_str(&text, FG_STR("\" height=\""));
	fg_add_number(&text, w->graph->layout.frame_height - FG_FRAME_GAP);
	fg_buf_add_str(&text, FG_STR("\" fill=\""));
	kept = fg_arena_copy(&w->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return kept;
}

static void find_attributes(struct writer *w)
{
	const struct fg_nameattrs *attributes = &w->graph->attributes;
	struct fg_intern *names = &w->graph->tree.names;

	for (size_t i = 0; i < attributes->count; i++) {
		const struct fg_nameattr *attr = &attributes->items[i];

		if (!attr->function.len)
			w->root.attr = attr;
		w->names[fg_intern(names, attr->function)].attr = attr;
	}
}

static void init(struct writer *w, struct fg_graph *graph, struct fg_out *out)
{
	const struct fg_graph_options *o = graph->options;
	size_t rows = (size_t)graph->layout.max_depth + 1;
	double max_delta = fg_tree_number(&graph->tree, graph->tree.max_delta);

	memset(w, 0, sizeof(*w));
	w->graph = graph;
	w->out = out;
	fg_arena_init(&w->text);
	w->random = (struct fg_random)FG_RANDOM_INIT;
	w->names = fg_xcalloc(
		fg_size_add(graph->tree.names.count, graph->attributes.count),
		sizeof(*w->names));
	w->rows = fg_xcalloc(rows, sizeof(*w->rows));
	for (uint32_t depth = 0; depth < rows; depth++)
		w->rows[depth] = make_row(w, depth);
	w->gap = o->pretty_xml ? FG_STR("\n\t") : FG_STR("");
	w->end = o->pretty_xml ? FG_STR("\n") : FG_STR("");
	w->count_name = escaped(w, fg_str_from(o->countname));
	w->height = make_height(w);
	w->rect_end = make_rect_end(w);
	w->exact = !graph->tree.decimals && o->factor == 1;
	w->label_char = o->fontsize * o->fontwidth;
	w->shown_total = graph->layout.total * o->factor;
	w->max_delta = max_delta > 1 ? max_delta : 1;
	find_attributes(w);
	prepare_name(w, &w->root, FG_STR(""));
	w->root.found = graph->search.root;
}

static void release(struct writer *w)
{
	fg_arena_release(&w->text);
	free(w->names);
	free(w->rows);
}

static struct frame measure(struct writer *w, const struct fg_layout_frame *at)
{
	const struct fg_tree *tree = &w->graph->tree;
	const struct fg_layout *l = &w->graph->layout;
	const struct fg_tree_node *node = &tree->nodes[at->node];
	struct frame f = { .node = node, .row = &w->rows[at->depth] };
	double start = fg_tree_number(tree, node->start);
	double end = fg_tree_number(tree, node->start + node->total);
	double x1, x2;

	f.root = at->node == 0;
	f.name = f.root ? &w->root : name_of(w, node->name);
	f.counts = fg_tree_number(tree, node->total);
	if (f.root)
		f.counts = end = l->total;
	x1 = fg_layout_x(l, start);
	x2 = fg_layout_x(l, end);
	f.width = x2 - x1;
	f.left = fg_fixed(x1, 1);
	f.right = fg_fixed(x2, 1);
	return f;
}

/* How many bytes the texts of a frame can take at most. */
static size_t room_for(const struct writer *w, const struct frame *f)
{
	const struct name *n = f->name;
	size_t room = FIXED_ROOM + w->count_name.len + 2 * n->shown.len + n->fill.len;

	room = fg_size_add(room, fg_size_mul(n->label.len, ESCAPED_MAX));
	if (n->attr)
		room = fg_size_add(room, n->attr->attributes.len + n->attr->title.len);
	return room;
}

static char *put_count(char *p, const struct writer *w, const struct frame *f)
{
	const struct fg_tree *tree = &w->graph->tree;

	if (f->root && w->graph->layout.total > fg_tree_number(tree, tree->total)) {
		struct fg_buf text = { NULL, 0, 0 };

		fg_add_number(&text, w->graph->layout.total);
		p = fg_put_str(p, fg_buf_str(&text));
		fg_buf_release(&text);
		return p;
	}
	return fg_put_decimal(p, f->node->total, tree->decimals);
}

static char *put_start(char *p, const struct writer *w, const struct frame *f)
{
	const struct name *n = f->name;

	p = fg_put_str(p, n->attr && n->attr->is_link ? FG_STR("<a") : FG_STR("<g"));
	if (n->attr)
		p = fg_put_str(p, n->attr->attributes);
	p = fg_put_str(p, FG_STR(" fg:x=\""));
	p = fg_put_decimal(p, f->node->start, w->graph->tree.decimals);
	p = fg_put_str(p, FG_STR("\" fg:w=\""));
	p = put_count(p, w, f);
	if (n->annotation.len || (n->attr && n->attr->has_title)) {
		p = fg_put_str(p, FG_STR("\" fg:n=\""));
		p = fg_put_str(p, n->shown);
		p = fg_put_str(p, n->annotation);
	}
	return fg_put_str(p, FG_STR("\">"));
}

static double self_delta(const struct writer *w, const struct frame *f)
{
	const struct fg_tree *tree = &w->graph->tree;
	uint64_t before = tree->before[f->node - tree->nodes];
	uint64_t after = f->node->self;
	bool less = after < before;
	double delta = fg_tree_number(tree, less ? before - after : after - before);

	return less != w->graph->options->negate ? -delta : delta;
}

/* "; +1.25": of the total, as the share of the frame is. */
static char *put_delta(char *p, const struct writer *w, const struct frame *f)
{
	double delta = self_delta(w, f);

	*p++ = ';';
	*p++ = ' ';
	if (delta > 0)
		*p++ = '+';
	else if (delta < 0)
		*p++ = '-';
	delta = delta < 0 ? -delta : delta;
	p = fg_put_fixed(p, fg_fixed(100 * delta / w->shown_total, 2), 2);
	*p++ = '%';
	return p;
}

/* A double has too few digits for large whole counts. */
static uint64_t shown_counts(const struct writer *w, const struct frame *f)
{
	if (w->exact && !f->root)
		return f->node->total;
	return fg_rounded(f->counts * w->graph->options->factor);
}

static char *put_title(char *p, const struct writer *w, const struct frame *f)
{
	const struct name *n = f->name;
	uint64_t counts = shown_counts(w, f);

	p = fg_put_str(p, FG_STR("<title>"));
	if (n->attr && n->attr->has_title) {
		p = fg_put_str(p, n->attr->title);
		return fg_put_str(p, FG_STR("</title>"));
	}
	p = fg_put_str(p, f->root ? FG_STR("all") : n->shown);
	p = fg_put_str(p, FG_STR(" ("));
	p = fg_put_thousands(p, counts);
	*p++ = ' ';
	p = fg_put_str(p, w->count_name);
	if (f->root)
		return fg_put_str(p, FG_STR(", 100%)</title>"));
	*p++ = ',';
	*p++ = ' ';
	p = fg_put_fixed(p, fg_fixed(100 * (double)counts / w->shown_total, 2), 2);
	*p++ = '%';
	if (w->graph->tree.before)
		p = put_delta(p, w, f);
	return fg_put_str(p, FG_STR(")</title>"));
}

/* The colour that the frame has when it was not searched for. */
static char *put_own_fill(char *p, struct writer *w, const struct frame *f)
{
	const struct fg_graph_options *o = w->graph->options;

	if (f->name->separator)
		return fg_put_str(p, f->name->fill);
	if (o->colordiffusion)
		return fg_put_rgb(
			p, fg_colour_diffusion(f->counts / w->graph->layout.total));
	if (w->graph->tree.before)
		return fg_put_rgb(p, fg_colour_delta(self_delta(w, f), w->max_delta));
	if (o->random && !o->hash && !o->deterministic && !o->cp)
		return fg_put_rgb(p, palette_colour(w, f->name->raw));
	return fg_put_str(p, f->name->fill);
}

static char *put_rect(char *p, struct writer *w, const struct frame *f)
{
	p = fg_put_str(p, FG_STR("<rect x=\""));
	p = fg_put_fixed(p, f->left, 1);
	p = fg_put_str(p, f->row->rect);
	p = fg_put_fixed(p, f->right - f->left, 1);
	p = fg_put_str(p, w->height);
	if (f->name->found) {
		p = fg_put_rgb(p, w->graph->options->search_colour);
		p = fg_put_str(p, FG_STR("\" fg:fill=\""));
	}
	p = put_own_fill(p, w, f);
	return fg_put_str(p, w->rect_end);
}

static char *put_escaped(char *p, struct fg_str s)
{
	struct fg_out memory;

	fg_out_init_memory(&memory);
	fg_xml_text(&memory, s);
	p = fg_put_str(p, fg_buf_str(&memory.buf));
	fg_out_close(&memory);
	return p;
}

/* There are at least as many bytes as characters. */
static bool fits(struct fg_str label, double room)
{
	return room >= (double)label.len || room >= (double)fg_utf8_count(label);
}

static char *put_label(char *p, const struct writer *w, const struct frame *f)
{
	const struct name *n = f->name;
	double room = f->width / w->label_char;

	if (!n->label.len || room < MIN_LABEL_CHARS)
		return p;
	p = fg_put_str(p, w->gap);
	p = fg_put_str(p, FG_STR("<text x=\""));
	p = fg_put_fixed(p, f->left + 10 * LABEL_INDENT, 1);
	p = fg_put_str(p, f->row->text);
	if (fits(n->label, room)) {
		p = fg_put_str(p, n->shown);
	} else {
		p = put_escaped(p, fg_utf8_prefix(n->label, (size_t)room - 2));
		p = fg_put_str(p, FG_STR(".."));
	}
	return fg_put_str(p, FG_STR("</text>"));
}

static void write_frame(struct writer *w, const struct fg_layout_frame *at)
{
	struct frame f = measure(w, at);
	char *p = fg_out_room(w->out, room_for(w, &f));

	p = put_start(p, w, &f);
	p = fg_put_str(p, w->gap);
	p = put_title(p, w, &f);
	p = fg_put_str(p, w->gap);
	p = put_rect(p, w, &f);
	p = put_label(p, w, &f);
	p = fg_put_str(p, w->end);
	p = fg_put_str(p, f.name->attr && f.name->attr->is_link ? FG_STR("</a>\n") :
								  FG_STR("</g>\n"));
	fg_out_filled(w->out, p);
}

void fg_frames_write(struct fg_graph *graph, struct fg_out *out)
{
	struct writer writer;

	init(&writer, graph, out);
	for (size_t i = 0; i < graph->layout.count; i++)
		write_frame(&writer, &graph->layout.frames[i]);
	release(&writer);
}
