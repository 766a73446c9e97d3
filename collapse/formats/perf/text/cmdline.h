/* Finds the recorded command in the command line of perf record or record-perf. */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H

#include "collapse/sink.h"

/*
 * Returns "./app --fast" for "/usr/bin/perf record -g -- ./app --fast". Returns an
 * empty string if perf recorded other processes, too (-a, -C), or only other processes
 * (-p, -t, -u), or if the line is not a command line of perf record or record-perf. See
 * perf-record(1) and record-perf(1).
 */
struct fg_str perf_recorded_command(struct fg_str line);

/* The facts that an input has told about the recorded command. Starts zeroed. */
struct perf_recorded {
	/* we have told the sink the command: perf's arguments, or the program's name */
	bool known;
	bool with_program; /* events count from the start of the program */
};

/* Finds the command in `line`, perf's command line, and tells it to the sink. */
void perf_recorded_line(struct perf_recorded *r, struct fg_sink *sink,
			struct fg_str line);

/*
 * Notes that a program starts. If perf's command line has no arguments (perf 7.3 writes
 * none), tells the sink that the first program is the command.
 */
void perf_recorded_program(struct perf_recorded *r, struct fg_sink *sink,
			   struct fg_str name);

#endif
