/*
 * Finds what has changed between the two columns of a profile, by more than noise.
 *
 * The test is that of the tables, with two differences. Many functions are tested, so
 * the probability that noise alone makes any of them a finding is limited, as in the
 * gate. And two runs of one program differ more than two samplings of one run: if the
 * typical function differs by more than sampling explains, each may differ by as many
 * percent.
 *
 * Costs are compared if most functions cost what they cost before, because then the
 * functions with other costs explain the change. If all costs have changed alike, as in
 * a longer recording, shares are compared.
 */
#ifndef FG_LIB_FINDINGS_FINDINGS_H
#define FG_LIB_FINDINGS_FINDINGS_H

#include "lib/findings/functions.h"
#include "lib/findings/significance.h"
#include "lib/profile/sample_weight.h"
#include "lib/profile/totals.h"

enum fg_verdict {
	FG_VERDICT_UNKNOWN, /* the noise is not known */
	FG_VERDICT_SAME, /* all changes are noise */
	FG_VERDICT_SHIFTED, /* the total is the same, but not its functions */
	FG_VERDICT_MORE, /* the total has grown */
	FG_VERDICT_LESS,
	FG_VERDICT_SCALED, /* the total has changed, and all functions alike */
	FG_VERDICT_SPREAD, /* the total has changed, and many functions by a little */
};

/* A profile of two columns, and what is known of it; all borrowed. */
struct fg_findings_input {
	const struct fg_columns *profile;
	const struct fg_functions *functions;
	const struct fg_sample_weight *weight;
	const struct fg_totals *totals;
	double confidence; /* in percent */
};

struct fg_finding {
	const struct fg_function *function;
	double points; /* change of the own costs in percent of the former total */
	double cost[2]; /* own costs, in the unit of the profile */
	uint32_t node; /* the frame whose own costs have changed most */
};

/* A callee, and its part of a change. */
struct fg_change_part {
	uint32_t name;
	double points;
};

#define FG_CHANGE_PARTS 4

struct fg_findings {
	enum fg_verdict verdict;
	bool costs; /* costs are compared; else shares */
	double ratio; /* total after to total before; 0 if one is 0 */
	struct fg_finding *items; /* the largest change first */
	size_t count;
	/* the frame that most of the change is below, or FG_TREE_NONE */
	uint32_t below;
	double below_points;
	/* its callees with the largest parts of the change, the largest first */
	struct fg_change_part parts[FG_CHANGE_PARTS];
	size_t part_count;
	bool disjoint; /* no stack is in both columns */
};

/*
 * Returns how many samples a count of `column` is, and how many the whole column has.
 * The weight of a sample must be known.
 */
struct fg_proportion fg_findings_samples(const struct fg_columns *p,
					 const struct fg_sample_weight *weight,
					 unsigned column, uint64_t count);

void fg_findings_find(struct fg_findings *f, const struct fg_findings_input *in);
void fg_findings_release(struct fg_findings *f);

#endif
