/* Finds what is worth telling about a profile on one page. */
#include "reportfolded/digest.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/findings/names.h"
#include "lib/profile/grouping.h"
#include "lib/profile/library.h"

/* A path continues in a callee that has at least this part of the path's counts. */
#define GOES_ON 0.9

/* Paths are shown from this share on, in percent, or from a higher one. */
#define PATH_PERCENT 2.0

/* The kernel records this many frames by default. */
#define KERNEL_FRAMES 127

/*
 * Callers are missing if it takes more than STARTS_MAX functions to start
 * STARTS_PERCENT of the stacks.
 */
#define STARTS_MAX 8
#define STARTS_PERCENT 90

/* ---- quality of the stacks */

/* Finds the library with most of the unknown functions, if it has more than half. */
static void find_unknown_library(struct fg_digest *d, uint64_t unknown)
{
	const struct fg_functions *all = &d->report->functions;
	struct fg_intern libraries;
	double *sums = fg_xcalloc(all->count + 1, sizeof(*sums));

	fg_intern_init(&libraries);
	for (size_t i = 0; i < all->count; i++) {
		const struct fg_function *f = &all->items[i];
		struct fg_str name = fg_intern_name(all->names, f->name);
		struct fg_str library = fg_library_of_function(name, FG_STR(""));
		uint32_t id;

		if (!fg_is_unknown(name) || !library.len)
			continue;
		id = fg_intern(&libraries, library);
		sums[id] += (double)f->self[FG_AFTER];
		if (sums[id] > (double)unknown / 2)
			d->data.unknown_library = library;
	}
	free(sums);
	fg_intern_release(&libraries);
}

static double share(const struct fg_columns *p, uint64_t count)
{
	return fg_columns_share(p, FG_AFTER, count);
}

/*
 * Finds the share of the time in unknown functions, and the share of the stacks that
 * contain one. A stack does not count if its unknown functions only start a process or
 * a thread.
 */
static void find_unknown(struct fg_digest *d)
{
	const struct fg_columns *p = &d->report->profile;
	const struct fg_tree *t = &p->tree;
	bool *unknown = fg_xcalloc(t->names.count, sizeof(*unknown));
	bool *within = fg_xcalloc(t->count, sizeof(*within));
	bool *starts = fg_find_starts(t);
	uint64_t self = 0;
	uint64_t total = 0;

	for (uint32_t i = 0; i < t->names.count; i++)
		unknown[i] = fg_is_unknown(fg_intern_name(&t->names, i));
	for (uint32_t i = 1; i < t->count; i++) {
		const struct fg_tree_node *node = &t->nodes[i];
		uint64_t counts[2];

		fg_tree_own(t, i, counts);
		within[i] = within[node->parent] || (unknown[node->name] && !starts[i]);
		if (unknown[node->name])
			self += counts[FG_AFTER];
		if (within[i])
			total += counts[FG_AFTER];
	}
	find_unknown_library(d, self);
	d->data.unknown = share(p, self);
	d->data.in_unknown = share(p, total);
	free(unknown);
	free(within);
	free(starts);
}

/* Finds the time of waiting, which --wall marks with "_[o]" at the leaf. */
static void find_waiting(struct fg_digest *d)
{
	const struct fg_columns *p = &d->report->recorded;
	uint64_t waiting = 0;

	for (uint32_t i = 1; i < p->tree.count; i++) {
		uint32_t name = p->tree.nodes[i].name;
		uint64_t counts[2];

		if (!fg_str_ends(fg_intern_name(&p->tree.names, name), FG_STR("_[o]")))
			continue;
		fg_tree_own(&p->tree, i, counts);
		waiting += counts[FG_AFTER];
	}
	d->data.waiting = share(p, waiting);
}

/* Returns the comm that the kernel gives a process of this command line. */
static struct fg_str comm_of(struct fg_str command)
{
	const size_t longest = 15;

	command = fg_str_before(command, fg_str_find_char(command, ' '));
	return fg_str_before(fg_str_basename(command), longest);
}

/* Returns true if the first frame of most stacks is the command that was recorded. */
static bool starts_with_comm(const struct fg_columns *p)
{
	const struct fg_tree *t = &p->tree;
	struct fg_str comm = comm_of(fg_buf_str(&p->unit.command));

	for (uint32_t i = t->nodes[0].first; i != FG_TREE_NONE; i = t->nodes[i].next)
		if (fg_str_eq(fg_intern_name(&t->names, t->nodes[i].name), comm))
			return share(p, t->nodes[i].total) >= STARTS_PERCENT;
	return false;
}

static int compare_counts(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one < other) - (one > other);
}

/* Returns how many functions start STARTS_PERCENT of the stacks. */
static size_t count_starts(const struct fg_columns *p)
{
	const struct fg_tree *t = &p->tree;
	uint64_t *starts = fg_xcalloc(t->names.count, sizeof(*starts));
	double sum = 0;
	size_t count = 0;

	for (uint32_t i = 1; i < t->count; i++)
		if (t->nodes[i].parent && !t->nodes[t->nodes[i].parent].parent)
			starts[t->nodes[i].name] += t->nodes[i].total;
	qsort(starts, t->names.count, sizeof(*starts), compare_counts);
	while (count < t->names.count && starts[count] && sum < STARTS_PERCENT)
		sum += share(p, starts[count++]);
	free(starts);
	return count;
}

/* Finds stacks that are suspiciously short, or exactly as deep as the kernel allows. */
static void find_depths(struct fg_digest *d)
{
	const struct fg_columns *p = &d->report->profile;
	/* the profile as it was read, because recursion is deep, too */
	const struct fg_tree *t = &d->report->recorded.tree;
	unsigned roots = starts_with_comm(p) ? 1 : 0, depth = 0;
	uint32_t node = fg_tree_walk(t, 0, true, &depth);
	double lone = 0, deep = 0, deeper = 0;

	for (; node != FG_TREE_NONE; node = fg_tree_walk(t, node, true, &depth)) {
		double own = share(p, t->nodes[node].self);

		if (roots && depth <= roots + 1)
			lone += own;
		if (depth == KERNEL_FRAMES + roots)
			deep += own;
		if (depth > KERNEL_FRAMES + 1)
			deeper += own;
	}
	d->data.lone = lone;
	d->data.deep = deeper > 0 ? 0 : deep;
	if (roots) {
		size_t starts = count_starts(p);

		d->data.starts = starts > STARTS_MAX ? starts : 0;
	}
}

/* ---- the hottest functions */

/* Sets the hottest line of each hot function. */
static void find_lines(struct fg_digest *d)
{
	const struct fg_report *r = d->report;
	/* indexed by id of the name: the hottest line of the function */
	const struct fg_function **best =
		fg_xcalloc(r->profile.tree.names.count, sizeof(*best));

	for (size_t i = 0; i < r->by_line.count; i++) {
		const struct fg_function *f = &r->by_line.items[i];
		const struct fg_named_line *line = &r->lines.of[f->name];
		const struct fg_function **known =
			&best[r->lines.merged[line->function]];

		if (line->number &&
		    (!*known || f->self[FG_AFTER] > (*known)->self[FG_AFTER]))
			*known = f;
	}
	for (size_t i = 0; i < d->hot_count; i++) {
		const struct fg_function *f = best[d->hot[i].function->name];
		const struct fg_named_line *line;

		if (!f)
			continue;
		line = &r->lines.of[f->name];
		d->hot[i].file = fg_intern_name(&r->lines.files, line->file);
		d->hot[i].number = line->number;
	}
	free(best);
}

/* Finds the frame with most of the own counts of each hot function. */
static void find_frames(struct fg_digest *d)
{
	const struct fg_tree *t = &d->report->profile.tree;
	/* indexed by id of the name: index of the hot function + 1 */
	uint32_t *index = fg_xcalloc(t->names.count, sizeof(*index));

	for (size_t i = 0; i < d->hot_count; i++)
		index[d->hot[i].function->name] = (uint32_t)i + 1;
	for (uint32_t node = 1; node < t->count; node++) {
		uint32_t i = index[t->nodes[node].name];
		struct fg_hot *hot = i ? &d->hot[i - 1] : NULL;

		if (hot && (hot->node == FG_TREE_NONE ||
			    t->nodes[node].self > t->nodes[hot->node].self))
			hot->node = node;
	}
	for (size_t i = 0; i < d->hot_count; i++) {
		struct fg_hot *hot = &d->hot[i];

		hot->through = 100 * ((double)t->nodes[hot->node].self /
				      (double)hot->function->self[FG_AFTER]);
	}
	free(index);
}

static void find_hot(struct fg_digest *d)
{
	const struct fg_report *r = d->report;
	uint32_t *order =
		fg_functions_order(&r->functions, &r->profile, fg_function_by_self);

	d->hot = fg_xcalloc(r->functions.count + 1, sizeof(*d->hot));
	for (size_t i = 0; i < r->functions.count && i < r->options->limit; i++) {
		const struct fg_function *f = &r->functions.items[order[i]];

		if (!f->self[FG_AFTER])
			break;
		d->hot[d->hot_count++] =
			(struct fg_hot){ .function = f, .node = FG_TREE_NONE };
	}
	free(order);
	find_frames(d);
	if (r->lines.any)
		find_lines(d);
}

/* ---- the hottest paths */

/* Returns the only child with a share of at least `least` percent, or FG_TREE_NONE. */
static uint32_t only_child(const struct fg_columns *p, uint32_t parent, double least)
{
	const struct fg_tree_node *nodes = p->tree.nodes;
	uint32_t only = FG_TREE_NONE;

	for (uint32_t i = nodes[parent].first; i != FG_TREE_NONE; i = nodes[i].next) {
		if (share(p, nodes[i].total) < least)
			continue;
		if (only != FG_TREE_NONE)
			return FG_TREE_NONE;
		only = i;
	}
	return only;
}

/* Returns true if a frame continues the newest path. */
static bool goes_on(const struct fg_digest *d, uint32_t node, double least)
{
	const struct fg_columns *p = &d->report->profile;
	const struct fg_tree_node *nodes = p->tree.nodes;
	const struct fg_hot_path *last;

	if (!d->path_count)
		return false;
	last = &d->paths[d->path_count - 1];
	return nodes[node].parent == last->path.last &&
	       (double)nodes[node].total >= GOES_ON * (double)last->total[FG_AFTER] &&
	       only_child(p, last->path.last, least) == node;
}

/*
 * Makes the paths whose frames have at least `least` percent. Returns false if there
 * are too many.
 */
static bool make_paths(struct fg_digest *d, double least)
{
	const struct fg_columns *p = &d->report->profile;
	unsigned *indents = NULL; /* indexed by depth: the indent of the path there */
	unsigned depth = 0;
	size_t alloc = 0;
	uint32_t node = fg_tree_walk(&p->tree, 0, true, &depth);
	bool fits = true;

	d->path_count = 0;
	while (node != FG_TREE_NONE && fits) {
		bool shown = share(p, p->tree.nodes[node].total) >= least;

		if (shown) {
			FG_GROW(indents, alloc, (size_t)depth + 1);
			fits = d->path_count < FG_DIGEST_PATHS ||
			       goes_on(d, node, least);
		}
		if (shown && fits) {
			struct fg_hot_path *path;

			if (goes_on(d, node, least)) {
				path = &d->paths[d->path_count - 1];
				path->path.last = node;
				path->path.frames++;
			} else {
				path = &d->paths[d->path_count++];
				path->path = (struct fg_path){ p, node,	 node,
							       1, false, &d->origins };
				path->indent = depth > 1 ? indents[depth - 1] + 1 : 0;
				fg_columns_total(p, node, path->total);
			}
			fg_tree_own(&p->tree, node, path->self);
			indents[depth] = path->indent;
		}
		node = fg_tree_walk(&p->tree, node, shown, &depth);
	}
	free(indents);
	return fits;
}

static void find_paths(struct fg_digest *d)
{
	double least = PATH_PERCENT;

	while (!make_paths(d, least) && least < 100)
		least *= 1.25;
}

/* ---- libraries */

static void find_groups(struct fg_digest *d)
{
	/* the profile as it was read, because the frames that wait are merged */
	const struct fg_columns *p = &d->report->recorded;
	uint32_t *of;
	struct fg_function_groups groups;

	fg_intern_init(&d->group_names);
	of = fg_grouping_find(&p->tree, FG_BY_KIND, FG_FROM_ROOT, &d->group_names);
	groups = (struct fg_function_groups){ of, &d->group_names };
	fg_functions_init_groups(&d->groups, p, &groups);
	d->group_order = fg_functions_order(&d->groups, p, fg_function_by_self);
	d->ungrouped = p->totals[FG_AFTER];
	for (size_t i = 0; i < d->groups.count; i++)
		d->ungrouped -= d->groups.items[i].self[FG_AFTER];
	free(of);
}

/* Returns true if most own counts of the program itself have source files. */
static bool has_own_files(const struct fg_digest *d)
{
	const struct fg_functions *all = &d->report->functions;
	double with = 0, without = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct fg_function *f = &all->items[i];

		if (!d->origins.foreign[f->name] && d->origins.files[f->name].len)
			with += (double)f->self[FG_AFTER];
		else if (!d->origins.foreign[f->name])
			without += (double)f->self[FG_AFTER];
	}
	return with > without;
}

static void add_caller(struct fg_digest *d, const struct fg_digest_caller *caller)
{
	size_t at = d->caller_count;

	while (at && d->callers[at - 1].share[FG_AFTER] < caller->share[FG_AFTER]) {
		if (at < FG_DIGEST_CALLERS)
			d->callers[at] = d->callers[at - 1];
		at--;
	}
	if (at < FG_DIGEST_CALLERS)
		d->callers[at] = *caller;
	if (d->caller_count < FG_DIGEST_CALLERS)
		d->caller_count++;
}

/*
 * Counts what libraries do for the innermost frame of the program, and finds the
 * hottest functions by that sum.
 */
static void find_callers(struct fg_digest *d)
{
	const struct fg_columns *p = &d->report->profile;
	size_t names = p->tree.names.count;
	/* indexed by the ids of names */
	struct fg_digest_caller *all = fg_xcalloc(names, sizeof(*all));

	for (uint32_t i = 1; i < p->tree.count; i++) {
		uint32_t caller = fg_origins_caller(&d->origins, i);
		struct fg_digest_caller *c;
		uint64_t counts[2];

		if (caller == FG_TREE_NONE)
			continue;
		c = &all[p->tree.nodes[caller].name];
		fg_tree_own(&p->tree, i, counts);
		c->share[FG_BEFORE] +=
			fg_columns_share(p, FG_BEFORE, counts[FG_BEFORE]);
		c->share[FG_AFTER] += share(p, counts[FG_AFTER]);
		if (caller == i)
			d->own += share(p, counts[FG_AFTER]);
	}
	for (uint32_t i = 0; i < names; i++) {
		all[i].name = i;
		if (all[i].share[FG_AFTER] > 0)
			add_caller(d, &all[i]);
	}
	free(all);
}

/* ---- samples */

static void find_samples(struct fg_digest *d)
{
	const struct fg_report *r = d->report;
	const struct fg_quality *q = &r->profile.unit.quality;
	unsigned first = r->profile.columns == 2 ? FG_BEFORE : FG_AFTER;

	for (unsigned i = first; i <= FG_AFTER; i++) {
		bool guessed = r->weight.source == FG_SAMPLE_WEIGHT_DIVISOR;

		if (q->of[i][FG_QUALITY_SAMPLES] && !q->of[i][FG_QUALITY_STACKS] &&
		    (guessed || r->weight.source == FG_SAMPLE_WEIGHT_UNKNOWN))
			d->samples[i] = (double)q->of[i][FG_QUALITY_SAMPLES];
		else if (r->weight.source != FG_SAMPLE_WEIGHT_UNKNOWN)
			d->samples[i] = fg_report_samples(r, i, 0).n;
	}
}

static void find_changes(struct fg_digest *d)
{
	const struct fg_report *r = d->report;
	const struct fg_findings_input in = { &r->profile, &r->functions, &r->weight,
					      &r->totals, r->options->confidence };

	fg_findings_find(&d->findings, &in);
}

static void release(struct fg_digest *d)
{
	fg_origins_release(&d->origins);
	fg_findings_release(&d->findings);
	free(d->hot);
	fg_functions_release(&d->groups);
	fg_intern_release(&d->group_names);
	free(d->group_order);
	for (size_t i = 0; i < FG_DIGEST_NEXT; i++)
		fg_buf_release(&d->next[i]);
}

void fg_report_digest(const struct fg_report *r)
{
	struct fg_digest d = { .report = r };

	fg_origins_find(&d.origins, &r->profile.tree, &r->lines,
			r->recorded.tree.names.count);
	find_samples(&d);
	find_unknown(&d);
	find_waiting(&d);
	find_depths(&d);
	if (r->profile.columns == 2)
		find_changes(&d);
	find_hot(&d);
	find_paths(&d);
	find_groups(&d);
	d.own_files = has_own_files(&d);
	find_callers(&d);
	fg_digest_find_next(&d);
	if (r->options->format == FG_REPORT_JSON)
		fg_digest_json(&d);
	else
		fg_digest_page(&d);
	release(&d);
}
