/*
 * The options that only collapse-perf has.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OPTIONS_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OPTIONS_H

#include "collapse/collapse.h"
#include "lib/base/compat.h"

enum perf_order { PERF_ORDER_AUTO, PERF_ORDER_CALLEE, PERF_ORDER_CALLER };

struct perf_options {
	bool kernel; /* annotate _[k] */
	bool jit; /* annotate _[j] */
	bool all; /* both */
	bool addrs;
	bool inlined;
	bool context;
	bool srcline;
	bool raw_names;
	bool dso; /* symbol@dso */
	bool off_cpu;
	bool wall;
	bool ignore_idle;
	int compat; /* enum fg_compat */
	int order; /* enum perf_order */
	int helper; /* of fg_elsewhere_start(); 0: none */
	struct fg_opt_list trace_field;
	struct fg_opt_list skip_after;
};

extern const struct fg_opt perf_option_rows[];

/* Whether an option asks how many threads run: --weight latency, --root parallelism. */
bool perf_options_need_parallelism(const struct fg_samples_options *o);

/* As struct fg_format has them. */
void perf_options_called_as(struct fg_collapse *run, const char *name);
int perf_options_check(struct fg_collapse *run, struct fg_diag *diag);

#endif
