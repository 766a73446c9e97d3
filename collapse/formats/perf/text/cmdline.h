/* Which program a command line of perf record runs. */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_CMDLINE_H

#include "lib/base/str.h"

/*
 * What is recorded: "./app --fast" of "/usr/bin/perf record -g -- ./app --fast". Empty
 * where other processes are recorded as well (-a, -C), or others (-p, -t, -u), or where
 * the line is not of perf record (perf-record(1)).
 */
struct fg_str perf_recorded_command(struct fg_str line);

#endif
