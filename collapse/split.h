/*
 * --split and --weight all: writes each value of a profile to a file or section of its
 * own.
 */
#ifndef FG_COLLAPSE_SPLIT_H
#define FG_COLLAPSE_SPLIT_H

#include "collapse/collapse.h"

/* Returns true if the options ask for all values. */
bool fg_collapse_splits(const struct fg_collapse *c);

/*
 * Reads the files once for each value of the profile. With --split, writes the stacks
 * of each value, with a header, to VALUE.folded in the folder that the option names.
 * Creates the folder if needed, and writes the names of the files to `out`. With
 * --weight all, writes the stacks to `out`. Values without stacks are left out. Call
 * fg_collapse_check() first. Returns -1 after reporting, also if there are no stacks at
 * all.
 */
int fg_collapse_split(struct fg_collapse *c, const struct fg_opt_list *files,
		      struct fg_out *out, struct fg_diag *diag);

#endif
