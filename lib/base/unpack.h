/*
 * Decompression of a stream: gzip, and zstd where the programs were built with it.
 *
 * Memory does not depend on how much is made of the input: 64 KiB and, for zstd, at
 * most 128 MiB where the data ask for it. Several gzip members or zstd frames in a row
 * are one stream. zlib does gzip, as libdeflate needs a whole member and its result at
 * once.
 */
#ifndef FG_LIB_BASE_UNPACK_H
#define FG_LIB_BASE_UNPACK_H

#include "lib/base/str.h"

/* The first bytes, which tell what an input is. */
#define FG_UNPACK_MAGIC 4

struct fg_unpack;

/* NULL where input that starts with these bytes is not compressed in a known way. */
struct fg_unpack *fg_unpack_new(struct fg_str first_bytes);

/*
 * Writes up to `size` bytes to `to`, and cuts what it took off the start of `in`:
 * how many, or -1 where the input is damaged. 0: more input is needed.
 */
ptrdiff_t fg_unpack_some(struct fg_unpack *u, struct fg_str *in, char *to, size_t size);

/* Whether the input may end here; otherwise it is cut short. */
bool fg_unpack_is_whole(const struct fg_unpack *u);

/* "gzip" or "zstd". */
const char *fg_unpack_name(const struct fg_unpack *u);

/* Accepts NULL. */
void fg_unpack_free(struct fg_unpack *u);

#endif
