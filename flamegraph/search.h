/* Finds the names that a pattern matches, and their share of a profile. */
#ifndef FG_FLAMEGRAPH_SEARCH_H
#define FG_FLAMEGRAPH_SEARCH_H

#include "lib/base/regex.h"
#include "lib/profile/tree.h"

struct fg_search {
	bool *found; /* indexed by id of the name; NULL without a pattern */
	bool root; /* the pattern matches "all", the name of the root */
	/* sum of the totals of the outermost matching frames, in the tree's units */
	uint64_t counts;
};

/*
 * Matches every name of the tree without its annotation or, if `pattern` has a "\[",
 * with it. The root's name is "all". `pattern` is the text of `regex`; both may be
 * NULL. Returns 0, or -1 after reporting that the match took too long.
 */
int fg_search_run(struct fg_search *s, const struct fg_tree *tree,
		  struct fg_regex *regex, const char *pattern);
void fg_search_release(struct fg_search *s);

#endif
