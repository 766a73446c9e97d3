/*
 * A recording, perf.data, as the samples of perf script's text.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_RECORDING_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_RECORDING_H

#include "lib/base/diag.h"
#include "lib/base/str.h"

/* As struct fg_format has read_raw. */
int perf_recording_read(void *state, struct fg_str head, int fd, const char *input);

/*
 * The times of the first and the last sample of a recording in a regular file, which is
 * read for that; where reading it goes on stays as it was. 0; FG_SPAN_UNKNOWN where
 * there are none; -1 after reporting why it cannot be read.
 */
int perf_recording_span(int fd, const char *input, uint64_t *first, uint64_t *last,
			struct fg_diag *diag);

#endif
