/* Adds lines of folded stacks to a tree, like the programs. */
#ifndef FG_TESTS_UNIT_SUPPORT_TREELINE_H
#define FG_TESTS_UNIT_SUPPORT_TREELINE_H

#include "lib/profile/tree.h"
#include "tests/unit/support/support.h"

/* Returns the result of fg_tree_add() for "STACK COUNT". */
static inline int tree_try(struct fg_tree *t, const char *line)
{
	struct fg_folded folded;

	assert_int_equal(fg_folded_parse(fg_str_from(line), &folded), FG_FOLDED_STACK);
	return fg_tree_add(t, &folded);
}

static inline void tree_add(struct fg_tree *t, const char *line)
{
	assert_int_equal(tree_try(t, line), 0);
}

#endif
