/*
 * The options for stacks, frames and names that the collapsers, filter-folded and
 * flamegraph share, and the filter that applies them.
 *
 * The steps have a fixed order, whatever the order on the command line. First names are
 * changed, then stacks are kept or left out by their frames, then single frames are
 * left out, then come recursion and depth, and at last --keep and --drop, which match
 * the text of whole stacks. filter-folded(1) says what becomes of the counts.
 */
#ifndef FG_LIB_PROFILE_FILTER_H
#define FG_LIB_PROFILE_FILTER_H

#include "lib/base/intern.h"
#include "lib/base/opts.h"

enum fg_recursion {
	FG_RECURSION_KEEP,
	FG_RECURSION_DIRECT, /* f;f becomes f */
	FG_RECURSION_CYCLES, /* f;g;f becomes f, too */
	FG_RECURSION_UNKNOWN, /* [unknown];[unknown] becomes [unknown] */
};

/* The values of the options in fg_filter_rows. */
struct fg_filter_options {
	struct fg_opt_list focus, ignore, hide, show, show_from, trim_below;
	struct fg_opt_list base, rename, rules, keep, drop;
	uint64_t skip_root;
	uint64_t max_depth; /* 0: no limit */
	int recursion; /* enum fg_recursion */
	bool strip_addresses;
	bool no_lines;
};

extern const struct fg_opt fg_filter_rows[];

/* --no-lines. The collapsers do not have it, because they write lines only if asked. */
extern const struct fg_opt fg_filter_line_rows[];

/* Returns true if an option selects stacks. An empty result is then not a failure. */
bool fg_filter_options_choose(const struct fg_filter_options *o);

/* Returns true if an option other than --keep and --drop is given. */
bool fg_filter_options_change(const struct fg_filter_options *o);

/* A stack that has lost all its frames gets this frame, so that its count is kept. */
#define FG_FILTER_OTHER "[other]"

struct fg_filter;

/*
 * Sets *made to a filter, or to NULL if no option is given. The frames of stacks are
 * ids of `names`, where the filter adds new names; `names` may be NULL if you only call
 * fg_filter_text(). Borrows options and names. Returns 0, or -1 after reporting a
 * malformed pattern or rule; free *made in either case.
 */
int fg_filter_new(const struct fg_filter_options *o, struct fg_intern *names,
		  struct fg_diag *diag, struct fg_filter **made);
void fg_filter_free(struct fg_filter *f); /* accepts NULL */

/* A stack, root first. `ids` needs space for one frame even if the stack is empty. */
struct fg_filter_stack {
	uint32_t *ids;
	size_t depth;
	size_t roots; /* root frames at the start, which are not functions */
	size_t values; /* values at the end (--trace-field), not functions either */
};

/*
 * Changes a stack in place. Returns false if the stack is left out. Once matching has
 * failed, all stacks are left out.
 */
bool fg_filter_stack(struct fg_filter *f, struct fg_filter_stack *s);

/*
 * Returns true if --keep and --drop keep a stack, given as folded text. A callback of
 * fg_counts_format; `data` is the filter.
 */
bool fg_filter_keeps(void *data, struct fg_str stack);

/*
 * Like fg_filter_stack() and fg_filter_keeps() together, for folded text. *stack
 * becomes the changed text, borrowed from the caller or, until the next call, from `f`.
 */
bool fg_filter_text(struct fg_filter *f, struct fg_str *stack);

/* Returns true if matching has failed, which was then reported. Accepts NULL. */
bool fg_filter_failed(const struct fg_filter *f);

/* Warns of patterns that matched no frame. Call it at the end. Accepts NULL. */
void fg_filter_report(const struct fg_filter *f);

#endif
