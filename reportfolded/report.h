/* What a report is made of, and the parts that write it. */
#ifndef FG_REPORTFOLDED_REPORT_H
#define FG_REPORTFOLDED_REPORT_H

#include "lib/base/out.h"
#include "lib/profile/totals.h"
#include "reportfolded/gate.h"

struct fg_report {
	const struct fg_report_options *options; /* checked */
	enum fg_report_kind kind; /* the same, but never FG_REPORT_ANY */
	struct fg_diag *diag;
	struct fg_out *out;
	struct fg_report_profile profile;
	struct fg_report_profile calls; /* of callers or callees, if they are wanted */
	struct fg_functions functions; /* empty where nothing is said of them */
	struct fg_sample_weight weight; /* known with two columns only */
	struct fg_totals totals; /* that were recorded, if counts before are scaled */
	struct fg_gate gate; /* judged where there are limits */
};

enum fg_report_result {
	FG_REPORT_WRITTEN,
	FG_REPORT_FAILED, /* after reporting */
	FG_REPORT_EXCEEDED, /* written; a limit of the gate is exceeded */
	FG_REPORT_UNSURE, /* written; there are too few samples to judge */
};

/* Reads all of `reader` and writes the report to `out`, which stays open. */
enum fg_report_result fg_report_run(const struct fg_report_options *options,
				    struct fg_reader *reader, struct fg_out *out,
				    struct fg_diag *diag);

/* ---- parts */

/* For people, less is not told apart. */
#define FG_REPORT_P_MIN 0.001

/* The samples of a count of `column` and of the whole; the weight is known. */
struct fg_proportion fg_report_samples(const struct fg_report *r, unsigned column,
				       uint64_t count);

/* How a change of a function's counts is to be taken. */
struct fg_report_noise {
	bool known; /* whether what one sample counts is */
	double p; /* how likely it is noise */
	bool significant; /* less likely than --confidence allows, or not known */
};

struct fg_report_noise fg_report_noise(const struct fg_report *r,
				       const uint64_t *counts);

/* ", p <0.001" */
void fg_report_add_p(struct fg_buf *b, double p);

/* Whether the tree is of callers or callees. */
bool fg_report_is_calls(const struct fg_report *r);

/* How many levels of a tree are shown. */
uint64_t fg_report_levels(const struct fg_report *r);

/* A line above what follows; in Markdown a heading. */
void fg_report_heading(const struct fg_report *r, const char *text);

/* Appends what was recorded before and after, like fg_totals_add(). */
void fg_report_add_totals(const struct fg_report *r, struct fg_buf *b);

/* The totals, and the functions that have changed by more than noise. */
void fg_report_brief(const struct fg_report *r);

/* The functions as --top, --movers and --format tsv list them. */
void fg_report_top(const struct fg_report *r);
void fg_report_movers(const struct fg_report *r);
void fg_report_tsv(const struct fg_report *r);

/* Whether the input can be checked at all: 0, or -1 after reporting why not. */
int fg_report_gate_check(const struct fg_report *r);

/* Writes what the gate has found. */
void fg_report_gate(const struct fg_report *r);

/* Writes the first line of a summary: "PASS: ..." or "FAIL: ...". */
void fg_report_verdict(const struct fg_report *r);

/* "points", or what else a limit is of. */
const char *fg_report_limit_unit(const struct fg_report *r);

/* A tree: of the whole profile, or of callers or callees. */
void fg_report_tree(const struct fg_report *r, struct fg_report_profile *p);
void fg_report_json(const struct fg_report *r, const struct fg_report_profile *p,
		    const char *root);

/*
 * Makes the tree of callers or callees of the functions that match, which are the
 * children of its root. Returns 0, or -1 after reporting; release `calls` in any case.
 */
int fg_report_calls(const struct fg_report *r, struct fg_report_profile *calls);

/* Whether a frame of a tree is to be left out with what is on it. */
bool fg_report_is_small(const struct fg_report *r, const struct fg_report_profile *p,
			uint32_t node);

#endif
