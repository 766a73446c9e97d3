/*
 * Builds records of perf.data in memory.
 *
 *     size_t record = fg_record_start(b, PERF_RECORD_COMM, 0);
 *
 *     fg_put32(b, pid);
 *     fg_put32(b, tid);
 *     fg_put_padded(b, FG_STR("swapper"));
 *     fg_record_end(b, record);
 *
 * Numbers are in the byte order of this machine, like those of the kernel.
 */
#ifndef FG_RECORD_RECORDS_H
#define FG_RECORD_RECORDS_H

#include "lib/base/buf.h"

/*
 * Records of perf's own: enum perf_user_event_type in
 * tools/lib/perf/include/perf/event.h.
 */
enum fg_record_type {
	FG_RECORD_HEADER_ATTR = 64,
	FG_RECORD_TRACING_DATA = 66,
	FG_RECORD_FINISHED_ROUND = 68,
	FG_RECORD_EVENT_UPDATE = 78,
	FG_RECORD_HEADER_FEATURE = 80,
	FG_RECORD_COMPRESSED = 81,
};

/* A record cannot be longer, because its header has 16 bits for the size. */
#define FG_RECORD_MAX 65535

/* Bytes of the header of a record. */
#define FG_RECORD_HEADER 8

/* Appends the header of a record. Returns its offset, for fg_record_end(). */
size_t fg_record_start(struct fg_buf *b, uint32_t type, uint16_t misc);

/*
 * Sets the size of the record that started at `start`: all that was added since.
 * Removes a record that is longer than FG_RECORD_MAX.
 */
void fg_record_end(struct fg_buf *b, size_t start);

void fg_put16(struct fg_buf *b, uint16_t n);
void fg_put32(struct fg_buf *b, uint32_t n);
void fg_put64(struct fg_buf *b, uint64_t n);
void fg_put_zeros(struct fg_buf *b, size_t count);

/* Appends a string with at least one NUL, padded to a multiple of 8 bytes. */
void fg_put_padded(struct fg_buf *b, struct fg_str s);

/* Appends a string like in a feature: its length, padded, and the padded string. */
void fg_put_feature_string(struct fg_buf *b, struct fg_str s);

#endif
