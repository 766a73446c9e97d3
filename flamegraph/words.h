/*
 * The words for what a picture counts: what is no number of samples is not called so.
 *
 * Counts without a unit are shown as samples if it is known what one counts. If
 * nothing is known, a number stands without a word. With the older look, that of
 * --theme classic or --colors hot, the titles of frames keep the numbers and the word
 * of the older programs, "samples": others have read them for years.
 */
#ifndef FG_FLAMEGRAPH_WORDS_H
#define FG_FLAMEGRAPH_WORDS_H

#include "flamegraph/changes.h"
#include "flamegraph/options.h"
#include "lib/base/out.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

/* The unit, by --unit or the header; "" where it is not known. */
const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o);

/* The event; "" where it is not known. */
const char *fg_unit_event(struct fg_unit *u);

/* What one sample counts, as the header has it; "" where it is not known. */
const char *fg_unit_sample_weight(struct fg_unit *u);

/* The word after a count: --countname, or the unit, or samples. */
const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o);

enum fg_counted {
	FG_COUNTED_UNIT, /* the word is a unit, or what the user says */
	FG_COUNTED_SAMPLES,
	FG_COUNTED_UNKNOWN,
	FG_COUNTED_AS_EVER, /* --compat: the older programs' words */
};

struct fg_words {
	const char *count_name; /* in titles; "" where it is not known; borrowed */
	const char *one_name; /* the same after a 1 */
	const char *spoken; /* in other texts; "" where it is not known */
	enum fg_counted counted;
	/* what a sample counts, as numbers are shown; 0: not known, or 1 */
	double one;
	double factor; /* counts are multiplied by it to be shown */

	/* What a sample counts, if counts without a unit are shown as samples; or 0. */
	double weight;
};

/* Of a finished tree of one column. */
void fg_words_init(struct fg_words *w, const struct fg_tree *tree, struct fg_unit *unit,
		   const struct fg_graph_options *options);

/* Like fg_words_init(), for a differential. */
void fg_words_init_two(struct fg_words *w, const struct fg_changes *d,
		       struct fg_unit *unit, const struct fg_graph_options *options);

/* Says how to name what is counted, where it is not known. */
void fg_words_hint(const struct fg_words *w, struct fg_diag *diag);

/* Writes what the viewer has to know of them, as attributes. */
void fg_words_write(const struct fg_words *w, struct fg_out *out);

#endif
