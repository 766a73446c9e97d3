/* Which program a command line of perf record runs. */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H

#include "collapse/sink.h"

/*
 * What is recorded: "./app --fast" of "/usr/bin/perf record -g -- ./app --fast". Empty
 * where other processes are recorded as well (-a, -C), or others (-p, -t, -u), or where
 * the line is not of perf record (perf-record(1)).
 */
struct fg_str perf_recorded_command(struct fg_str line);

/* What an input says of the command that was recorded. All zero: nothing yet. */
struct perf_recorded {
	bool known; /* the words of perf record, or the program's name */
	bool with_program; /* events begin with the program that perf record starts */
};

/* Tells the sink the command that is in perf's command line, as `line` has it. */
void perf_recorded_line(struct perf_recorded *r, struct fg_sink *sink,
			struct fg_str line);

/*
 * Tells the sink the name of a program that starts. perf 7.3 records its own command
 * line without arguments: then the first program is the command, without its own.
 */
void perf_recorded_program(struct perf_recorded *r, struct fg_sink *sink,
			   struct fg_str name);

#endif
