/*
 * The command line of record-perf: what the options say, and what they mean.
 *
 * Options have the names and meanings of perf record, except that -d is the duration.
 */
#ifndef FG_RECORD_OPTIONS_H
#define FG_RECORD_OPTIONS_H

#include "lib/base/opts.h"

/* The rate of the clock if neither -F nor -c is given. perf record has 4000. */
#define FG_RECORD_FREQ 997

/* The rate for `-F max`. */
#define FG_RECORD_FREQ_MAX UINT64_MAX

/* The duration, in seconds, if none is given. */
#define FG_RECORD_ENDLESS (-1.0)

/* The option fields, as the command line has them. */
struct fg_record_line {
	const char *freq;
	uint64_t count; /* 0: not given */
	struct fg_opt_list events;
	bool graph;
	const char *call_graph;
	bool switch_events;
	double duration; /* FG_RECORD_ENDLESS: not given */
	uint64_t delay;
	const char *pages;
	const char *level;
	const char *pids;
	bool all;
	const char *cpus;
	int verbosity;
};

extern const struct fg_opt fg_record_rows[];

enum fg_record_callers { FG_CALLERS_NONE, FG_CALLERS_FP, FG_CALLERS_DWARF };

/* A list of numbers: processes, threads or processors. */
struct fg_numbers {
	int *list;
	size_t count;
	size_t alloc;
};

void fg_numbers_add(struct fg_numbers *n, int number);
void fg_numbers_release(struct fg_numbers *n);

/*
 * Appends the numbers of a list such as "0-3,5". Returns 0, or -1, without a message,
 * if it is malformed.
 */
int fg_numbers_parse(struct fg_numbers *n, struct fg_str text);

/* Options of a recording. */
struct fg_record_options {
	const struct fg_opt_list *events; /* borrowed; empty: choose the event */
	uint64_t freq; /* samples a second; 0: not given; FG_RECORD_FREQ_MAX */
	uint64_t period; /* events between two samples; 0: not given */
	enum fg_record_callers callers;
	uint32_t copy; /* bytes of the stack that each sample copies */
	bool switches;
	uint64_t duration; /* nanoseconds; UINT64_MAX: until the end */
	uint64_t delay; /* milliseconds */
	uint64_t ring; /* bytes of the buffer of one processor; 0: choose */
	int level; /* level of compression; 0: none */
	struct fg_numbers pids;
	struct fg_numbers cpus; /* of -C */
	bool whole; /* record the machine, or the processors of -C */
	/* the command and its arguments, which end in NULL; NULL: there is none */
	char **command;
};

/*
 * Sets the options from the command line. `o` is zeroed. Returns 0, or -1 after
 * reporting. fg_record_options_release() may be called in both cases.
 */
int fg_record_options_read(const struct fg_cli *cli, struct fg_record_options *o,
			   struct fg_diag *diag);
void fg_record_options_release(struct fg_record_options *o);

#endif
