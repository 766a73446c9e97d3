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
#include "lib/base/opts.h"

enum fg_recursion {
	FG_RECURSION_KEEP,
	FG_RECURSION_DIRECT, /* f;f becomes f */
	FG_RECURSION_CYCLES, /* f;g;f too */
	FG_RECURSION_UNKNOWN, /* only of [unknown] */
};

/* The values of the options in fg_filter_rows. */
struct fg_filter_options {
	struct fg_opt_list focus, ignore, hide, show, show_from, trim_below;
	struct fg_opt_list base, rename, rules, keep, drop;
	uint64_t skip_root;
	uint64_t max_depth; /* 0: no limit */
	int recursion; /* enum fg_recursion */
	bool strip_addresses;
};

extern const struct fg_opt fg_filter_rows[];

/* Whether an option chooses stacks, so that an empty result is no failure. */
bool fg_filter_options_choose(const struct fg_filter_options *o);

/* Whether an option other than --keep and --drop is given. */
bool fg_filter_options_change(const struct fg_filter_options *o);

/* The frame of a stack that has no other left, so that its count stays. */
#define FG_FILTER_OTHER "[other]"

struct fg_filter;

/*
 * Makes a filter in *made, or NULL if no option is given. Stacks are ids of `names`, to
 * which new names are added; it may be NULL if only fg_filter_text() is called. Options
 * and names are borrowed. Returns 0, or -1 after reporting a wrong pattern or rule.
 */
int fg_filter_new(const struct fg_filter_options *o, struct fg_intern *names,
		  struct fg_diag *diag, struct fg_filter **made);
void fg_filter_free(struct fg_filter *f); /* accepts NULL */

/* A stack, root first. `ids` has room for at least one. */
struct fg_filter_stack {
	uint32_t *ids;
	size_t depth;
	size_t roots; /* root frames at the start, which are no functions */
	size_t values; /* values at the end (--trace-field), which are none either */
};

/*
 * Changes a stack as the options say and returns whether it is kept. Once matching has
 * failed, no stack is.
 */
bool fg_filter_stack(struct fg_filter *f, struct fg_filter_stack *s);

/* Whether --keep and --drop keep a stack. For fg_counts_format; `data` is a filter. */
bool fg_filter_keeps(void *data, struct fg_str stack);

/*
 * Does both for the text of a folded stack. *stack becomes the changed text, borrowed
 * from the caller or, until the next call, from `f`.
 */
bool fg_filter_text(struct fg_filter *f, struct fg_str *stack);

/* Whether matching has failed, which was reported. False for NULL. */
bool fg_filter_failed(const struct fg_filter *f);

/* To be called at the end: warns of patterns that matched no frame. Accepts NULL. */
void fg_filter_report(const struct fg_filter *f);

#endif
