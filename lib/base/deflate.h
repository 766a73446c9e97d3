/*
 * zlib streams (RFC 1950) in memory.
 */
#ifndef FG_LIB_BASE_DEFLATE_H
#define FG_LIB_BASE_DEFLATE_H

#include "lib/base/buf.h"

/* Appends `bytes`, compressed, to `out`. Levels go from 1, fast, to 9, small. */
void fg_deflate(struct fg_str bytes, int level, struct fg_buf *out);

/*
 * Appends what the one stream in `bytes` holds to `out`. Returns 0, or -1 where it is
 * damaged, ends early, goes on after its end, or holds more than `max` bytes; what
 * `out` has then is of no use.
 */
int fg_inflate(struct fg_str bytes, size_t max, struct fg_buf *out);

#endif
