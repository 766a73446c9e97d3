/*
 * Which stacks and frames are wanted, and what names they have: the options that every
 * program has for it, and the module that does what they say.
 *
 * The steps are always the same, whatever the order on the command line: names; stacks
 * by their frames; frames; recursion and depth; stacks by their text. filter-folded(1)
 * says where each count goes.
 */
#ifndef FG_LIB_PROFILE_FILTER_H
#define FG_LIB_PROFILE_FILTER_H

#include "lib/base/intern.h"
#include "lib/profile/filter_options.h"

/* Of a stack with no frame left, so that its count stays. */
#define FG_FILTER_OTHER "[other]"

struct fg_filter;

/*
 * Sets *made, to NULL where no option is given. Stacks are ids of `names`, to which
 * other names are added; NULL for fg_filter_text only. Options and names are borrowed.
 * 0, or -1 after reporting a pattern or a rule that is wrong.
 */
int fg_filter_new(const struct fg_filter_options *o, struct fg_intern *names,
		  struct fg_diag *diag, struct fg_filter **made);
void fg_filter_free(struct fg_filter *f); /* accepts NULL */

/* A stack, root first. Its ids have room for at least one. */
struct fg_filter_stack {
	uint32_t *ids;
	size_t depth;
	size_t roots; /* so many at the start are no functions, */
	size_t values; /* nor so many at the end: both are no part of the chain */
};

/*
 * Changes a stack as options say. Whether it is wanted; nothing is once matching has
 * failed.
 */
bool fg_filter_stack(struct fg_filter *f, struct fg_filter_stack *s);

/* Whether the folded text of a stack fits; `data` is a filter, for fg_counts_format. */
bool fg_filter_keeps(void *data, struct fg_str stack);

/*
 * Both for the folded text of a stack, which is set to what becomes of it: borrowed
 * from the caller or from `f`, until the next call.
 */
bool fg_filter_text(struct fg_filter *f, struct fg_str *stack);

/* Whether matching failed, which has been reported. NULL has not. */
bool fg_filter_failed(const struct fg_filter *f);

/* At the end: warns of each pattern that matched no frame. Accepts NULL. */
void fg_filter_report(const struct fg_filter *f);

#endif
