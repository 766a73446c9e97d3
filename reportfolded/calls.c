/*
 * Makes the trees of callers and callees of some functions.
 *
 * If a function is on a stack more than once, only its outermost frame counts, so that
 * no sample is added twice.
 */
#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "reportfolded/report.h"

/*
 * The most frames of the new tree. Every frame may match, and each match adds a tree of
 * its own.
 */
#define FRAMES_MAX ((size_t)1 << 22)

struct calls {
	const struct fg_report *report;
	const struct fg_tree *tree; /* the whole profile */
	struct fg_columns *made;
	/* indexed by id of the name: true if the regular expression matches */
	char *matches;
	uint32_t *path; /* indexed by level: the current frame in the new tree */
	size_t path_alloc;
	size_t found; /* number of matching frames */
};

static struct fg_str name_of(const struct calls *c, uint32_t node)
{
	return fg_intern_name(&c->tree->names, c->tree->nodes[node].name);
}

static int match_names(struct calls *c)
{
	const struct fg_intern *names = &c->tree->names;

	c->matches = fg_xcalloc(names->count, 1);
	for (uint32_t i = 0; i < names->count; i++) {
		int match = fg_regex_match(c->report->options->regex,
					   fg_intern_name(names, i));

		if (match < 0)
			return -1;
		c->matches[i] = (char)match;
	}
	return 0;
}

static int count(struct calls *c, uint32_t node, const uint64_t *counts)
{
	if (c->made->tree.count > FRAMES_MAX)
		return fg_error(c->report->diag, NULL,
				"there are more than %zu frames to show: use a lower "
				"--depth",
				FRAMES_MAX);
	if (fg_tree_count(&c->made->tree, node, c->made->columns, counts))
		return fg_error(c->report->diag, NULL,
				"the functions that match contain each other so often "
				"that their sum exceeds 2^64-1");
	return 0;
}

static int add_callers(struct calls *c, uint32_t node)
{
	uint32_t at = fg_tree_child(&c->made->tree, 0, name_of(c, node));
	uint64_t counts[2];

	fg_columns_total(&c->report->profile, node, counts);
	for (uint64_t left = c->report->options->depth; left; left--) {
		node = c->tree->nodes[node].parent;
		if (!node)
			break;
		at = fg_tree_child(&c->made->tree, at, name_of(c, node));
	}
	return count(c, at, counts);
}

/*
 * Returns the frame that follows `node` and its descendants in the subtree of `root`,
 * or FG_TREE_NONE at its end. Updates *depth.
 */
static uint32_t walk_within(const struct fg_tree *t, uint32_t root, uint32_t node,
			    unsigned *depth)
{
	while (node != root && t->nodes[node].next == FG_TREE_NONE) {
		node = t->nodes[node].parent;
		--*depth;
	}
	return node == root ? FG_TREE_NONE : t->nodes[node].next;
}

/*
 * Adds a frame and its callees. On the last level, a frame's own count becomes its
 * total, which includes the callees that are not shown.
 */
static int add_callees(struct calls *c, uint32_t root)
{
	uint32_t node = root;
	unsigned level = 0;

	do {
		bool last = level > c->report->options->depth;
		uint32_t parent = level ? c->path[level - 1] : 0;
		uint64_t counts[2];

		FG_GROW(c->path, c->path_alloc, (size_t)level + 1);
		c->path[level] =
			fg_tree_child(&c->made->tree, parent, name_of(c, node));
		if (last)
			fg_columns_total(&c->report->profile, node, counts);
		else
			fg_tree_own(&c->report->profile.tree, node, counts);
		if (count(c, c->path[level], counts))
			return -1;
		if (!last && c->tree->nodes[node].first != FG_TREE_NONE) {
			node = c->tree->nodes[node].first;
			level++;
		} else {
			node = walk_within(c->tree, root, node, &level);
		}
	} while (node != FG_TREE_NONE);
	return 0;
}

static int add_matches(struct calls *c)
{
	bool callers = c->report->kind == FG_REPORT_CALLERS;
	struct fg_open_names open;
	unsigned depth = 0;
	uint32_t node = fg_tree_walk(c->tree, 0, true, &depth);
	int status = 0;

	fg_open_names_init(&open, c->tree->names.count);
	for (; node != FG_TREE_NONE && !status;
	     node = fg_tree_walk(c->tree, node, true, &depth)) {
		uint32_t name = c->tree->nodes[node].name;

		if (!fg_open_names_enter(&open, name, depth) || !c->matches[name])
			continue;
		status = callers ? add_callers(c, node) : add_callees(c, node);
		c->found++;
	}
	fg_open_names_release(&open);
	return status;
}

static int report_none(const struct calls *c)
{
	const struct fg_report_options *o = c->report->options;

	return fg_error(c->report->diag, NULL, "no function matches '%s'",
			o->given.callers ? o->given.callers : o->given.callees);
}

int fg_report_calls(const struct fg_report *r, struct fg_columns *calls)
{
	struct calls c = { .report = r, .tree = &r->profile.tree, .made = calls };
	int status;

	*calls = (struct fg_columns){ .columns = r->profile.columns };
	fg_tree_init(&calls->tree, FG_TREE_SORTED);
	calls->tree.decimals = r->profile.tree.decimals;
	status = match_names(&c);
	if (!status)
		status = add_matches(&c);
	if (!status && !c.found)
		status = report_none(&c);
	if (!status) {
		fg_tree_finish(&calls->tree);
		if (calls->tree.before)
			calls->before = fg_tree_sums_before(&calls->tree);
		for (unsigned i = 0; i < 2; i++)
			calls->totals[i] = r->profile.totals[i];
	}
	free(c.matches);
	free(c.path);
	return status;
}
