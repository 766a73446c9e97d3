/*
 * A recording, perf.data, as the samples of perf script's text.
 */
#ifndef FG_COLLAPSE_PERF_RECORDING_H
#define FG_COLLAPSE_PERF_RECORDING_H

#include "lib/str.h"

/* As struct fg_format has raw_starts and read_raw. */
bool perf_recording_starts(struct fg_str first_bytes);
int perf_recording_read(void *state, struct fg_str head, int fd, const char *input);

#endif
