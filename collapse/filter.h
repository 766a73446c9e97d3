/*
 * --keep and --drop: which stacks get a line.
 */
#ifndef FG_COLLAPSE_FILTER_H
#define FG_COLLAPSE_FILTER_H

#include "collapse/options.h"
#include "lib/str.h"

struct fg_filter;

/*
 * Sets *made, to NULL where all stacks are wanted. 0, or -1 after reporting a pattern
 * that is wrong.
 */
int fg_filter_new(const struct fg_common_options *o, struct fg_diag *diag,
		  struct fg_filter **made);
void fg_filter_free(struct fg_filter *f); /* accepts NULL */

/* Whether the folded text of a stack fits; `data` is a filter, for fg_counts_format. */
bool fg_filter_keeps(void *data, struct fg_str stack);

/* Whether matching failed, which has been reported. NULL has not. */
bool fg_filter_failed(const struct fg_filter *f);

#endif
