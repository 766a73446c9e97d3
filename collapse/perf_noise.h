/*
 * Lines that are neither headers nor frames.
 */
#ifndef FG_COLLAPSE_PERF_NOISE_H
#define FG_COLLAPSE_PERF_NOISE_H

#include "lib/str.h"

/* Whether perf prints the line after a chain: the sample has no more frames. */
bool perf_is_tail(struct fg_str line);

/* What follows the event without registers, instructions and page sizes. */
struct fg_str perf_without_tail(struct fg_str text);

/* Whether the line is a record that is no sample, or a metric. */
bool perf_is_record(struct fg_str line);

/* Whether the line is one that says nothing about samples. */
bool perf_is_remark(struct fg_str line);

/* Whether it is such a line of source code, which --fields +srccode brings. */
bool perf_is_source_code(struct fg_str line);

#endif
