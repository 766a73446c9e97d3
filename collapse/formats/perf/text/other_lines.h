/*
 * Lines that are neither headers nor frames: registers and the like below a chain,
 * records such as PERF_RECORD_LOST, source code.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_TEXT_OTHER_LINES_H
#define FG_COLLAPSE_FORMATS_PERF_TEXT_OTHER_LINES_H

#include "lib/base/str.h"

struct perf_header;
struct perf_header_memo;

/*
 * Returns true for a line that perf prints after a chain: registers, branches,
 * instructions, page sizes. After it, the sample has no more frames.
 */
bool perf_is_tail(struct fg_str line);

/* Returns `text` without registers, instruction or rate at its end. */
struct fg_str perf_without_tail(struct fg_str text);

/* Returns true for a record, like PERF_RECORD_MMAP2, or a metric. */
bool perf_is_record(struct fg_str line);

/* Like perf_is_record(), for a line with a time stamp that was read as a header. */
bool perf_is_timed_record(const struct perf_header *h, struct fg_str line);

/* Returns the lost events of "PERF_RECORD_LOST lost 42"; 0 for other records. */
uint64_t perf_lost_events(struct fg_str record);

/*
 * Returns true for "DEFERRED CALLCHAIN [cookie: 1f]": the user frames of earlier
 * samples with that cookie follow. Sets *cookie, or sets it to 0 if it cannot be read.
 */
bool perf_read_cookie(struct fg_str line, uint64_t *cookie);

/* Returns true for a line that says nothing about samples, like "BPF output: ...". */
bool perf_is_remark(struct fg_str line);

/* Returns true for "|12       return x;", which --fields +srccode prints. */
bool perf_is_source_code(struct fg_str line);

/*
 * Like perf_header_timed(), for a line of any kind: returns false for frames and source
 * code, too.
 */
bool perf_header_starts(struct fg_str line, struct perf_header_memo *memo,
			struct perf_header *h);

#endif
