/*
 * Writes trees: for people with shares and indented names, the largest first; or as
 * TSV. For people, a chain of frames without branches shares a line.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/sort.h"
#include "lib/base/xalloc.h"
#include "reportfolded/names.h"
#include "reportfolded/path.h"
#include "reportfolded/report.h"

/* Deeper frames are not indented further than this, but show their depth. */
#define INDENT_MAX 40

/*
 * A line is coloured if its total is at least HOT or WARM percent, or, with two
 * columns, if it changed by at least CHANGED points.
 */
#define HOT 20
#define WARM 5
#define CHANGED 0.5

#define RED "\033[31m"
#define YELLOW "\033[33m"
#define BLUE "\033[34m"
#define PLAIN "\033[0m"

struct children {
	const struct fg_columns *profile;
	uint32_t *nodes, *order;
	size_t nodes_alloc, order_alloc;
	size_t count;
};

static int compare(const void *context, uint32_t a, uint32_t b)
{
	const struct children *c = context;
	uint64_t one[2], other[2];

	fg_columns_total(c->profile, c->nodes[a], one);
	fg_columns_total(c->profile, c->nodes[b], other);
	for (unsigned i = 2; i-- > 0;)
		if (one[i] != other[i])
			return one[i] > other[i] ? -1 : 1;
	return 0; /* they are already sorted by name, and the sort is stable */
}

static void sort_children(struct fg_columns *p, uint32_t parent, struct children *c)
{
	struct fg_tree_node *nodes = p->tree.nodes;
	uint32_t next = FG_TREE_NONE;

	c->count = 0;
	for (uint32_t i = nodes[parent].first; i != FG_TREE_NONE; i = nodes[i].next) {
		FG_GROW(c->nodes, c->nodes_alloc, c->count + 1);
		FG_GROW(c->order, c->order_alloc, c->count + 1);
		c->nodes[c->count] = i;
		c->order[c->count] = (uint32_t)c->count;
		c->count++;
	}
	fg_sort(c->order, c->count, compare, c);
	for (size_t i = c->count; i-- > 0;) {
		uint32_t node = c->nodes[c->order[i]];

		nodes[node].next = next;
		next = node;
	}
	nodes[parent].first = next;
}

void fg_report_sort_by_total(struct fg_columns *p)
{
	struct children c = { .profile = p };

	for (uint32_t i = 0; i < p->tree.count; i++)
		if (p->tree.nodes[i].first != FG_TREE_NONE)
			sort_children(p, i, &c);
	free(c.nodes);
	free(c.order);
}

bool fg_report_is_small(const struct fg_report *r, const struct fg_columns *p,
			uint32_t node)
{
	uint64_t counts[2];

	fg_columns_total(p, node, counts);
	for (unsigned i = 0; i < 2; i++)
		if (p->totals[i] &&
		    fg_columns_share(p, i, counts[i]) >= r->options->min_percent)
			return false;
	return true;
}

static bool has_colours(const struct fg_report *r)
{
	const char *term = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR");

	return r->options->format == FG_REPORT_TEXT && r->out->fd >= 0 &&
	       isatty(r->out->fd) && !(no_colour && *no_colour) &&
	       !(term && !strcmp(term, "dumb"));
}

/* A line: one frame, or a chain of frames without branches. */
struct frame {
	struct fg_path path;
	unsigned depth; /* the level of the first frame; 1: no caller */
	unsigned indent; /* number of lines that it is below */
	uint64_t self[2]; /* own counts of the last frame */
	uint64_t total[2];
};

static const char *colour(const struct frame *f)
{
	double total = fg_columns_share(f->path.profile, FG_AFTER, f->total[FG_AFTER]);
	double change = fg_columns_change(f->path.profile, f->total);

	if (f->path.profile->columns == 2)
		return change >= CHANGED ? RED : change <= -CHANGED ? BLUE : "";
	return total >= HOT ? RED : total >= WARM ? YELLOW : "";
}

static void add_shares(struct fg_buf *b, const struct frame *f)
{
	const struct fg_columns *p = f->path.profile;

	fg_buf_addf(b, "%7.2f", fg_columns_share(p, FG_AFTER, f->total[FG_AFTER]));
	if (p->columns == 2)
		fg_buf_addf(b, " %+7.2f", fg_columns_change(p, f->total));
	fg_buf_addf(b, " %7.2f", fg_columns_share(p, FG_AFTER, f->self[FG_AFTER]));
	if (p->columns == 2)
		fg_buf_addf(b, " %+7.2f", fg_columns_change(p, f->self));
}

static void add_line(struct fg_buf *b, const struct frame *f, bool colours)
{
	const char *start = colours ? colour(f) : "";
	unsigned indent = f->indent;

	fg_buf_add_str(b, fg_str_from(start));
	add_shares(b, f);
	if (*start)
		fg_buf_add_str(b, FG_STR(PLAIN));
	fg_buf_addf(b, "%*s", 2 + 2 * (int)(indent < INDENT_MAX ? indent : INDENT_MAX),
		    "");
	if (indent > INDENT_MAX)
		fg_buf_addf(b, "[%u] ", f->depth);
	fg_path_add(b, &f->path, FG_REPORT_TEXT);
}

static void add_tsv_line(struct fg_buf *b, const struct frame *f)
{
	const struct fg_columns *p = f->path.profile;

	fg_buf_addf(b, "%u\t", f->depth);
	fg_report_add_name(
		b, fg_intern_name(&p->tree.names, p->tree.nodes[f->path.last].name),
		FG_REPORT_TSV);
	for (unsigned i = 0; i < p->columns; i++) {
		unsigned column = FG_AFTER - i;

		fg_buf_add_char(b, '\t');
		fg_columns_add_count(p, b, f->self[column]);
		fg_buf_add_char(b, '\t');
		fg_columns_add_count(p, b, f->total[column]);
		fg_buf_addf(b, "\t%.4f\t%.4f",
			    fg_columns_share(p, column, f->self[column]),
			    fg_columns_share(p, column, f->total[column]));
	}
}

/*
 * Returns the indent of a line. In Markdown it makes a code block, in which names
 * cannot be markup.
 */
static const char *margin(const struct fg_report *r)
{
	return r->options->format == FG_REPORT_MARKDOWN ? "    " : "";
}

static void write_header(const struct fg_report *r, unsigned columns)
{
	if (r->options->format == FG_REPORT_TSV) {
		fg_out_addf(r->out, "depth\tname\tself\ttotal\tself %%\ttotal %%%s\n",
			    columns == 2 ? "\tself before\ttotal before"
					   "\tself % before\ttotal % before" :
					   "");
		return;
	}
	fg_out_addf(r->out, "%s%s%s  name\n",
		    r->options->format == FG_REPORT_MARKDOWN ? "\n" : "", margin(r),
		    columns == 2 ? "total %  points  self %  points" :
				   "total %  self %");
}

static void write_frame(const struct fg_report *r, const struct frame *f, bool colours)
{
	struct fg_buf line = FG_BUF_INIT;

	fg_buf_add_str(&line, fg_str_from(margin(r)));
	if (r->options->format == FG_REPORT_TSV)
		add_tsv_line(&line, f);
	else
		add_line(&line, f, colours);
	fg_buf_add_char(&line, '\n');
	fg_out_add_str(r->out, fg_buf_str(&line));
	fg_buf_release(&line);
}

/* The lines of a tree while they are made. */
struct lines {
	const struct fg_report *report;
	bool colours;
	struct frame line; /* the current line; it has no frame before the first */
	unsigned
		*indents; /* indexed by depth: the indent of the line with that frame */
	size_t alloc;
};

/*
 * Returns true if a frame only continues the current line: its caller has no other
 * counts, not even its own.
 */
static bool continues(const struct lines *l, uint32_t node)
{
	const struct fg_path *path = &l->line.path;
	uint64_t total[2];

	if (!path->frames || l->report->options->all_frames ||
	    l->report->options->format == FG_REPORT_TSV ||
	    path->profile->tree.nodes[node].parent != path->last)
		return false;
	fg_columns_total(path->profile, node, total);
	return total[FG_BEFORE] == l->line.total[FG_BEFORE] &&
	       total[FG_AFTER] == l->line.total[FG_AFTER];
}

static void end_line(struct lines *l)
{
	if (l->line.path.frames)
		write_frame(l->report, &l->line, l->colours);
	l->line.path.frames = 0;
}

static void add_frame(struct lines *l, struct fg_columns *p, uint32_t node,
		      unsigned depth)
{
	FG_GROW(l->indents, l->alloc, (size_t)depth + 1);
	if (continues(l, node)) {
		l->line.path.last = node;
		l->line.path.frames++;
		l->indents[depth] = l->line.indent;
	} else {
		end_line(l);
		l->line.path = (struct fg_path){
			p, node, node, 1, l->report->kind == FG_REPORT_CALLERS, NULL
		};
		l->line.depth = depth;
		l->line.indent = depth > 1 ? l->indents[depth - 1] + 1 : 0;
		l->indents[depth] = l->line.indent;
		fg_columns_total(p, node, l->line.total);
	}
	fg_tree_own(&p->tree, node, l->line.self);
}

void fg_report_tree(const struct fg_report *r, struct fg_columns *p)
{
	struct lines lines = { .report = r, .colours = has_colours(r) };
	unsigned depth = 0;
	uint32_t node;

	fg_report_sort_by_total(p);
	write_header(r, p->columns);
	node = fg_tree_walk(&p->tree, 0, true, &depth);
	while (node != FG_TREE_NONE) {
		bool small = fg_report_is_small(r, p, node);

		if (!small)
			add_frame(&lines, p, node, depth);
		node = fg_tree_walk(&p->tree, node,
				    !small && depth < fg_report_levels(r), &depth);
	}
	end_line(&lines);
	free(lines.indents);
}
