/*
 * Judges functions by limits, and computes how small a growth the samples could have
 * shown.
 */
#include "reportfolded/gate.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/xalloc.h"
#include "lib/profile/folded.h"

/*
 * Percentages are quotients, which are rounded. A value that exceeds a limit by less
 * than this counts as equal to it.
 */
#define ROUNDING 1e-9

/* --min-power is the least chance to find a growth of this many times the limit. */
#define GROWTH_TO_FIND 2

/* The state while all functions are judged by one limit. */
struct pass {
	const struct fg_gate_input *in;
	bool known;
	struct fg_gate_result *result;
	struct fg_gate_subject *subjects;
	size_t count;
	double deviations; /* a growth must exceed this many to be significant */
};

/* ---- what is judged */

/*
 * Returns the total before, in the unit of the column's counts. If diff-folded has
 * scaled the counts before, returns the scaled total for the column before, and the
 * unscaled one for the column after.
 */
static double former_total(const struct fg_gate_input *in, unsigned column)
{
	const struct fg_totals *t = in->recorded;
	double before = (double)in->profile->totals[FG_BEFORE];

	if (!t->scaled || column == FG_BEFORE)
		return before;
	return before * t->of[FG_BEFORE] / t->of[FG_AFTER];
}

/* Returns a count in percent of its column's total, or of the former total. */
static double part_of(const struct fg_gate_input *in, unsigned column, uint64_t count)
{
	if (in->options->absolute)
		return 100 * ((double)count / former_total(in, column));
	return fg_columns_share(in->profile, column, count);
}

/*
 * Returns how many samples a count is, and how many samples are 100 percent: all of the
 * column or, with --absolute, as many as would add up to the former total.
 */
static struct fg_proportion samples_of(const struct fg_gate_input *in, unsigned column,
				       uint64_t count)
{
	double weight = in->weight->of[column];
	double whole = in->options->absolute ? former_total(in, column) :
					       (double)in->profile->totals[column];

	return (struct fg_proportion){ (double)count / weight, whole / weight };
}

static double growth_by(const struct fg_report_options *o, double before, double after)
{
	if (!o->relative)
		return after - before;
	if (!(before > 0))
		return after > 0 ? HUGE_VAL : 0;
	return 100 * (after - before) / before;
}

/* Returns the pooled share of a comparison. */
static double share_of(const struct fg_comparison *c)
{
	return (c->before.x + c->after.x) / (c->before.n + c->after.n);
}

static struct fg_gate_subject make_subject(const struct pass *pass,
					   const struct fg_function *f,
					   const uint64_t *counts)
{
	const struct fg_gate_input *in = pass->in;
	struct fg_gate_subject s = {
		.function = f,
		.before = part_of(in, FG_BEFORE, counts[FG_BEFORE]),
		.after = part_of(in, FG_AFTER, counts[FG_AFTER]),
	};

	s.growth = growth_by(in->options, s.before, s.after);
	if (!pass->known)
		return s;
	s.limited.counts =
		(struct fg_comparison){ samples_of(in, FG_BEFORE, counts[FG_BEFORE]),
					samples_of(in, FG_AFTER, counts[FG_AFTER]),
					in->options->absolute };
	s.limited.limit = pass->result->rule->limit / 100;
	if (in->options->relative)
		s.limited.limit *= s.before / 100;
	return s;
}

/*
 * Returns true for frames without a name. They stand for different functions in each
 * run, so we do not judge them.
 */
static bool is_nameless(struct fg_str name)
{
	return fg_str_eq(fg_folded_without_annotation(name), FG_STR("[unknown]"));
}

/* Adds the function if it is to be judged. Returns 0, or -1 after reporting. */
static int add_function(struct pass *pass, const struct fg_function *f)
{
	const struct fg_report_rule *rule = pass->result->rule;
	const struct fg_gate_input *in = pass->in;
	struct fg_str name = fg_intern_name(&in->profile->tree.names, f->name);
	struct fg_gate_subject s;
	int match = 1;

	if (!rule->regex && is_nameless(name)) {
		pass->result->nameless = true;
		return 0;
	}
	if (rule->regex)
		match = fg_regex_match(rule->regex, name);
	if (match <= 0)
		return match;
	s = make_subject(pass, f, in->options->self ? f->self : f->total);
	if (pass->known && fmax(s.limited.counts.before.x, s.limited.counts.after.x) <
				   (double)in->options->min_samples) {
		pass->result->few++;
		return 0;
	}
	pass->subjects[pass->count++] = s;
	pass->result->checked++;
	return 0;
}

/*
 * Gathers the functions in the order of `order`. With --absolute and no pattern, the
 * total of the profile comes before them. Returns 0, or -1 after reporting.
 */
static int gather(struct pass *pass, const uint32_t *order)
{
	const struct fg_gate_input *in = pass->in;

	pass->subjects = fg_xcalloc(in->functions->count + 1, sizeof(*pass->subjects));
	if (in->options->absolute && !pass->result->rule->regex)
		pass->subjects[pass->count++] =
			make_subject(pass, NULL, in->profile->totals);
	for (size_t i = 0; i < in->functions->count; i++)
		if (add_function(pass, &in->functions->items[order[i]]))
			return -1;
	return 0;
}

/* ---- what could be seen */

static double in_unit(const struct pass *pass, const struct fg_comparison *c,
		      double growth)
{
	if (!pass->in->options->relative)
		return 100 * growth;
	return share_of(c) > 0 ? 100 * growth / share_of(c) : HUGE_VAL;
}

static void find_hardest(struct pass *pass)
{
	struct fg_gate_result *r = pass->result;

	r->visible = 0;
	for (size_t i = 0; i < pass->count; i++) {
		const struct fg_comparison *c = &pass->subjects[i].limited.counts;
		double least = fg_gate_visible(c, pass->deviations);

		if (!(share_of(c) > 0) || isinf(least) ||
		    in_unit(pass, c, least) <= r->visible)
			continue;
		r->visible = in_unit(pass, c, least);
		r->hardest = pass->subjects[i];
	}
}

static void weigh(struct pass *pass, const struct fg_gate_subject *s)
{
	struct fg_gate_result *r = pass->result;
	double power = 100 * fg_gate_power(&s->limited, pass->deviations,
					   GROWTH_TO_FIND * s->limited.limit);

	/* with --relative, the limit of a new function is 0: any growth exceeds it */
	if (power >= r->power || !(s->limited.limit > 0))
		return;
	r->power = power;
	r->weakest = *s;
}

/*
 * Finds the subject whose growth has the least chance to be found. Also tries a
 * function that is new, because the growth of a function that is nearly the whole
 * profile is limited.
 */
static void find_weakest(struct pass *pass)
{
	const uint64_t nothing[2] = { 0, 0 };
	struct fg_gate_subject new = make_subject(pass, NULL, nothing);

	pass->result->power = pass->count ? 100 : 0;
	new.growth = HUGE_VAL;
	weigh(pass, &new);
	for (size_t i = 0; i < pass->count; i++)
		weigh(pass, &pass->subjects[i]);
}

/* ---- judging */

static struct fg_limited *list_limited(const struct pass *pass)
{
	struct fg_limited *all = fg_xcalloc(pass->count, sizeof(*all));

	for (size_t i = 0; i < pass->count; i++)
		all[i] = pass->subjects[i].limited;
	return all;
}

static void judge_subjects(struct pass *pass)
{
	struct fg_gate_result *r = pass->result;

	r->hits = fg_xcalloc(pass->count, sizeof(*r->hits));
	for (size_t i = 0; i < pass->count; i++) {
		const struct fg_gate_subject *s = &pass->subjects[i];

		if (!(s->growth > r->rule->limit + ROUNDING))
			continue;
		if (!pass->known || fg_gate_exceeded(&s->limited, pass->deviations))
			r->hits[r->hit_count++] = *s;
		else
			r->noise++;
	}
}

static int judge_rule(struct pass *pass, const uint32_t *order)
{
	const struct fg_report_options *o = pass->in->options;
	struct fg_gate_result *r = pass->result;
	struct fg_limited *limited;

	if (gather(pass, order))
		return -1;
	if (pass->known) {
		limited = list_limited(pass);
		pass->deviations = fg_gate_deviations(limited, pass->count,
						      1 - o->confidence / 100);
		free(limited);
		find_hardest(pass);
		find_weakest(pass);
	}
	judge_subjects(pass);
	if (r->hit_count)
		r->verdict = FG_GATE_EXCEEDED;
	else if (o->min_power > 0 && !(pass->known && r->power >= o->min_power))
		r->verdict = FG_GATE_UNSURE;
	return 0;
}

/*
 * Combines a verdict with the gate's. An exceeded limit outweighs one that we cannot
 * judge.
 */
static void add_verdict(struct fg_gate *gate, enum fg_gate_verdict verdict)
{
	if (verdict == FG_GATE_EXCEEDED || gate->verdict == FG_GATE_WITHIN)
		gate->verdict = verdict;
}

static fg_function_rank *rank_of(const struct fg_report_options *o)
{
	if (o->absolute)
		return o->self ? fg_function_by_self_cost : fg_function_by_total_cost;
	return o->self ? fg_function_by_self_change : fg_function_by_total_change;
}

/*
 * Returns true if there are so few samples after that the program most likely ended
 * early. Its shares must not be compared then.
 */
static bool has_too_few(const struct fg_gate_input *in)
{
	const uint64_t *totals = in->profile->totals;
	const double *weights = in->weight->of;
	double before = (double)totals[FG_BEFORE] / weights[FG_BEFORE];
	double after = (double)totals[FG_AFTER] / weights[FG_AFTER];

	return 100 * after < in->options->min_ratio * before;
}

int fg_gate_judge(struct fg_gate *gate, const struct fg_gate_input *in)
{
	const struct fg_report_options *o = in->options;
	uint32_t *order = fg_functions_order(in->functions, in->profile, rank_of(o));
	int status = 0;

	*gate = (struct fg_gate){ .known = in->weight->source !=
					   FG_SAMPLE_WEIGHT_UNKNOWN };
	gate->results = fg_xcalloc(o->rule_count, sizeof(*gate->results));
	gate->too_few = gate->known && has_too_few(in);
	while (gate->count < o->rule_count && !status) {
		struct fg_gate_result *result = &gate->results[gate->count];
		struct pass pass = { .in = in, .known = gate->known, .result = result };

		result->rule = &o->rules[gate->count++];
		if (gate->too_few)
			result->verdict = FG_GATE_UNSURE;
		else
			status = judge_rule(&pass, order);
		free(pass.subjects);
		add_verdict(gate, result->verdict);
	}
	free(order);
	return status;
}

void fg_gate_release(struct fg_gate *gate)
{
	for (size_t i = 0; i < gate->count; i++)
		free(gate->results[i].hits);
	free(gate->results);
	*gate = (struct fg_gate){ 0 };
}
