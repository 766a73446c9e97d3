/*
 * Whole zlib streams (RFC 1950) in memory. For data that comes in parts, use gzip.h or
 * unpack.h.
 */
#ifndef FG_LIB_BASE_DEFLATE_H
#define FG_LIB_BASE_DEFLATE_H

#include "lib/base/buf.h"

/* Compresses `bytes` and appends them to `out`. Levels go from 1, fast, to 9, small. */
void fg_deflate(struct fg_str bytes, int level, struct fg_buf *out);

/*
 * Unpacks the stream in `bytes` and appends the result to `out`. Returns 0. Returns -1
 * and leaves the contents of `out` unchanged if the stream is damaged, ends early, has
 * bytes after its end, or unpacks to more than `max` bytes.
 */
int fg_inflate(struct fg_str bytes, size_t max, struct fg_buf *out);

#endif
