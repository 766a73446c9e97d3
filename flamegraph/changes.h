/*
 * Differential graphs: each frame before and after, which changes are significant, and
 * the colours and texts that show it.
 *
 * Counts are in the tree's units. A change is noise if it is less than twice its
 * Poisson deviation, the square root of the number of samples on both sides.
 */
#ifndef FG_FLAMEGRAPH_CHANGES_H
#define FG_FLAMEGRAPH_CHANGES_H

#include "flamegraph/colour.h"
#include "flamegraph/options.h"
#include "flamegraph/search.h"
#include "lib/profile/totals.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

struct fg_changes {
	bool on; /* true if the profile has two columns */
	const struct fg_tree *tree;
	const struct fg_graph_options *options;
	/*
	 * Inclusive counts, indexed by node. `after` is NULL if the totals in the
	 * tree's nodes are the counts after.
	 */
	uint64_t *before, *after;
	uint64_t before_total, after_total;
	double factor; /* a count times this is the number shown */
	double weights[2]; /* weight of one sample before and after; 0 if unknown */
	double sample; /* the mean of both weights */
	struct fg_totals totals; /* recorded totals, if the counts before are scaled */
	/* largest change of a frame that is not gone or noise, in the tree's units */
	double max;
};

enum fg_change {
	FG_CHANGE_NONE, /* no change, or only noise */
	FG_CHANGE_LESS,
	FG_CHANGE_MORE,
	FG_CHANGE_NEW, /* did not exist before */
	FG_CHANGE_GONE, /* does not exist any more */
};

/*
 * Returns true if the options let us draw stacks that are gone (only counted before).
 */
bool fg_changes_draws_gone(const struct fg_graph_options *options);

/*
 * Gives the frames of a finished tree the widths of --diff-view, and moves frames that
 * are gone to the right of their siblings. `unit` may hold the weight of a sample. The
 * tree and the options are borrowed. Returns 0, or -1 after reporting that the widths
 * exceed 2^64-1: the tree is then useless. Release `d` in either case.
 */
int fg_changes_init(struct fg_changes *d, struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_graph_options *options,
		    struct fg_diag *diag);
void fg_changes_release(struct fg_changes *d);

/*
 * Returns the weight of one sample, in numbers as shown, if it was the same before and
 * after. Else returns 0. If the counts before were scaled to the total after, it
 * compares the weights before scaling.
 */
double fg_changes_sample(const struct fg_changes *d);

/* Return the inclusive counts of a node. */
uint64_t fg_changes_before(const struct fg_changes *d, uint32_t node);
uint64_t fg_changes_after(const struct fg_changes *d, uint32_t node);

/* Returns true if noise explains the change between two counts in the tree's units. */
bool fg_changes_is_noise(const struct fg_changes *d, double before, double after);

enum fg_change fg_changes_change(const struct fg_changes *d, uint32_t node);

/*
 * Appends "Matched: 5.0% -> 9.1%", with a real arrow: the matches' share of the counts
 * before and after.
 */
void fg_changes_add_matched(const struct fg_changes *d, const struct fg_search *s,
			    struct fg_buf *text);

/* Returns the colour of a frame in the colours of --diff-colors. */
struct fg_rgb fg_changes_colour(const struct fg_changes *d, uint32_t node);

/*
 * Writes the part of a tooltip that follows the frame's name, " (25 -> 50 samples (+25,
 * x2.0), 5.00% -> 9.10%)" with real arrows and crosses. `p` needs space for the numbers
 * and `count_name`. Returns the end of the text. The viewer's texts.js writes the same;
 * see put_title() in frames.c.
 */
char *fg_changes_put_tooltip(char *p, const struct fg_changes *d, uint32_t node,
			     struct fg_str count_name);

/* Returns true if the background is dark, so that the neutral colour is dark, too. */
bool fg_changes_are_dark(const struct fg_changes *d);

/*
 * Returns the colour of a change. `part`, from 0 to 1, is its size relative to the
 * largest change. Frames that are new or gone have one colour each.
 */
struct fg_rgb fg_changes_shade(const struct fg_changes *d, enum fg_change change,
			       double part);

#endif
