/*
 * Differential graphs: what each frame was before and is after, what of the change is
 * no noise, and the colours and texts that say so.
 *
 * Counts are in the tree's units. A change is noise where it is less than twice its
 * Poisson deviation: the square root of the number of samples on both sides.
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
	bool on; /* the profile has two columns */
	const struct fg_tree *tree;
	const struct fg_graph_options *options;
	uint64_t *before, *after; /* inclusive, by node; `after` NULL: as wide as it */
	uint64_t before_total, after_total;
	double factor; /* counts are multiplied by it to be shown */
	double weights[2]; /* of a sample, by column; 0 if they are not known */
	double sample; /* the mean of both */
	struct fg_totals totals; /* that were recorded, if counts before are scaled */
	double max; /* the largest change that is shown, as a number of counts */
};

/* How a frame changed. */
enum fg_change {
	FG_CHANGE_NONE, /* or no more than noise */
	FG_CHANGE_LESS,
	FG_CHANGE_MORE,
	FG_CHANGE_NEW, /* it was not there before */
	FG_CHANGE_GONE, /* it is not there any more */
};

/* Whether stacks that are no more have a width. */
bool fg_changes_draws_gone(const struct fg_graph_options *options);

/*
 * Makes the widths of a finished tree those of --diff-view, and moves what is gone to
 * the right of its siblings. `unit` may know what a sample counts. The tree and the
 * options are borrowed. Returns 0, or -1 after reporting that the widths exceed 2^64-1:
 * the tree is then of no more use. Release `d` in either case.
 */
int fg_changes_init(struct fg_changes *d, struct fg_tree *tree,
		    const struct fg_unit *unit, const struct fg_graph_options *options,
		    struct fg_diag *diag);
void fg_changes_release(struct fg_changes *d);

/*
 * Returns what one sample counts, as numbers are shown, if it was the same before and
 * after; else 0. Scaled counts before are then in samples like those after.
 */
double fg_changes_sample(const struct fg_changes *d);

/* Inclusive counts of a node. */
uint64_t fg_changes_before(const struct fg_changes *d, uint32_t node);
uint64_t fg_changes_after(const struct fg_changes *d, uint32_t node);

/* Whether noise explains that counts, in the tree's units, have changed so much. */
bool fg_changes_is_noise(const struct fg_changes *d, double before, double after);

enum fg_change fg_changes_change(const struct fg_changes *d, uint32_t node);

/* Appends "Matched: 5.0% -> 9.1%", with an arrow: the share of each side's counts. */
void fg_changes_add_matched(const struct fg_changes *d, const struct fg_search *s,
			    struct fg_buf *text);

/* The colour of a frame in the palette of --diff-colors. */
struct fg_rgb fg_changes_colour(const struct fg_changes *d, uint32_t node);

/*
 * Writes what a title says after the frame's name, with arrows and crosses,
 * " (25 -> 50 samples (+25, x2.0), 5.00% -> 9.10%)", at `p`, which has room for numbers
 * and `count_name`; returns its end.
 */
char *fg_changes_put(char *p, const struct fg_changes *d, uint32_t node,
		     struct fg_str count_name);

/*
 * The colour of a change by `part` of the largest, from 0 to 1; FG_CHANGE_NEW and
 * FG_CHANGE_GONE have one each.
 */
struct fg_rgb fg_changes_shade(enum fg_change change, double part);

#endif
