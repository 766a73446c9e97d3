/*
 * The gate of CI: finds functions that have grown by more than a limit and more than
 * noise explains, and tells what the samples could have shown.
 *
 * fg_gate_judge() judges all limits; verdicts.c puts the results into words.
 */
#ifndef FG_REPORTFOLDED_GATE_H
#define FG_REPORTFOLDED_GATE_H

#include "lib/profile/totals.h"
#include "lib/findings/functions.h"
#include "reportfolded/options.h"
#include "lib/findings/significance.h"

enum fg_gate_verdict {
	FG_GATE_WITHIN,
	FG_GATE_EXCEEDED,
	/*
	 * Within the limit, but there are too few samples for --min-power; or not
	 * judged.
	 */
	FG_GATE_UNSURE,
};

/*
 * A function that is judged. `function` is NULL for the total of the profile and for a
 * function that is new.
 */
struct fg_gate_subject {
	const struct fg_function *function;
	double before, after; /* in percent */
	double growth; /* in the limit's unit; HUGE_VAL if the function is new */
	struct fg_limited limited; /* only set if the samples are known */
};

/* The results for one limit. */
struct fg_gate_result {
	const struct fg_report_rule *rule;
	enum fg_gate_verdict verdict;
	struct fg_gate_subject *hits; /* over the limit, the largest growth first */
	size_t hit_count;
	/*
	 * the numbers of functions that were judged, that had too few samples to be
	 * judged, and that exceed the limit only by noise
	 */
	size_t checked, few, noise;
	bool nameless; /* frames without a name were not judged */

	/* The fields below are only set if the samples are known. */
	/* the least growth of `hardest` that is significant, in the limit's unit */
	double visible;
	/* the function that must grow most until its growth is significant */
	struct fg_gate_subject hardest;
	/* the least chance in percent to find a growth of twice the limit */
	double power;
	struct fg_gate_subject weakest; /* the function that has this least chance */
};

struct fg_gate {
	struct fg_gate_result *results; /* in the order of the options' rules */
	size_t count;
	bool known; /* the samples are known */
	/* nothing was judged: there are fewer samples than --min-ratio asks for */
	bool too_few;
	enum fg_gate_verdict verdict; /* the worst verdict of all limits */
};

/* The input of the gate. The profile must have two columns, with counts in both. */
struct fg_gate_input {
	const struct fg_report_options *options;
	const struct fg_columns *profile;
	const struct fg_functions *functions;
	const struct fg_sample_weight *weight;
	const struct fg_totals *recorded;
};

/*
 * Judges all limits. Returns 0, or -1 after reporting. Release the gate in either case.
 */
int fg_gate_judge(struct fg_gate *gate, const struct fg_gate_input *in);
void fg_gate_release(struct fg_gate *gate);

#endif
