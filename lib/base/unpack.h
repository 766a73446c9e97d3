/*
 * Unpacks a stream of gzip or, if the programs were built with libzstd, of zstd.
 *
 * It takes 64 KiB of memory, or up to 128 MiB if zstd data ask for it, however long the
 * stream is. Several gzip members or zstd frames in a row are one stream. For a whole
 * zlib stream in memory, deflate.h is faster.
 */
#ifndef FG_LIB_BASE_UNPACK_H
#define FG_LIB_BASE_UNPACK_H

#include "lib/base/str.h"

/* The number of first bytes that tell if an input is compressed. */
#define FG_UNPACK_MAGIC 4

struct fg_unpack;

/*
 * Makes an unpacker for a stream that starts with these bytes. Unpacks none of them:
 * pass them to fg_unpack_some() as well. Returns NULL if they are not gzip or zstd.
 */
struct fg_unpack *fg_unpack_new(struct fg_str first_bytes);

/*
 * Unpacks bytes from the start of `in`, and cuts those off `in`. Writes at most `size`
 * bytes to `to`. Returns how many it wrote, 0 if it needs more input, or -1 if the
 * input is damaged.
 */
ptrdiff_t fg_unpack_some(struct fg_unpack *u, struct fg_str *in, char *to, size_t size);

/*
 * Returns true if the input may end here. If it ends while this is false, it is cut
 * short.
 */
bool fg_unpack_is_whole(const struct fg_unpack *u);

/* Returns "gzip" or "zstd". */
const char *fg_unpack_name(const struct fg_unpack *u);

/* Accepts NULL. */
void fg_unpack_free(struct fg_unpack *u);

#endif
