/* Which names a pattern matches, and how much of a profile they are. */
#ifndef FG_FLAMEGRAPH_SEARCH_H
#define FG_FLAMEGRAPH_SEARCH_H

#include "lib/base/regex.h"
#include "lib/profile/tree.h"

struct fg_search {
	bool *found; /* by name id; NULL without a pattern */
	bool root; /* whether "all" matches */
	uint64_t counts; /* of the frames found, those in others counted once */
};

/*
 * Matches every name, without its annotation and, where `pattern`, the text of `regex`,
 * has a "\[", with it; the root's is "all". Both may be NULL. Returns 0, or -1 after
 * reporting that matching was given up.
 */
int fg_search_run(struct fg_search *s, const struct fg_tree *tree,
		  struct fg_regex *regex, const char *pattern);
void fg_search_release(struct fg_search *s);

#endif
