/*
 * The gate: which functions have grown by more than a limit, noise apart, and what the
 * samples could have shown.
 */
#ifndef FG_REPORTFOLDED_GATE_H
#define FG_REPORTFOLDED_GATE_H

#include "lib/profile/totals.h"
#include "reportfolded/functions.h"
#include "reportfolded/options.h"
#include "reportfolded/significance.h"

enum fg_gate_verdict {
	FG_GATE_WITHIN,
	FG_GATE_EXCEEDED,
	/* within, but what --min-power asks for was not to be seen; or not judged */
	FG_GATE_UNSURE,
};

/* What is judged: a function; where that is NULL, all that was counted or a new one. */
struct fg_gate_subject {
	const struct fg_function *function;
	double before, after; /* percent */
	double growth; /* in the limit's unit; HUGE_VAL: it is new */
	struct fg_limited limited; /* where the samples are known */
};

/* What came of one limit. */
struct fg_gate_result {
	const struct fg_report_rule *rule;
	enum fg_gate_verdict verdict;
	struct fg_gate_subject *hits; /* what is over the limit, the most first */
	size_t hit_count;
	size_t checked, few, noise; /* functions */
	bool nameless; /* there are frames without a name, which are not judged */

	/* Where the samples are known: */
	double visible; /* the least growth that is no noise, in the limit's unit */
	struct fg_gate_subject hardest; /* of which, all others showing less */
	double power; /* percent: how likely twice the limit is found, at least */
	struct fg_gate_subject weakest; /* of which */
};

struct fg_gate {
	struct fg_gate_result *results; /* by the order of the options' rules */
	size_t count;
	bool known; /* the samples are */
	bool too_few; /* nothing is judged: they are fewer than --min-ratio asks for */
	enum fg_gate_verdict verdict; /* the worst of all */
};

/* The profile has two columns, with counts in both. */
struct fg_gate_input {
	const struct fg_report_options *options;
	const struct fg_report_profile *profile;
	const struct fg_functions *functions;
	const struct fg_sample_weight *weight;
	const struct fg_totals *recorded;
};

/* Judges all limits: 0, or -1 after reporting. Release the gate in either case. */
int fg_gate_judge(struct fg_gate *gate, const struct fg_gate_input *in);
void fg_gate_release(struct fg_gate *gate);

#endif
