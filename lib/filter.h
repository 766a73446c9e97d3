/*
 * Which stacks and frames are wanted, and what names they have: the options that every
 * program has for it, and the module that does what they say.
 *
 * The steps are always the same, whatever the order on the command line: names; stacks
 * by their frames; frames; recursion and depth; stacks by their text. filter-folded(1)
 * says where each count goes.
 */
#ifndef FG_LIB_FILTER_H
#define FG_LIB_FILTER_H

#include "lib/intern.h"
#include "lib/opts.h"

enum fg_recursion {
	FG_RECURSION_KEEP,
	FG_RECURSION_DIRECT, /* f;f becomes f */
	FG_RECURSION_CYCLES, /* f;g;f too */
};

/* Of a stack with no frame left, so that its count stays. */
#define FG_FILTER_OTHER "[other]"

/* What the rows set. */
struct fg_filter_options {
	struct fg_opt_list focus, ignore, hide, show, show_from, trim_below;
	struct fg_opt_list base, rename, rules, keep, drop;
	uint64_t skip_root;
	uint64_t max_depth; /* 0: no limit */
	int recursion; /* enum fg_recursion */
	bool strip_addresses;
};

extern const struct fg_opt fg_filter_rows[];

/* Whether stacks are chosen, so that it is no failure if none is left. */
bool fg_filter_options_choose(const struct fg_filter_options *o);

/* Whether stacks are chosen by their frames, or changed: all but --keep and --drop. */
bool fg_filter_options_change(const struct fg_filter_options *o);

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
 * from the caller or from `f`, until the next call. (filter_text.c)
 */
bool fg_filter_text(struct fg_filter *f, struct fg_str *stack);

/* Whether matching failed, which has been reported. NULL has not. */
bool fg_filter_failed(const struct fg_filter *f);

/* At the end: warns of each pattern that matched no frame. Accepts NULL. */
void fg_filter_report(const struct fg_filter *f);

#endif
