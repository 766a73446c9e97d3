/*
 * The parts of a report, and the functions that write them. run.c is the list of the
 * steps.
 */
#ifndef FG_REPORTFOLDED_REPORT_H
#define FG_REPORTFOLDED_REPORT_H

#include "lib/base/out.h"
#include "lib/base/reader.h"
#include "lib/profile/totals.h"
#include "reportfolded/gate.h"
#include "reportfolded/lines.h"

struct fg_report {
	const struct fg_report_options *options;
	enum fg_report_kind kind; /* never FG_REPORT_ANY */
	struct fg_diag *diag;
	struct fg_out *out;
	struct fg_columns profile;
	struct fg_columns calls; /* only for callers or callees */
	/*
	 * Only for a digest: the profile as it was read, its lines, and their counts if
	 * it has lines. `profile` then has none, and no direct recursion.
	 */
	struct fg_columns recorded;
	struct fg_lines lines;
	struct fg_functions by_line;
	struct fg_functions functions; /* empty if the report lists none */
	struct fg_sample_weight weight; /* only with two columns, or for a digest */
	struct fg_totals totals; /* recorded totals, if the counts before are scaled */
	struct fg_gate gate; /* only with limits */
};

enum fg_report_result {
	FG_REPORT_WRITTEN,
	FG_REPORT_FAILED, /* reported */
	FG_REPORT_EXCEEDED, /* written; a limit of the gate is exceeded */
	FG_REPORT_UNSURE, /* written; too few samples to judge */
};

/* Reads all of `reader` and writes the report to `out`, which stays open. */
enum fg_report_result fg_report_run(const struct fg_report_options *options,
				    struct fg_reader *reader, struct fg_out *out,
				    struct fg_diag *diag);

/* ---- parts */

/* A p below this is shown as "<0.001", except in tables for programs. */
#define FG_REPORT_P_MIN 0.001

/*
 * Returns how many samples a count of `column` is, and how many the whole column has.
 * The weight of a sample must be known.
 */
struct fg_proportion fg_report_samples(const struct fg_report *r, unsigned column,
				       uint64_t count);

/* The significance of a change in a function's counts. */
struct fg_report_noise {
	bool known; /* the weight of a sample is known */
	double p; /* probability that noise alone makes such a change */
	bool significant; /* p is low enough for --confidence, or is not known */
};

struct fg_report_noise fg_report_noise(const struct fg_report *r,
				       const uint64_t *counts);

/* Appends ", p <0.001" or the like. */
void fg_report_add_p(struct fg_buf *b, double p);

/* Writes what the counts are and, with two columns, how noise is measured. */
void fg_report_preface(const struct fg_report *r);

/* Returns true for a report on callers or callees. */
bool fg_report_is_calls(const struct fg_report *r);

/* Returns how many levels of a tree are shown. */
uint64_t fg_report_levels(const struct fg_report *r);

/* Writes a line above a part of the report. In Markdown it is a heading. */
void fg_report_heading(const struct fg_report *r, const char *text);

/* Appends the recorded totals before and after, like fg_totals_add(). */
void fg_report_add_totals(const struct fg_report *r, struct fg_buf *b);

/* Write the functions for --top, --movers and --format tsv. */
void fg_report_top(const struct fg_report *r);
void fg_report_movers(const struct fg_report *r);
void fg_report_tsv(const struct fg_report *r);

/*
 * Checks that the gate can judge this input. Returns 0, or -1 after reporting why not.
 */
int fg_report_gate_check(const struct fg_report *r);

/* Writes the results of the gate. */
void fg_report_gate(const struct fg_report *r);

/* Writes the first line of a summary: "PASS: ..." or "FAIL: ...". */
void fg_report_verdict(const struct fg_report *r);

/* Returns the unit of the limits, such as "points". */
const char *fg_report_limit_unit(const struct fg_report *r);

/* Orders siblings from the largest to the smallest. */
void fg_report_sort_by_total(struct fg_columns *p);

/* Write a tree: the whole profile, or callers or callees. */
void fg_report_tree(const struct fg_report *r, struct fg_columns *p);
void fg_report_json(const struct fg_report *r, const struct fg_columns *p,
		    const char *root);

/*
 * Makes the tree of callers or callees of the functions that match, which are the
 * children of its root. Returns 0, or -1 after reporting. Release `calls` in either
 * case.
 */
int fg_report_calls(const struct fg_report *r, struct fg_columns *calls);

/* Returns true if a frame of a tree is to be left out, with all its descendants. */
bool fg_report_is_small(const struct fg_report *r, const struct fg_columns *p,
			uint32_t node);

#endif
