/* Searches the names of a tree. */
#include "flamegraph/search.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/*
 * Matches a name as it is shown. So "k" does not match "read_[k]", which is shown as
 * "read", unless `annotated` is true.
 */
static int matches(struct fg_regex *regex, struct fg_str name, bool annotated)
{
	struct fg_str shown = fg_folded_without_annotation(name);
	int found = fg_regex_match(regex, shown);

	if (found || shown.len == name.len || !annotated)
		return found;
	return fg_regex_match(regex, name);
}

static uint64_t sum_outermost(const struct fg_search *s, const struct fg_tree *tree)
{
	uint64_t sum = 0;
	unsigned depth = 1;
	uint32_t node = tree->nodes[0].first;

	while (node != FG_TREE_NONE) {
		bool found = s->found[tree->nodes[node].name];

		if (found)
			sum += tree->nodes[node].total;
		node = fg_tree_walk(tree, node, !found, &depth);
	}
	return sum;
}

int fg_search_run(struct fg_search *s, const struct fg_tree *tree,
		  struct fg_regex *regex, const char *pattern)
{
	bool annotated = pattern && strstr(pattern, "\\[");
	int all;

	memset(s, 0, sizeof(*s));
	if (!regex)
		return 0;
	s->found = fg_xcalloc(tree->names.count, sizeof(*s->found));
	for (uint32_t id = 0; id < tree->names.count; id++) {
		int found = matches(regex, fg_intern_name(&tree->names, id), annotated);

		if (found < 0)
			return -1;
		s->found[id] = found;
	}
	all = fg_regex_match(regex, FG_STR("all"));
	if (all < 0)
		return -1;
	s->root = all;
	s->counts = all ? tree->total : sum_outermost(s, tree);
	return 0;
}

void fg_search_release(struct fg_search *s)
{
	free(s->found);
	memset(s, 0, sizeof(*s));
}
