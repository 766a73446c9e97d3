/* Finds and opens the output of a recording. */
#ifndef FG_RECORD_OUTPUT_H
#define FG_RECORD_OUTPUT_H

#include <stdbool.h>

#include "lib/base/diag.h"

struct fg_record_output {
	const char *name; /* for messages */
	int fd; /* -1: the file is not open yet */
	bool is_standard; /* it is standard output, so the command may not have that */
};

/*
 * Finds the output that -o names; NULL is standard output. `/dev/fd/N` is the open
 * descriptor N, which the command then does not inherit. Refuses a terminal. Returns 0,
 * or -1 after reporting.
 */
int fg_record_output_find(struct fg_record_output *o, const char *name,
			  struct fg_diag *diag);

/*
 * Opens the file, if the output is one. Like perf, gives an older file of that name the
 * suffix ".old". Returns 0, or -1 after reporting.
 */
int fg_record_output_open(struct fg_record_output *o, struct fg_diag *diag);

#endif
