/*
 * Chooses the words for what a picture counts. We write "samples" only after numbers of
 * samples.
 *
 * Counts without a unit are shown as samples if the weight of a sample is known. If
 * neither the unit nor the weight is known, numbers have no word. With the older look
 * (--theme classic or --colors hot), titles keep the numbers and the word "samples" of
 * the older programs, because scripts have read them for years.
 */
#ifndef FG_FLAMEGRAPH_WORDS_H
#define FG_FLAMEGRAPH_WORDS_H

#include "flamegraph/changes.h"
#include "flamegraph/options.h"
#include "lib/base/out.h"
#include "lib/profile/tree.h"
#include "lib/profile/unit.h"

/* Returns the unit, from --unit or the header, or "". */
const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o);

/* Returns the event, or "". */
const char *fg_unit_event(struct fg_unit *u);

/* Returns the weight of one sample as it stands in the header, or "". */
const char *fg_unit_sample_weight(struct fg_unit *u);

/* Returns the word after a count: --countname, the unit, or "samples". */
const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o);

enum fg_counted {
	FG_COUNTED_UNIT, /* a unit, or the user's word */
	FG_COUNTED_SAMPLES,
	FG_COUNTED_UNKNOWN,
	FG_COUNTED_COMPAT, /* --compat: the older programs' word */
};

struct fg_words {
	/* the word after a count in tooltips; "" if unknown; borrowed */
	const char *count_name;
	const char *one_name; /* like count_name, but after the number 1 */
	const char *spoken; /* the word after a count in other texts; "" if unknown */
	enum fg_counted counted;
	/* The weight of a sample in numbers as shown; 0 if it is unknown or 1. */
	double one;
	double factor; /* a count times this is the number that is shown */

	/*
	 * The weight of a sample if it made us show counts without a unit as samples;
	 * else 0.
	 */
	double weight;
};

/* Chooses the words for a finished tree of one column. */
void fg_words_init(struct fg_words *w, const struct fg_tree *tree, struct fg_unit *unit,
		   const struct fg_graph_options *options);

/* Like fg_words_init(), for a difference. */
void fg_words_init_two(struct fg_words *w, const struct fg_changes *d,
		       struct fg_unit *unit, const struct fg_graph_options *options);

/* With -v, notes how to name the counts if the unit is unknown. */
void fg_words_hint(const struct fg_words *w, struct fg_diag *diag);

/* Writes the attributes that tell the viewer the words. */
void fg_words_write(const struct fg_words *w, struct fg_out *out);

#endif
