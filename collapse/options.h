/*
 * The options that collapsers share, in groups: rows, and the struct that they set.
 */
#ifndef FG_COLLAPSE_OPTIONS_H
#define FG_COLLAPSE_OPTIONS_H

#include "lib/filter.h"

/* What every collapser can do with a stack. */
struct fg_common_options {
	bool strict;
	int verbosity; /* enum fg_verbosity, or beyond its ends */
	uint64_t threads; /* accepted for older scripts, without effect */
	struct fg_filter_options filter; /* set by fg_filter_rows */
};

enum fg_root {
	FG_ROOT_NONE,
	FG_ROOT_COMM,
	FG_ROOT_PID,
	FG_ROOT_TID,
	FG_ROOT_CPU,
	FG_ROOT_STATE,
	FG_ROOT_EVENT,
};

/* A stack has no more root frames than this. */
#define FG_ROOTS_MAX 8

/* What a sample weighs. */
enum fg_weight {
	FG_WEIGHT_PERIOD, /* what the profiler says */
	FG_WEIGHT_SAMPLES, /* 1 */
	FG_WEIGHT_FIELD, /* the field that --weight names */
};

/* Which samples are counted, under which root frames, with which weight. */
struct fg_samples_options {
	struct fg_opt_list event_filter;
	struct fg_opt_list comm;
	struct fg_opt_list pid_filter;
	struct fg_opt_list tid_filter;
	struct fg_opt_list cpu;
	struct fg_opt_list root;
	const char *time;
	const char *weight; /* NULL: the period */
	bool pid; /* comm-PID */
	bool tid; /* comm-PID/TID */
	bool event_frame;
	bool merge_threads;
	bool time_order;
	bool header;

	/* worked out by fg_samples_options_check */
	enum fg_root roots[FG_ROOTS_MAX];
	size_t root_count;
	enum fg_weight weighs;
};

extern const struct fg_opt fg_common_rows[];
extern const struct fg_opt fg_samples_rows[];

/* Completes the options: 0, or -1 after reporting one that is wrong. */
int fg_samples_options_check(struct fg_samples_options *o, struct fg_diag *diag);

/* Whether samples are chosen by comm, pid, tid, cpu or time. */
bool fg_samples_options_select(const struct fg_samples_options *o);

#endif
