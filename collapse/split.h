/*
 * --split and --weight all: each value of a profile, in a file or a section of its own.
 */
#ifndef FG_COLLAPSE_SPLIT_H
#define FG_COLLAPSE_SPLIT_H

#include "collapse/collapse.h"

/* Whether the options ask for all values. */
bool fg_collapse_splits(const struct fg_collapse *c);

/*
 * Reads the files once for each value that the profile has, and writes its stacks with
 * a header to VALUE.folded in the folder that --split names, which is made where it is
 * not there; the names of these files go to `out`. With --weight all the stacks go to
 * `out`. A value without stacks is left out. `c` is checked. 0, or -1 after reporting,
 * also where there are no stacks at all.
 */
int fg_collapse_split(struct fg_collapse *c, const struct fg_opt_list *files,
		      struct fg_out *out, struct fg_diag *diag);

#endif
