/* Chooses the words for what a picture counts. */
#include "flamegraph/words.h"

#include <string.h>

#include "lib/svg/xml.h"
#include "lib/profile/sample_weight.h"

const char *fg_unit_name(struct fg_unit *u, const struct fg_graph_options *o)
{
	return o->unit ? o->unit : fg_buf_cstr(&u->unit);
}

const char *fg_unit_event(struct fg_unit *u)
{
	return fg_buf_cstr(&u->event);
}

const char *fg_unit_sample_weight(struct fg_unit *u)
{
	return fg_buf_cstr(&u->sample_weight);
}

const char *fg_unit_word(struct fg_unit *u, const struct fg_graph_options *o)
{
	const char *unit = fg_unit_name(u, o);

	if (o->countname)
		return o->countname;
	return *unit ? unit : "samples";
}

/*
 * The least common divisor of all counts that we treat as the weight of a sample, by
 * unit. Smaller divisors come from round numbers or from the resolution of a clock:
 * times of a clock that counts microseconds are multiples of 1000 ns.
 */
#define LEAST_NS 1000000
#define LEAST_OTHER 1000
#define LEAST_UNKNOWN 100000

/*
 * Returns true for units whose common divisor is not the weight of a sample, but a page
 * or the tick of a timer.
 */
static bool has_own_grain(const char *unit)
{
	return !strcmp(unit, "bytes") || !strcmp(unit, "ms") || !strcmp(unit, "s");
}

static uint64_t least_of(const char *unit)
{
	if (!*unit)
		return LEAST_UNKNOWN;
	return strcmp(unit, "ns") ? LEAST_OTHER : LEAST_NS;
}

static void choose(struct fg_words *w, struct fg_unit *unit,
		   const struct fg_graph_options *o)
{
	const char *name = fg_unit_name(unit, o);

	w->count_name = w->one_name = w->spoken = fg_unit_word(unit, o);
	w->one = w->weight = 0;
	w->factor = o->factor;
	w->counted = FG_COUNTED_UNIT;
	if (o->compat != FG_COMPAT_NONE) {
		w->counted = FG_COUNTED_COMPAT;
		return;
	}
	if (o->countname || (*name && strcmp(name, "samples") != 0))
		return;
	w->counted = *name ? FG_COUNTED_SAMPLES : FG_COUNTED_UNKNOWN;
	w->one_name = "sample";
}

/*
 * Sets the words from `sample`: the weight of a sample in the numbers that are shown,
 * before --factor is applied, or 0 if it is unknown.
 */
static void take_sample(struct fg_words *w, double sample,
			const struct fg_graph_options *o)
{
	bool is_one = sample > 0 && !(sample < 1) && !(sample > 1);
	bool as_they_are = !(o->factor < 1) && !(o->factor > 1);

	if (w->counted == FG_COUNTED_UNKNOWN && is_one && as_they_are) {
		w->counted = FG_COUNTED_SAMPLES;
	} else if (w->counted == FG_COUNTED_UNKNOWN && sample > 0 && as_they_are &&
		   !o->classic_titles) {
		w->counted = FG_COUNTED_SAMPLES;
		w->weight = sample;
		w->factor = 1 / sample;
	} else if (w->counted != FG_COUNTED_SAMPLES && !is_one) {
		w->one = sample * o->factor;
	}
	if (w->counted == FG_COUNTED_UNKNOWN)
		w->spoken = "";
	if (w->counted == FG_COUNTED_UNKNOWN && !o->classic_titles)
		w->count_name = w->one_name = "";
}

static double find_sample(const struct fg_tree *tree, struct fg_unit *unit,
			  const struct fg_graph_options *o)
{
	const char *name = fg_unit_name(unit, o);
	double of[2];

	if (unit->mixed_weights || unit->mixed_units)
		return 0;
	if (!fg_sample_weight_parse(fg_buf_str(&unit->sample_weight), of))
		return of[FG_AFTER];
	if (has_own_grain(name))
		return 0;
	return fg_sample_weight_of_one(tree, least_of(name)) /
	       (double)fg_pow10(tree->decimals);
}

void fg_words_init(struct fg_words *w, const struct fg_tree *tree, struct fg_unit *unit,
		   const struct fg_graph_options *options)
{
	choose(w, unit, options);
	if (w->counted != FG_COUNTED_COMPAT && !options->countname)
		take_sample(w, find_sample(tree, unit, options), options);
}

void fg_words_init_two(struct fg_words *w, const struct fg_changes *d,
		       struct fg_unit *unit, const struct fg_graph_options *options)
{
	choose(w, unit, options);
	if (w->counted == FG_COUNTED_UNKNOWN)
		take_sample(w, fg_changes_sample(d), options);
	w->one = 0; /* samples before and after may have different weights */
}

void fg_words_hint(const struct fg_words *w, struct fg_diag *diag)
{
	if (w->counted == FG_COUNTED_UNKNOWN && diag->verbosity >= FG_VERBOSE)
		fg_note(diag, NULL,
			"the unit of the counts is unknown: give --unit or "
			"--countname, or a line '# unit: ns', which collapsers write "
			"with --header");
}

void fg_words_write(const struct fg_words *w, struct fg_out *out)
{
	fg_xml_attr_text(out, "fg:countname", w->count_name);
	if (w->counted == FG_COUNTED_SAMPLES)
		fg_xml_attr_text(out, "fg:counts", "samples");
	else if (w->counted == FG_COUNTED_UNKNOWN)
		fg_xml_attr_text(out, "fg:counts", "unknown");
	if (w->one > 0)
		fg_xml_attr_real(out, "fg:one", w->one);
	if (w->weight > 0)
		fg_xml_attr_real(out, "fg:weight", w->weight);
}
