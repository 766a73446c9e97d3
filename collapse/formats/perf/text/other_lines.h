/*
 * Lines that are neither headers nor frames.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OTHER_LINES_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OTHER_LINES_H

#include "lib/base/str.h"

struct perf_header;
struct perf_header_memo;

/* Whether perf prints the line after a chain: the sample has no more frames. */
bool perf_is_tail(struct fg_str line);

/* Returns `text` without the registers, the instruction or the rate at its end. */
struct fg_str perf_without_tail(struct fg_str text);

/* Whether the line is a record that is no sample, or a metric. */
bool perf_is_record(struct fg_str line);

/* The same of a line that has a time stamp, taken apart as a header. */
bool perf_is_timed_record(const struct perf_header *h, struct fg_str line);

/* How many events a record says that perf record lost. */
uint64_t perf_lost_events(struct fg_str record);

/*
 * Whether it is the record that the user frames of samples seen before follow; *cookie,
 * 0 where it cannot be read, says of which samples.
 */
bool perf_read_cookie(struct fg_str line, uint64_t *cookie);

/* Whether the line is one that says nothing about samples. */
bool perf_is_remark(struct fg_str line);

/* Whether it is a line of source code, which --fields +srccode brings. */
bool perf_is_source_code(struct fg_str line);

/*
 * Reads a line of any kind as a header with a time stamp, like perf_header_timed(), and
 * returns false if it is none: a frame, or source code of --fields +srccode.
 */
bool perf_header_starts(struct fg_str line, struct perf_header_memo *memo,
			struct perf_header *h);

#endif
