/*
 * Writes the frames. Markup that depends only on the name or on the row is made once
 * and copied.
 */
#include "flamegraph/frames.h"

#include <stdlib.h>
#include <string.h>

#include "flamegraph/diffmarks.h"
#include "lib/profile/shorten.h"
#include "lib/base/number.h"
#include "lib/base/size.h"
#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/svg/xml.h"

/* Bytes to reserve for the markup, the numbers and the colours of a frame. */
#define FIXED_ROOM 1024

/*
 * Texts that are longer than this are written directly to the output, without reserving
 * space for them.
 */
#define LONG_NAME ((size_t)64 << 10)

/*
 * libxml2 refuses attributes of 10,000,000 bytes or more, so texts in our attributes
 * stay below this length.
 */
#define READABLE ((size_t)9900000)

/* The most bytes that one byte of a name can become in XML: the length of &quot; */
#define ESCAPED_MAX 6

/* Pixels from a frame's left edge to its label, and from its share to the right one. */
#define LABEL_INDENT 3

/* Columns between a label and a share. */
#define SHARE_GAP 2

/* A frame has no label if fewer characters than this fit. */
#define MIN_LABEL_CHARS 3

/* The markup of this many rows is made in advance. Deeper rows have few frames. */
#define ROWS_MAX 4096

/* Pixels from the middle of a frame to its label's baseline. */
#define LABEL_DROP 3

/*
 * The markup that all frames of a row share. `rect` is written after the x of a
 * rectangle, `text` after the x of a label. Both contain the vertical position.
 */
struct row {
	struct fg_str rect, text;
};

struct rows {
	const struct fg_layout *layout;
	struct row *rows; /* indexed by depth, below ROWS_MAX */
	struct fg_arena text; /* holds the strings of `rows` */
	struct fg_arena deep; /* holds the latest row that is not in `rows` */
};

/* Makes the markup of a row in `arena`. */
static struct row make_row(const struct fg_layout *l, uint32_t depth,
			   struct fg_arena *arena)
{
	double y = fg_layout_y(l, depth);
	double height = l->frame_height - FG_FRAME_GAP;
	struct fg_buf text = FG_BUF_INIT;
	struct row row;

	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, y);
	fg_buf_add_str(&text, FG_STR("\" width=\""));
	row.rect = fg_arena_copy(arena, fg_buf_str(&text));
	fg_buf_clear(&text);
	fg_buf_add_str(&text, FG_STR("\" y=\""));
	fg_add_number(&text, LABEL_DROP + y + height / 2);
	fg_buf_add_char(&text, '"');
	row.text = fg_arena_copy(arena, fg_buf_str(&text));
	fg_buf_release(&text);
	return row;
}

static void init_rows(struct rows *r, const struct fg_layout *layout)
{
	size_t rows = (size_t)layout->max_depth + 1;

	if (rows > ROWS_MAX)
		rows = ROWS_MAX;
	r->layout = layout;
	fg_arena_init(&r->text);
	fg_arena_init(&r->deep);
	r->rows = fg_xcalloc(rows, sizeof(*r->rows));
	for (uint32_t depth = 0; depth < rows; depth++)
		r->rows[depth] = make_row(layout, depth, &r->text);
}

static void release_rows(struct rows *r)
{
	fg_arena_release(&r->text);
	fg_arena_release(&r->deep);
	free(r->rows);
}

/* Returns the row of frames at `depth`. Its markup is valid until the next call. */
static struct row row_at(struct rows *r, uint32_t depth)
{
	if (depth < ROWS_MAX)
		return r->rows[depth];
	fg_arena_release(&r->deep);
	fg_arena_init(&r->deep);
	return make_row(r->layout, depth, &r->deep);
}

struct writer {
	struct fg_graph *graph;
	struct fg_out *out;
	struct fg_arena text;
	struct fg_buf work; /* scratch for shortening labels */
	struct rows rows;
	/* line breaks and indents in a frame */
	struct fg_str before_text, before_rect, end;
	struct fg_str count_name, one_name; /* words after a count, and after 1 */
	struct fg_str height; /* the markup from a rectangle's height to its fill */
	struct fg_str rect_end;
	bool random; /* each frame has a random colour */
	bool by_frame; /* each frame has its own colour, except separators */
	bool dark_search; /* labels on the search colour are white */
	bool exact; /* counts need no conversion */
	bool counted; /* rectangles have attributes with counts, like inferno's */
	bool shares; /* wide frames show their share */
	bool warned; /* we warned of a name that cannot be read back whole */
	double label_char; /* width of a character of a label, in pixels */
	double max_delta;
	uint64_t *before; /* inclusive counts before, by node; NULL if not written */
};

/* A frame in counts and in pixels. */
struct frame {
	const struct fg_tree_node *node;
	const struct fg_layout_frame *at;
	const struct fg_name *name;
	struct row row;
	bool root;
	struct fg_rgb colour; /* used only if `by_frame` */
	double counts;
	double width;
	int64_t left, right; /* in tenths of a pixel */
};

static struct fg_str make_rect_end(struct writer *w)
{
	const struct fg_graph_options *o = w->graph->options;
	char text[64];
	char *p = fg_put_str(text, FG_STR("\""));

	if (o->has_stroke) {
		p = fg_put_str(p, FG_STR(" stroke=\""));
		p = fg_put_colour(p, o->stroke_colour);
		*p++ = '"';
	}
	return fg_arena_copy(&w->text, fg_str_of(text, (size_t)(p - text)));
}

static struct fg_str make_height(struct writer *w)
{
	struct fg_buf text = FG_BUF_INIT;
	struct fg_str kept;

	fg_buf_add_str(&text, FG_STR("\" height=\""));
	fg_add_number(&text, w->graph->layout.frame_height - FG_FRAME_GAP);
	fg_buf_add_str(&text, FG_STR("\" fill=\""));
	kept = fg_arena_copy(&w->text, fg_buf_str(&text));
	fg_buf_release(&text);
	return kept;
}

/*
 * Chooses the line breaks. Scripts read pictures of flamegraph.pl line by line and
 * expect each title at the start of a line.
 */
static void choose_lines(struct writer *w, const struct fg_graph_options *o)
{
	bool perl = o->compat == FG_COMPAT_PERL;
	struct fg_str none = FG_STR(""), line = FG_STR("\n"), tab = FG_STR("\n\t");

	w->before_text = o->pretty_xml ? tab : perl ? line : none;
	w->before_rect = o->pretty_xml ? tab : none;
	w->end = o->pretty_xml || perl ? line : none;
}

static void init(struct writer *w, struct fg_graph *graph, struct fg_out *out)
{
	const struct fg_graph_options *o = graph->options;

	memset(w, 0, sizeof(*w));
	w->graph = graph;
	w->out = out;
	fg_arena_init(&w->text);
	w->random = o->random && !o->hash && !o->deterministic && !o->cp;
	w->by_frame = w->random || o->colordiffusion || graph->tree.before;
	w->dark_search = fg_colour_is_dark(o->search_colour);
	init_rows(&w->rows, &graph->layout);
	choose_lines(w, o);
	w->count_name = fg_xml_escaped(fg_str_from(graph->words.count_name), &w->text);
	w->one_name = fg_xml_escaped(fg_str_from(graph->words.one_name), &w->text);
	w->height = make_height(w);
	w->rect_end = make_rect_end(w);
	w->exact = !graph->tree.decimals && graph->words.factor == 1;
	w->counted = o->compat == FG_COMPAT_INFERNO;
	w->shares = fg_frames_show_shares(o) && !graph->tree.before;
	w->label_char = o->fontsize * o->fontwidth;
	w->max_delta = fg_tree_number(&graph->tree, fg_graph_max_delta(graph));
	if (graph->tree.before && !graph->data.bytes.len)
		w->before = fg_tree_sums_before(&graph->tree);
}

static void release(struct writer *w)
{
	fg_arena_release(&w->text);
	fg_buf_release(&w->work);
	release_rows(&w->rows);
	free(w->before);
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

static struct fg_rgb frame_colour(struct writer *w, const struct frame *f)
{
	if (w->graph->options->colordiffusion)
		return fg_colour_diffusion(f->counts / w->graph->layout.total);
	if (w->graph->diff.on)
		return fg_changes_colour(&w->graph->diff, f->at->node);
	if (w->graph->tree.before)
		return w->graph->options->compat == FG_COMPAT_INFERNO ?
			       fg_colour_delta_pale(self_delta(w, f), w->max_delta) :
			       fg_colour_delta(self_delta(w, f), w->max_delta);
	return fg_names_random(&w->graph->names, f->name);
}

static struct frame measure(struct writer *w, const struct fg_layout_frame *at)
{
	const struct fg_tree *tree = &w->graph->tree;
	const struct fg_layout *l = &w->graph->layout;
	struct fg_names *names = &w->graph->names;
	const struct fg_tree_node *node = &tree->nodes[at->node];
	struct frame f = { .node = node, .row = row_at(&w->rows, at->depth), .at = at };
	double start = fg_tree_number(tree, at->start);
	double end = fg_tree_number(tree, at->start + node->total);
	double x1, x2;

	f.root = at->node == 0;
	f.name = f.root ? &names->root : fg_names_get(names, node->name);
	f.counts = fg_tree_number(tree, node->total);
	if (f.root)
		f.counts = end = l->total;
	x1 = fg_layout_x(l, start);
	x2 = fg_layout_x(l, end);
	f.width = x2 - x1;
	f.left = fg_fixed(x1, 1);
	f.right = fg_fixed(x2, 1);
	if (w->by_frame && !f.name->separator)
		f.colour = frame_colour(w, &f);
	return f;
}

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/*
 * Returns how many bytes to reserve for a frame. put_text() writes long texts without a
 * reservation, so only LONG_NAME bytes of them count.
 */
static size_t room_for(const struct writer *w, const struct frame *f)
{
	const struct fg_name *n = f->name;
	size_t room = FIXED_ROOM + w->count_name.len + n->fill.len;

	room += 3 * at_most(n->shown.len, LONG_NAME);
	room += at_most(n->label.len, LONG_NAME) * ESCAPED_MAX;
	if (n->attr)
		room = fg_size_add(room, n->attr->attributes.len + n->attr->title.len);
	return room;
}

/*
 * Writes a text at `p` and returns its end. Writes a long text directly to the output
 * and returns a pointer to newly reserved space.
 */
static char *put_text(char *p, struct writer *w, const struct frame *f,
		      struct fg_str text)
{
	if (text.len <= LONG_NAME)
		return fg_put_str(p, text);
	fg_out_advance(w->out, p);
	fg_out_add_str(w->out, text);
	return fg_out_reserve(w->out, room_for(w, f));
}

/* Returns true for the root if --total makes it wider than the sum of the counts. */
static bool is_enlarged(const struct writer *w, const struct frame *f)
{
	const struct fg_tree *tree = &w->graph->tree;

	return f->root && w->graph->layout.total > fg_tree_number(tree, tree->total);
}

static char *put_count(char *p, const struct writer *w, const struct frame *f)
{
	if (is_enlarged(w, f)) {
		struct fg_buf text = FG_BUF_INIT;

		fg_add_number(&text, w->graph->layout.total);
		p = fg_put_str(p, fg_buf_str(&text));
		fg_buf_release(&text);
		return p;
	}
	return fg_put_decimal(p, f->node->total, w->graph->tree.decimals);
}

/*
 * Returns true if XML readers accept the name with its annotation. Otherwise warns, but
 * only once.
 */
static bool is_readable(struct writer *w, const struct fg_name *n)
{
	if (n->shown.len + n->annotation.len <= READABLE)
		return true;
	if (!w->warned)
		fg_warn(w->graph->diag, NULL,
			"the annotation of a frame was left out, because its name is "
			"too long to be read back with it");
	w->warned = true;
	return false;
}

/*
 * Writes the attributes for the position of a frame in counts, without the closing
 * quote of the last one.
 */
static char *put_extent(char *p, const struct writer *w, const struct frame *f)
{
	p = fg_put_str(p, FG_STR(" fg:x=\""));
	p = fg_put_decimal(p, f->at->start, w->graph->tree.decimals);
	p = fg_put_str(p, FG_STR("\" fg:w=\""));
	return put_count(p, w, f);
}

/*
 * Writes the attributes of a frame that the viewer needs in a picture without data, if
 * its title does not say everything.
 */
static char *put_frame_data(char *p, struct writer *w, const struct frame *f)
{
	const struct fg_name *n = f->name;
	const struct fg_tree *tree = &w->graph->tree;

	if (!w->graph->data.complete) {
		p = put_extent(p, w, f);
		*p++ = '"';
	} else if (!w->exact) {
		p = fg_put_str(p, FG_STR(" fg:w=\""));
		p = put_count(p, w, f);
		*p++ = '"';
	}
	if (w->before) {
		p = fg_put_str(p, FG_STR(" fg:b=\""));
		p = fg_put_decimal(p, w->before[f->node - tree->nodes], tree->decimals);
		*p++ = '"';
	}
	if ((n->annotation.len || (n->attr && n->attr->has_title)) &&
	    is_readable(w, n)) {
		p = fg_put_str(p, FG_STR(" fg:n=\""));
		p = put_text(p, w, f, n->shown);
		p = fg_put_str(p, n->annotation);
		*p++ = '"';
	}
	return p;
}

static char *put_start(char *p, struct writer *w, const struct frame *f)
{
	const struct fg_nameattr *attr = f->name->attr;

	p = fg_put_str(p, attr && attr->is_link ? FG_STR("<a") : FG_STR("<g"));
	if (attr)
		p = fg_put_str(p, attr->attributes);
	if (!w->graph->data.bytes.len)
		p = put_frame_data(p, w, f);
	*p++ = '>';
	return p;
}

/*
 * Writes "; +1.25%", the delta as a share of the total. Like the frame's own share, it
 * does not depend on --factor.
 */
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
	p = fg_put_fixed(p, fg_fixed(100 * delta / w->graph->layout.total, 2), 2);
	*p++ = '%';
	return p;
}

/*
 * Returns the count as it is shown. Avoids double if possible, because it cannot hold
 * large whole counts exactly.
 */
static uint64_t shown_counts(const struct writer *w, const struct frame *f)
{
	double counts;

	if (w->exact && !is_enlarged(w, f))
		return f->node->total;
	counts = f->counts * w->graph->words.factor;
	if (w->graph->options->compat == FG_COMPAT_INFERNO)
		return fg_half_up(counts);
	return fg_rounded(counts);
}

/*
 * Returns the frame's share in percent. With --compat computes it from `shown`, the
 * count as it is shown, like the older programs.
 */
static double share(const struct writer *w, const struct frame *f, uint64_t shown)
{
	const struct fg_graph *g = w->graph;

	if (g->options->compat != FG_COMPAT_NONE)
		return 100 * (double)shown / (g->layout.total * g->words.factor);
	return 100 * f->counts / g->layout.total;
}

/*
 * Writes the tooltip, " (25 samples, 5.00%)" after the name. Its twin is titleOf() in
 * assets/viewer/texts.js, for the frames that the viewer draws. Change both. The
 * goldens check this function, tests/viewer/numbers.test.mjs checks titleOf(), and
 * tests/browser/static.test.mjs and diff.test.mjs check both. The card that the viewer
 * shows beside a frame has texts of its own, in card.js.
 */
static char *put_title(char *p, struct writer *w, const struct frame *f)
{
	const struct fg_name *n = f->name;
	uint64_t counts = shown_counts(w, f);

	p = fg_put_str(p, FG_STR("<title>"));
	if (n->attr && n->attr->has_title) {
		p = fg_put_str(p, n->attr->title);
		return fg_put_str(p, FG_STR("</title>"));
	}
	p = put_text(p, w, f, f->root ? FG_STR("all") : n->shown);
	if (w->graph->diff.on) {
		p = fg_changes_put_tooltip(p, &w->graph->diff, f->at->node,
					   w->count_name);
		return fg_put_str(p, FG_STR("</title>"));
	}
	p = fg_put_str(p, FG_STR(" ("));
	p = fg_put_thousands(p, counts);
	if (w->count_name.len)
		*p++ = ' ';
	p = fg_put_str(p, counts == 1 ? w->one_name : w->count_name);
	if (f->root)
		return fg_put_str(p, FG_STR(", 100%)</title>"));
	*p++ = ',';
	*p++ = ' ';
	p = fg_put_fixed(p, fg_fixed(share(w, f, counts), 2), 2);
	*p++ = '%';
	if (w->graph->tree.before)
		p = put_delta(p, w, f);
	return fg_put_str(p, FG_STR(")</title>"));
}

/* Writes the colour that a frame has unless a search marks it. */
static char *put_own_fill(char *p, const struct writer *w, const struct frame *f)
{
	if (!w->by_frame || f->name->separator)
		return fg_put_str(p, f->name->fill);
	if (w->graph->diff.on)
		return fg_diffmarks_put_fill(p, &w->graph->diff, f->colour,
					     !f->name->found);
	return fg_put_fill(p, f->colour, w->graph->options->compat);
}

static char *put_rect(char *p, struct writer *w, const struct frame *f)
{
	const struct fg_graph_options *o = w->graph->options;

	p = fg_put_str(p, FG_STR("<rect x=\""));
	p = fg_put_tenths(p, f->left);
	p = fg_put_str(p, f->row.rect);
	p = fg_put_tenths(p, f->right - f->left);
	p = fg_put_str(p, w->height);
	if (f->name->found) {
		p = fg_put_fill(p, o->search_colour, o->compat);
		p = fg_put_str(p, FG_STR("\" fg:fill=\""));
	}
	p = put_own_fill(p, w, f);
	p = fg_put_str(p, w->rect_end);
	if (w->counted) {
		p = put_extent(p, w, f);
		*p++ = '"';
	}
	return fg_put_str(p, FG_STR("/>"));
}

static char *put_escaped(char *p, struct writer *w, const struct frame *f,
			 struct fg_str s)
{
	struct fg_out memory;

	fg_out_init_memory(&memory);
	fg_xml_text(&memory, s);
	p = put_text(p, w, f, fg_buf_str(&memory.buf));
	fg_out_close(&memory);
	return p;
}

/*
 * Returns true if the whole label fits into `room` columns. Compares the length in
 * bytes first, which is never less than the number of columns.
 */
static bool fits(struct fg_str label, double room)
{
	return room >= (double)label.len || room >= (double)fg_utf8_columns(label);
}

static bool is_dark(const struct writer *w, const struct frame *f)
{
	if (f->name->found)
		return w->dark_search;
	if (w->by_frame && !f->name->separator)
		return fg_colour_is_dark(f->colour);
	return f->name->dark;
}

/* Writes a text element up to its content. `x` is in tenths of a pixel. */
static char *put_text_start(char *p, const struct writer *w, const struct frame *f,
			    int64_t x)
{
	p = fg_put_str(p, w->before_text);
	p = fg_put_str(p, FG_STR("<text x=\""));
	p = fg_put_tenths(p, x);
	p = fg_put_str(p, f->row.text);
	if (is_dark(w, f))
		p = fg_put_str(p, FG_STR(" fill=\"#fff\""));
	return p;
}

/*
 * Writes the frame's share at its right edge, unless the label leaves too little space.
 * Its twin is textsOf() in assets/viewer/frame.js, for the frames that the viewer
 * draws. tests/browser/labels.test.mjs compares both.
 */
static char *put_share(char *p, const struct writer *w, const struct frame *f,
		       struct fg_str label)
{
	double room = f->width / w->label_char - SHARE_GAP;
	char text[FG_NUMBER_MAX];
	char *end = fg_put_percent(text, f->counts, w->graph->layout.total);
	struct fg_str share = fg_str_of(text, (size_t)(end - text));

	if (!fits(label, room - (double)share.len))
		return p;
	p = put_text_start(p, w, f, f->right - 10 * LABEL_INDENT);
	p = fg_put_str(p, FG_STR(" text-anchor=\"end\">"));
	p = fg_put_str(p, share);
	return fg_put_str(p, FG_STR("</text>"));
}

static char *put_label(char *p, struct writer *w, const struct frame *f)
{
	enum fg_shorten how = (enum fg_shorten)w->graph->options->shorten;
	const struct fg_name *n = f->name;
	double room = f->width / w->label_char;
	struct fg_label label = { n->label, false };

	if (!n->label.len || room < MIN_LABEL_CHARS)
		return p;
	p = put_text_start(p, w, f, f->left + 10 * LABEL_INDENT);
	*p++ = '>';
	if (fits(n->label, room)) {
		p = put_text(p, w, f, n->shown);
	} else {
		label = fg_shorten(n->label, (size_t)room, how, &w->work);
		p = put_escaped(p, w, f, label.text);
	}
	if (label.cut)
		p = fg_put_str(p, FG_STR(".."));
	p = fg_put_str(p, FG_STR("</text>"));
	return w->shares && !label.cut ? put_share(p, w, f, label.text) : p;
}

static void write_frame(struct writer *w, const struct fg_layout_frame *at)
{
	struct frame f = measure(w, at);
	char *p = fg_out_reserve(w->out, room_for(w, &f));

	p = put_start(p, w, &f);
	p = fg_put_str(p, w->before_text);
	p = put_title(p, w, &f);
	p = fg_put_str(p, w->before_rect);
	p = put_rect(p, w, &f);
	p = put_label(p, w, &f);
	p = fg_put_str(p, w->end);
	p = fg_put_str(p, f.name->attr && f.name->attr->is_link ? FG_STR("</a>\n") :
								  FG_STR("</g>\n"));
	fg_out_advance(w->out, p);
}

bool fg_frames_show_shares(const struct fg_graph_options *o)
{
	return o->compat == FG_COMPAT_NONE && !o->classic_titles && !o->flamechart;
}

void fg_frames_write(struct fg_graph *graph, struct fg_out *out)
{
	struct writer writer;

	init(&writer, graph, out);
	for (size_t i = 0; i < graph->layout.count; i++)
		write_frame(&writer, &graph->layout.frames[i]);
	release(&writer);
}
