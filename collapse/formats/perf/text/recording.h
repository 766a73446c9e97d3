/*
 * Reads a recording, perf.data, into the same samples as the text of perf script.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_RECORDING_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_RECORDING_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

/* Reads a recording. This is `read_raw` of struct fg_format; `state` is struct perf. */
int perf_recording_read(void *state, struct fg_str head, int fd, const char *input);

/*
 * Reads a recording in a regular file for the times of its first and last sample. Does
 * not change the file offset. Returns 0, FG_SPAN_UNKNOWN if there are no times, or -1
 * after reporting why the recording cannot be read.
 */
int perf_recording_span(int fd, const char *input, uint64_t *first, uint64_t *last,
			struct fg_diag *diag);

#endif
