/*
 * The options of collapse-perf.
 */
#ifndef FG_COLLAPSE_PERF_OPTIONS_H
#define FG_COLLAPSE_PERF_OPTIONS_H

#include "lib/compat.h"
#include "lib/opts.h"

struct fg_regex;

enum perf_compat {
	PERF_COMPAT_NONE = FG_COMPAT_NONE,
	PERF_COMPAT_PERL = FG_COMPAT_PERL,
	PERF_COMPAT_INFERNO = FG_COMPAT_INFERNO
};
enum perf_order { PERF_ORDER_AUTO, PERF_ORDER_CALLEE, PERF_ORDER_CALLER };
enum perf_recursion {
	PERF_RECURSION_KEEP,
	PERF_RECURSION_DIRECT,
	PERF_RECURSION_CYCLES
};
enum perf_root {
	PERF_ROOT_NONE,
	PERF_ROOT_COMM,
	PERF_ROOT_PID,
	PERF_ROOT_TID,
	PERF_ROOT_CPU,
	PERF_ROOT_EVENT,
};

/* No more root frames than this, whatever --root says. */
#define PERF_ROOTS_MAX 8

/* Compiled regular expressions, owned. */
struct perf_patterns {
	struct fg_regex **items;
	size_t count;
};

struct perf_options {
	bool pid;
	bool tid;
	bool kernel; /* annotate _[k] */
	bool jit; /* annotate _[j] */
	bool all; /* both */
	bool addrs;
	bool inlined;
	bool context;
	bool srcline;
	bool raw_names;
	bool strict;
	int verbosity; /* enum fg_verbosity, or beyond its ends */
	int compat; /* enum perf_compat */
	int order; /* enum perf_order */
	int recursion; /* enum perf_recursion */
	bool event_frame;
	bool merge_threads;
	bool dso; /* symbol@dso */
	bool time_order;
	uint64_t max_depth; /* 0: no limit */
	uint64_t threads; /* 0: one per processor */
	const char *time;
	const char *weight; /* NULL: the period */
	struct fg_opt_list comm;
	struct fg_opt_list pid_filter;
	struct fg_opt_list tid_filter;
	struct fg_opt_list cpu;
	struct fg_opt_list trace_field;
	struct fg_opt_list root;
	enum perf_root roots[PERF_ROOTS_MAX]; /* made of the lists when checked */
	size_t root_count;
	struct fg_opt_list event_filter;
	struct fg_opt_list skip_after;
	struct fg_opt_list keep;
	struct fg_opt_list drop;
	struct perf_patterns keep_patterns; /* made of the lists when checked */
	struct perf_patterns drop_patterns;
};

/* What collapse/format.h asks of a format's options. */
extern const struct fg_opt perf_option_rows[];

void perf_options_init(void *options, const char *called_as);
void perf_options_release(void *options);
int perf_options_check(void *options, struct fg_diag *diag);
enum fg_verbosity perf_options_verbosity(const void *options);

/* Whether samples are chosen by comm, pid, tid, cpu or time. */
bool perf_options_select(const struct perf_options *o);

/* Whether names of frames depend on the kind of DSO that they are in. */
static inline bool perf_options_annotate(const struct perf_options *o)
{
	return o->kernel || o->jit;
}

#endif
