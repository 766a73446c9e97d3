/*
 * Groups the functions of a profile: by library (library.h), or by kind of code and
 * module (module.h, prefix.h). Colours and digests use it.
 */
#ifndef FG_LIB_PROFILE_GROUPING_H
#define FG_LIB_PROFILE_GROUPING_H

#include "lib/profile/tree.h"

/* The end that stacks start from. With --reverse, it is the leaf. */
enum fg_stack_order { FG_FROM_ROOT, FG_FROM_LEAF };

enum fg_grouping { FG_BY_LIBRARY, FG_BY_KIND };

/* Stands for no group. */
#define FG_NO_LIBRARY UINT32_MAX

/*
 * Finds the group of each name of a finished tree, and adds the names of groups to
 * `groups`. Returns the ids of the groups, indexed by the ids of the tree's names;
 * FG_NO_LIBRARY for a name without a group. The caller frees the array.
 */
uint32_t *fg_grouping_find(const struct fg_tree *tree, enum fg_grouping by,
			   enum fg_stack_order stacks, struct fg_intern *groups);

/*
 * Finds the functions of the kernel by how they are reached, because not every profile
 * has annotations. Returns an array with true for each function of the kernel, indexed
 * by the ids of the tree's names. The caller frees it. If a function is reached both
 * inside and outside the kernel, the larger sum of counts decides. The tree must be
 * finished.
 */
bool *fg_grouping_kernel(const struct fg_tree *tree, enum fg_stack_order stacks);

#endif
