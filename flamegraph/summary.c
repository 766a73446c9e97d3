/* Finds what to look at first, and writes it above the frames. */
#include "flamegraph/summary.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/number.h"
#include "lib/findings/findings.h"
#include "lib/findings/names.h"
#include "lib/profile/line.h"
#include "lib/profile/shorten.h"
#include "lib/svg/xml.h"

/* With fewer samples, the shares of functions say little. */
#define LEAST_SAMPLES 100

/* With fewer frames, the picture itself says what is hot. */
#define LEAST_FRAMES 20

/* The least share of a function, a callee or a library that is worth a line. */
#define LEAST_PERCENT 2.0

/* Unknown functions are worth a line from this share on. */
#define LEAST_UNKNOWN 5.0

/* The stem goes on in a callee that has at least this part of its caller. */
#define STEM 0.9

/* A name takes at most this many columns. */
#define NAME_COLUMNS 48

/* The most callees at the end of the stem, and the most functions that have changed. */
#define CALLEES 3
#define CHANGES 3

/* Changes count if noise explains them with a probability of at most 5 percent. */
#define CONFIDENCE 95

/* A line is this many times as high as its text. */
#define LINE_HEIGHT 1.4

/* ---- lines */

static struct fg_summary_line *add_line(struct fg_summary *s)
{
	return &s->lines[s->count++];
}

static void add_name(struct fg_buf *text, const struct fg_graph *g, struct fg_str name)
{
	enum fg_shorten how = (enum fg_shorten)g->options->shorten;
	struct fg_buf work = FG_BUF_INIT;
	struct fg_label label =
		fg_shorten(fg_line_plain_name(name), NAME_COLUMNS, how, &work);

	fg_buf_add_str(text, label.text);
	fg_buf_add_str(text, label.cut ? FG_STR("..") : FG_STR(""));
	fg_buf_release(&work);
}

static double percent_of(const struct fg_graph *g, double count)
{
	return 100 * count / (double)g->tree.total;
}

/* Appends a name as encode() of address.js does. */
static void add_encoded(struct fg_buf *link, struct fg_str name)
{
	static const struct fg_str plain = FG_STR_INIT("-_.*'()");

	for (size_t i = 0; i < name.len; i++)
		if (fg_is_alpha(name.ptr[i]) || fg_is_digit(name.ptr[i]) ||
		    fg_str_has_char(plain, name.ptr[i]))
			fg_buf_add_char(link, name.ptr[i]);
		else
			fg_buf_addf(link, "%%%02X", (unsigned char)name.ptr[i]);
}

/* Links to the callers and callees of a function. */
static void link_function(struct fg_summary_line *line, struct fg_str name)
{
	fg_buf_add_str(&line->link, FG_STR("m="));
	add_encoded(&line->link, name);
}

/* Links to a zoom into a frame. */
static void link_frame(struct fg_summary_line *line, const struct fg_tree *t,
		       uint32_t node)
{
	uint32_t *path = NULL;
	size_t alloc = 0, depth = 0;

	for (; node; node = t->nodes[node].parent) {
		FG_GROW(path, alloc, depth + 1);
		path[depth++] = node;
	}
	fg_buf_add_str(&line->link, FG_STR("z="));
	while (depth--) {
		add_encoded(&line->link,
			    fg_intern_name(&t->names, t->nodes[path[depth]].name));
		if (depth)
			fg_buf_add_char(&line->link, ';');
	}
	free(path);
}

/* ---- a profile of one column */

/* Sums by id of the tree's names, in the tree's units. */
struct sums {
	const struct fg_graph *g;
	bool *foreign; /* not the program's own */
	bool *process; /* frames of processes; NULL without libraries by kind */
	double *self; /* own counts */
	double *with; /* with the libraries that a function of the program calls */
	double own; /* own counts of all functions of the program */
	double unknown; /* own counts of functions without a name */
};

static struct fg_str name_of(const struct sums *s, uint32_t id)
{
	return fg_intern_name(&s->g->tree.names, id);
}

/* Returns FG_NO_LIBRARY for names that --nameattr has added. */
static uint32_t module_id(const struct fg_graph *g, uint32_t id)
{
	return id < g->libraries->of_count ? g->libraries->of[id] : FG_NO_LIBRARY;
}

/* Needs libraries by kind, which know the functions of the kernel. */
static void find_origins(struct sums *s)
{
	const struct fg_tree *t = &s->g->tree;
	const struct fg_libraries *l = s->g->libraries;
	bool *modules = fg_xcalloc(l->count, sizeof(*modules));

	for (uint32_t id = 0; id < l->count; id++)
		modules[id] = fg_is_foreign_module(fg_intern_name(&l->names, id));
	for (uint32_t id = 0; id < t->names.count; id++) {
		uint32_t module = module_id(s->g, id);

		s->foreign[id] = (module != FG_NO_LIBRARY && modules[module]) ||
				 fg_is_foreign(name_of(s, id));
	}
	s->process = fg_find_processes(t);
	free(modules);
}

/* Returns true for a frame of the program, which a process is not. */
static bool is_own(const struct sums *s, const struct fg_tree_node *n)
{
	return !s->foreign[n->name] &&
	       (n->parent || !s->process || !s->process[n->name]);
}

static void add_up(struct sums *s)
{
	const struct fg_tree *t = &s->g->tree;
	/* indexed by node: the innermost frame of the program; 0 if there is none */
	uint32_t *callers = fg_xcalloc(t->count, sizeof(*callers));

	for (uint32_t i = 1; i < t->count; i++) {
		const struct fg_tree_node *n = &t->nodes[i];
		double self = (double)n->self;

		callers[i] = callers[n->parent];
		if (is_own(s, n)) {
			callers[i] = i;
			s->own += self;
		}
		s->self[n->name] += self;
		if (callers[i])
			s->with[t->nodes[callers[i]].name] += self;
	}
	free(callers);
	for (uint32_t id = 0; id < t->names.count; id++)
		if (s->self[id] > 0 && fg_is_unknown(name_of(s, id)))
			s->unknown += s->self[id];
}

static void init_sums(struct sums *s, const struct fg_graph *g)
{
	size_t names = g->tree.names.count;

	*s = (struct sums){ .g = g };
	s->foreign = fg_xcalloc(names, sizeof(*s->foreign));
	s->self = fg_xcalloc(names, sizeof(*s->self));
	s->with = fg_xcalloc(names, sizeof(*s->with));
	if (g->libraries && g->libraries->by == FG_BY_KIND)
		find_origins(s);
	add_up(s);
}

static void release_sums(struct sums *s)
{
	free(s->foreign);
	free(s->process);
	free(s->self);
	free(s->with);
}

/* Returns the known function with the largest sum; by name if sums are equal. */
static uint32_t largest(const struct sums *s, const double *sums)
{
	uint32_t best = 0;

	for (uint32_t id = 1; id < s->g->tree.names.count; id++) {
		bool tie = !(sums[id] < sums[best]) && !(sums[id] > sums[best]);

		if (!(sums[id] > 0) || sums[id] < sums[best] ||
		    fg_is_unknown(name_of(s, id)))
			continue;
		if (!best || !tie || fg_str_cmp(name_of(s, id), name_of(s, best)) < 0)
			best = id;
	}
	return best;
}

static void add_function(struct fg_summary *s, const struct sums *sums, uint32_t id,
			 const char *what, double count)
{
	struct fg_summary_line *line;

	if (!id || percent_of(sums->g, count) < LEAST_PERCENT)
		return;
	line = add_line(s);
	fg_buf_addf(&line->text, "%s: ", what);
	add_name(&line->text, sums->g, name_of(sums, id));
	fg_buf_addf(&line->text, ", %.1f%%", percent_of(sums->g, count));
	link_function(line, name_of(sums, id));
}

/*
 * Adds the function with the largest own counts and, if it is another one, the function
 * of the program that causes most work, with the libraries that it calls.
 */
static void add_hottest(struct fg_summary *s, const struct sums *sums)
{
	uint32_t hottest = largest(sums, sums->self);
	uint32_t causes = largest(sums, sums->with);

	add_function(s, sums, hottest, "Hottest function", sums->self[hottest]);
	if (causes != hottest)
		add_function(s, sums, causes, "With the libraries that it calls",
			     sums->with[causes]);
}

/* Returns the child with the largest total, or FG_TREE_NONE. */
static uint32_t widest_child(const struct fg_tree *t, uint32_t parent)
{
	uint32_t widest = FG_TREE_NONE;

	for (uint32_t i = t->nodes[parent].first; i != FG_TREE_NONE;
	     i = t->nodes[i].next)
		if (widest == FG_TREE_NONE ||
		    t->nodes[i].total > t->nodes[widest].total)
			widest = i;
	return widest;
}

/* Returns the last frame that nearly all stacks have. */
static uint32_t end_of_stem(const struct fg_tree *t)
{
	uint32_t node = 0, next = widest_child(t, 0);

	while (next != FG_TREE_NONE &&
	       (double)t->nodes[next].total >= STEM * (double)t->nodes[node].total) {
		node = next;
		next = widest_child(t, node);
	}
	return node;
}

/*
 * Finds the widest children of a frame, the widest first. Returns how many are worth
 * telling.
 */
static size_t find_callees(const struct fg_graph *g, uint32_t node,
			   uint32_t callees[CALLEES])
{
	const struct fg_tree_node *nodes = g->tree.nodes;
	size_t count = 0;

	for (uint32_t i = nodes[node].first; i != FG_TREE_NONE; i = nodes[i].next) {
		size_t at = count;

		if (percent_of(g, (double)nodes[i].total) < LEAST_PERCENT)
			continue;
		while (at && nodes[callees[at - 1]].total < nodes[i].total) {
			if (at < CALLEES)
				callees[at] = callees[at - 1];
			at--;
		}
		if (at < CALLEES)
			callees[at] = i;
		count += count < CALLEES;
	}
	return count;
}

/* Adds where the time splits: "Below main: parse 46.2%, sort 36.6%". */
static void add_split(struct fg_summary *s, const struct fg_graph *g)
{
	const struct fg_tree *t = &g->tree;
	uint32_t stem = end_of_stem(t), callees[CALLEES];
	size_t count = find_callees(g, stem, callees);
	struct fg_summary_line *line;

	if (!stem || count < 2)
		return;
	line = add_line(s);
	fg_buf_add_str(&line->text, FG_STR("Below "));
	add_name(&line->text, g, fg_intern_name(&t->names, t->nodes[stem].name));
	for (size_t i = 0; i < count; i++) {
		const struct fg_tree_node *n = &t->nodes[callees[i]];

		fg_buf_add_str(&line->text, i ? FG_STR(", ") : FG_STR(": "));
		add_name(&line->text, g, fg_intern_name(&t->names, n->name));
		fg_buf_addf(&line->text, " %.1f%%", percent_of(g, (double)n->total));
	}
	link_frame(line, t, stem);
}

/* Adds the share of libraries and the kernel, and the largest of them. */
static void add_libraries(struct fg_summary *s, const struct sums *sums)
{
	const struct fg_graph *g = sums->g;
	double foreign = (double)g->tree.total - sums->own;
	double most = 0, *of;
	struct fg_str name = FG_STR("");
	struct fg_summary_line *line;

	if (!g->libraries || g->libraries->by != FG_BY_KIND ||
	    percent_of(g, foreign) < LEAST_PERCENT || !(sums->own > 0))
		return;
	of = fg_xcalloc(g->libraries->count + 1, sizeof(*of));
	for (uint32_t id = 0; id < g->tree.names.count; id++)
		if (sums->foreign[id] && module_id(g, id) != FG_NO_LIBRARY)
			of[module_id(g, id)] += sums->self[id];
	for (uint32_t i = 0; i < g->libraries->count; i++)
		if (of[i] > most) {
			most = of[i];
			name = fg_intern_name(&g->libraries->names, i);
		}
	free(of);
	line = add_line(s);
	fg_buf_addf(&line->text, "Libraries and the kernel: %.1f%%",
		    percent_of(g, foreign));
	if (!name.len)
		return;
	fg_buf_add_str(&line->text, FG_STR(", most of it "));
	add_name(&line->text, g, name);
	fg_buf_add_str(&line->link, FG_STR("k="));
	add_encoded(&line->link, name);
}

static void add_unknown(struct fg_summary *s, const struct sums *sums)
{
	struct fg_summary_line *line = add_line(s);

	fg_buf_addf(&line->text, "Unknown functions: %.1f%%, so symbols are missing",
		    percent_of(sums->g, sums->unknown));
	fg_buf_add_str(&line->link, FG_STR("q="));
	add_encoded(&line->link, FG_STR("^(\\[|0x)"));
}

static void add_seconds(struct fg_buf *b, uint64_t ns)
{
	fg_buf_addf(b, "%.9g", (double)ns / 1e9);
}

static void add_duration(struct fg_buf *b, uint64_t ns)
{
	if (ns < UINT64_C(1000000000))
		fg_buf_addf(b, "%.9g ms", (double)ns / 1e6);
	else
		fg_buf_addf(b, "%.9g s", (double)ns / 1e9);
}

static void add_stall(struct fg_summary *s, const struct fg_graph *g)
{
	const struct fg_stall *stall = &s->stall;
	struct fg_summary_line *line;

	if (!stall->node)
		return;
	line = add_line(s);
	fg_buf_add_str(&line->text, FG_STR("Only "));
	add_name(&line->text, g,
		 fg_intern_name(&g->tree.names, g->tree.nodes[stall->node].name));
	fg_buf_add_str(&line->text, FG_STR(" for "));
	add_duration(&line->text, stall->to - stall->from);
	fg_buf_add_str(&line->text, FG_STR(" at "));
	add_seconds(&line->text, stall->from);
	fg_buf_add_str(&line->text, FG_STR(" s"));
	fg_buf_add_str(&line->link, FG_STR("t="));
	add_seconds(&line->link, stall->from);
	fg_buf_add_char(&line->link, ',');
	add_seconds(&line->link, stall->to);
}

static void summarize(struct fg_summary *s, const struct fg_graph *g)
{
	struct sums sums;

	add_stall(s, g);
	if (g->tree.count <= LEAST_FRAMES)
		return;
	init_sums(&sums, g);
	add_hottest(s, &sums);
	add_split(s, g);
	if (percent_of(g, sums.unknown) >= LEAST_UNKNOWN)
		add_unknown(s, &sums);
	else
		add_libraries(s, &sums);
	release_sums(&sums);
}

/* ---- a difference */

/*
 * Makes `columns` from the graph, whose tree has widths in place of counts. It owns
 * only the nodes of the tree.
 */
static void make_columns(struct fg_columns *columns, const struct fg_graph *g)
{
	const struct fg_tree *t = &g->tree;

	*columns = (struct fg_columns){ .tree = *t, .columns = 2 };
	columns->tree.nodes = fg_xcalloc(t->count, sizeof(*t->nodes));
	for (uint32_t i = 0; i < t->count; i++) {
		columns->tree.nodes[i] = t->nodes[i];
		columns->tree.nodes[i].total = fg_changes_after(&g->diff, i);
	}
	columns->before = g->diff.before;
	columns->totals[FG_BEFORE] = g->diff.before_total;
	columns->totals[FG_AFTER] = g->diff.after_total;
}

static void add_change(struct fg_summary *s, const struct fg_graph *g,
		       const struct fg_finding *finding)
{
	const struct fg_function *f = finding->function;
	struct fg_str name = fg_intern_name(&g->tree.names, f->name);
	const double totals[2] = { (double)g->diff.before_total,
				   (double)g->diff.after_total };
	struct fg_summary_line *line = add_line(s);

	fg_buf_addf(&line->text, "%s: ", finding->points > 0 ? "Grew" : "Shrank");
	add_name(&line->text, g, name);
	fg_buf_addf(&line->text, ", from %.1f%% to %.1f%%",
		    100 * (double)f->self[FG_BEFORE] / totals[FG_BEFORE],
		    100 * (double)f->self[FG_AFTER] / totals[FG_AFTER]);
	link_function(line, name);
}

static void add_below(struct fg_summary *s, const struct fg_graph *g,
		      const struct fg_findings *found)
{
	const struct fg_tree *t = &g->tree;
	struct fg_summary_line *line;

	if (found->below == FG_TREE_NONE || !found->below)
		return;
	line = add_line(s);
	fg_buf_add_str(&line->text, FG_STR("Most of the change is below "));
	add_name(&line->text, g,
		 fg_intern_name(&t->names, t->nodes[found->below].name));
	link_frame(line, t, found->below);
}

static void summarize_changes(struct fg_summary *s, const struct fg_graph *g)
{
	const struct fg_sample_weight weight = {
		.source = g->diff.sample > 0 ? FG_SAMPLE_WEIGHT_DIVISOR :
					       FG_SAMPLE_WEIGHT_UNKNOWN,
		.of = { g->diff.weights[FG_BEFORE], g->diff.weights[FG_AFTER] },
	};
	struct fg_columns columns;
	struct fg_functions functions;
	struct fg_findings found;
	const struct fg_findings_input in = { &columns, &functions, &weight,
					      &g->diff.totals, CONFIDENCE };

	make_columns(&columns, g);
	fg_functions_init(&functions, &columns);
	fg_findings_find(&found, &in);
	for (size_t i = 0; i < found.count && i < CHANGES; i++)
		add_change(s, g, &found.items[i]);
	add_below(s, g, &found);
	if (found.verdict == FG_VERDICT_SAME)
		fg_buf_add_str(&add_line(s)->text,
			       FG_STR("No function has changed by more than noise"));
	fg_findings_release(&found);
	fg_functions_release(&functions);
	free(columns.tree.nodes);
}

/* ---- all graphs */

bool fg_summary_is_wanted(const struct fg_graph *g)
{
	const struct fg_graph_options *o = g->options;
	double number = fg_tree_number(&g->tree, g->tree.total) * g->words.factor;

	if (g->words.one > 0)
		number /= g->words.one;
	return !o->no_summary && o->compat == FG_COMPAT_NONE && !o->classic_titles &&
	       !o->reverse && o->heatmap != FG_HEATMAP_ONLY &&
	       g->tree.order == FG_TREE_SORTED && !g->profile.nth &&
	       !g->profile.other_count && number >= LEAST_SAMPLES;
}

void fg_summary_init(struct fg_summary *s, const struct fg_graph *g)
{
	if (!fg_summary_is_wanted(g))
		return;
	if (!g->diff.on)
		summarize(s, g);
	else if (g->tree.count > LEAST_FRAMES)
		summarize_changes(s, g);
}

void fg_summary_release(struct fg_summary *s)
{
	for (size_t i = 0; i < s->count; i++) {
		fg_buf_release(&s->lines[i].text);
		fg_buf_release(&s->lines[i].link);
	}
	s->count = 0;
}

double fg_summary_height(const struct fg_graph *g)
{
	double lines = (double)g->summary.count;

	return ceil(lines * LINE_HEIGHT * g->options->fontsize);
}

static void write_line(const struct fg_summary_line *line, double y, struct fg_out *out)
{
	struct fg_buf link = FG_BUF_INIT;

	if (line->link.len) {
		fg_buf_add_char(&link, '#');
		fg_buf_add_str(&link, fg_buf_str(&line->link));
		fg_out_add_str(out, FG_STR("<a"));
		fg_xml_attr(out, "href", fg_buf_str(&link));
		fg_out_add_char(out, '>');
	}
	fg_out_add_str(out, FG_STR("<text"));
	fg_xml_attr_number(out, "x", FG_SIDE_PADDING);
	fg_xml_attr_number(out, "y", y);
	fg_out_add_char(out, '>');
	fg_xml_text(out, fg_buf_str(&line->text));
	fg_out_add_str(out, FG_STR("</text>"));
	fg_out_add_str(out, line->link.len ? FG_STR("</a>\n") : FG_STR("\n"));
	fg_buf_release(&link);
}

void fg_summary_write(const struct fg_graph *g, double top, struct fg_out *out)
{
	const struct fg_summary *s = &g->summary;
	double size = g->options->fontsize;

	if (!s->count)
		return;
	fg_out_add_str(out, FG_STR("<g class=\"fg-summary\""));
	fg_xml_attr_number(out, "fg:height", fg_summary_height(g));
	fg_out_add_str(out, FG_STR(">\n"));
	for (size_t i = 0; i < s->count; i++)
		write_line(&s->lines[i], top + size * (1 + LINE_HEIGHT * (double)i),
			   out);
	fg_out_add_str(out, FG_STR("</g>\n"));
}
