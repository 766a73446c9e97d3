/*
 * The options that collapsers share: groups of rows, and the structs that they set.
 */
#ifndef FG_COLLAPSE_OPTIONS_H
#define FG_COLLAPSE_OPTIONS_H

#include "lib/profile/filter.h"

/* The options of all collapsers. */
struct fg_common_options {
	bool strict;
	/* an enum fg_verbosity; -q and -v may move it out of that range */
	int verbosity;
	uint64_t threads; /* ignored; older scripts pass it */
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
	FG_ROOT_LABEL, /* the label of the stack that has a certain key */
};

struct fg_root_choice {
	enum fg_root kind;
	const char *key; /* FG_ROOT_LABEL's key; borrowed */
};

/* A stack has at most this many root frames. */
#define FG_ROOTS_MAX 8

/* The weight of a sample. */
enum fg_weight {
	FG_WEIGHT_PERIOD, /* the number that the profiler gives for the sample */
	FG_WEIGHT_SAMPLES, /* 1 for each sample */
	FG_WEIGHT_LATENCY, /* the period divided by the number of running threads */
	FG_WEIGHT_FIELD, /* the field that --weight names */
};

/* Options about samples: which are counted, with what weight and root frames. */
struct fg_samples_options {
	struct fg_opt_list event_filter;
	struct fg_opt_list comm;
	struct fg_opt_list pid_filter;
	struct fg_opt_list tid_filter;
	struct fg_opt_list cpu;
	struct fg_opt_list root;
	const char *time;
	const char *slice; /* NULL for no slices of time */
	/* the argument of --every: like `slice`, but slices are written as they end */
	const char *every;
	const char *weight; /* NULL for the default */
	bool pid; /* show the comm as comm-PID */
	bool tid; /* show the comm as comm-PID/TID */
	bool event_frame;
	bool merge_threads;
	bool time_order;
	bool header;

	/* fg_values_rows sets these too. */
	struct fg_opt_list thread;
	const char *max_size;
	const char *split; /* the folder in which each value gets a file */
	bool srcline;
	bool lines;

	/* One of the checks below sets these. */
	uint64_t size_max; /* an input may have at most this many bytes, unpacked */
	uint64_t slice_width; /* in ns; 0 without --slice and --every */
	struct fg_root_choice roots[FG_ROOTS_MAX];
	size_t root_count;
	enum fg_weight weighs;
};

extern const struct fg_opt fg_common_rows[];
extern const struct fg_opt fg_samples_rows[];

/* These set struct fg_samples_options for other formats. */
extern const struct fg_opt fg_values_rows[]; /* formats with .has_values */
extern const struct fg_opt fg_order_rows[]; /* formats with .has_order */
extern const struct fg_opt fg_slice_rows[]; /* formats with .has_times */
/* other formats: --slice reports that they have no times */
extern const struct fg_opt fg_no_slice_rows[];

/* Completes the options of fg_samples_rows. Returns -1 after reporting a wrong one. */
int fg_samples_options_check(struct fg_samples_options *o, struct fg_diag *diag);

/*
 * Like fg_samples_options_check(), for fg_values_rows. `root` is the format's default
 * root frame.
 */
int fg_values_options_check(struct fg_samples_options *o, enum fg_root root,
			    struct fg_diag *diag);

/* Returns true if options select samples by comm, pid, tid, CPU or time. */
bool fg_samples_options_select(const struct fg_samples_options *o);

#endif
