/*
 * Compresses the kernel's records with zstd.
 *
 * All COMPRESSED records together hold one stream of zstd. Each of them ends with a
 * flush, so that a reader can unpack what it has.
 */
#ifndef FG_RECORD_COMPRESS_H
#define FG_RECORD_COMPRESS_H

#include "lib/base/buf.h"

/* Bytes that are compressed into one record: even if they do not shrink, they fit. */
#define FG_COMPRESSED_PIECE ((size_t)60000)

struct fg_compressor;

/* Returns true if this program is built with zstd. */
bool fg_compressor_is_here(void);

/* Returns a compressor of the given level, or NULL without zstd. */
struct fg_compressor *fg_compressor_new(int level);

/* Accepts NULL. */
void fg_compressor_free(struct fg_compressor *c);

/* Appends COMPRESSED records that unpack to these bytes. */
void fg_compressor_add(struct fg_compressor *c, struct fg_str bytes, struct fg_buf *to);

#endif
