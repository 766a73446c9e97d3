/*
 * The options that only collapse-perf has.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OPTIONS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OPTIONS_H

#include "collapse/collapse.h"
#include "lib/base/compat.h"

enum perf_order { PERF_ORDER_AUTO, PERF_ORDER_CALLEE, PERF_ORDER_CALLER };

struct perf_options {
	bool kernel; /* mark kernel functions with _[k] */
	bool jit; /* mark functions of JIT compilers with _[j] */
	bool all; /* --all: both marks */
	bool addrs;
	bool inlined;
	bool context;
	bool srcline;
	bool lines; /* append the path and line that debug information has */
	bool raw_names;
	bool dso; /* append @DSO to the names */
	bool off_cpu;
	bool wall;
	bool ignore_idle;
	int compat; /* enum fg_compat */
	int order; /* enum perf_order */
	int helper; /* socket to the helper process, see fg_elsewhere_start(); or 0 */
	struct fg_opt_list trace_field;
	struct fg_opt_list skip_after;
};

extern const struct fg_opt perf_option_rows[];

/* Returns true if --weight latency or --root parallelism asks how many threads run. */
bool perf_options_need_parallelism(const struct fg_samples_options *o);

/* Members of struct fg_format. */
void perf_options_called_as(struct fg_collapse *run, const char *name);
int perf_options_check(struct fg_collapse *run, struct fg_diag *diag);

#endif
