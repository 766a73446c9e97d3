/*
 * The options that collapsers share, in groups: rows, and the struct that they set.
 */
#ifndef FG_COLLAPSE_OPTIONS_H
#define FG_COLLAPSE_OPTIONS_H

#include "lib/profile/filter.h"

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
	FG_ROOT_PARALLELISM,
	FG_ROOT_EVENT,
	FG_ROOT_PROCESS,
	FG_ROOT_THREAD,
	FG_ROOT_LABEL, /* a label of a name, as pprof has */
};

struct fg_root_choice {
	enum fg_root kind;
	const char *key; /* the name of FG_ROOT_LABEL; borrowed */
};

/* A stack has no more root frames than this. */
#define FG_ROOTS_MAX 8

/* What a sample weighs. */
enum fg_weight {
	FG_WEIGHT_PERIOD, /* what the profiler says */
	FG_WEIGHT_SAMPLES, /* 1 */
	FG_WEIGHT_LATENCY, /* the period divided by how many threads run */
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
	const char *slice; /* NULL: stacks have no slices of time */
	const char *every; /* the same, and they are written as they end */
	const char *weight; /* NULL: the period */
	bool pid; /* comm-PID */
	bool tid; /* comm-PID/TID */
	bool event_frame;
	bool merge_threads;
	bool time_order;
	bool header;

	/* those that fg_values_rows sets besides */
	struct fg_opt_list thread;
	const char *max_size;
	const char *split; /* a folder for all values */
	bool srcline;

	/* worked out by one of the checks */
	uint64_t size_max; /* of an input, unpacked */
	uint64_t slice_width; /* in ns; 0 without --slice and --every */
	struct fg_root_choice roots[FG_ROOTS_MAX];
	size_t root_count;
	enum fg_weight weighs;
};

extern const struct fg_opt fg_common_rows[];
extern const struct fg_opt fg_samples_rows[];

/*
 * The same struct where stacks have values (fg_format.has_values) rather than samples
 * of one event each, and what those add whose stacks come in the order of time, and
 * those whose stacks have a time. The last is for all other formats, which know the
 * option to say why they do not have it.
 */
extern const struct fg_opt fg_values_rows[];
extern const struct fg_opt fg_order_rows[];
extern const struct fg_opt fg_slice_rows[];
extern const struct fg_opt fg_no_slice_rows[];

/* Completes the options: 0, or -1 after reporting one that is wrong. */
int fg_samples_options_check(struct fg_samples_options *o, struct fg_diag *diag);

/* The same of fg_values_rows, where `root` is the root frame by default. */
int fg_values_options_check(struct fg_samples_options *o, enum fg_root root,
			    struct fg_diag *diag);

/* Whether samples are chosen by comm, pid, tid, cpu or time. */
bool fg_samples_options_select(const struct fg_samples_options *o);

#endif
