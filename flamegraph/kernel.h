/*
 * Which functions are the kernel's where no annotation says so: those that are reached
 * by the ways into it, such as entry_SYSCALL_64_after_hwframe.
 */
#ifndef FG_FLAMEGRAPH_KERNEL_H
#define FG_FLAMEGRAPH_KERNEL_H

#include "lib/profile/tree.h"

/* Whether stacks have been turned round: --reverse. */
enum fg_stacks { FG_FROM_ROOT, FG_FROM_LEAF };

/*
 * By id of the names of a finished tree; a name that is seen both in the kernel and
 * elsewhere is where it counts more. The caller frees the array.
 */
bool *fg_kernel_find(const struct fg_tree *tree, enum fg_stacks stacks);

#endif
