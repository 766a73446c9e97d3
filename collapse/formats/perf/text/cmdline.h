/*
 * The command line of perf record, as a recording has it, and the command that it ran.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H

#include "collapse/sink.h"

/*
 * Returns "./app --fast" for "/usr/bin/perf record -g -- ./app --fast". Returns an
 * empty string if the recording has other processes, too (-a, -C), or only others (-p,
 * -t, -u), or if the line is not one of perf record. See perf-record(1).
 */
struct fg_str perf_recorded_command(struct fg_str line);

/* The command that was recorded, as far as an input has told it. Starts zeroed. */
struct perf_recorded {
	bool known; /* the command, by perf's arguments or by the program's name */
	bool with_program; /* events count from the start of the program */
};

/* Tells the sink the command that is in perf's command line, `line`. */
void perf_recorded_line(struct perf_recorded *r, struct fg_sink *sink,
			struct fg_str line);

/*
 * Notes that a program starts. If perf's command line has no arguments (perf 7.3 writes
 * none), tells the sink that the first program is the command.
 */
void perf_recorded_program(struct perf_recorded *r, struct fg_sink *sink,
			   struct fg_str name);

#endif
