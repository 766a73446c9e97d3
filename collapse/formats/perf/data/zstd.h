/*
 * Decompresses records of perf record -z, with libzstd.
 *
 * All compressed records of a recording are one stream of zstd. So a decompressed
 * record may begin in one of them and end in the next.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ZSTD_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ZSTD_H

#include "collapse/formats/perf/data/blocks.h"

struct fg_pd_zstd;

/* Returns NULL if this program was built without libzstd. */
struct fg_pd_zstd *fg_pd_zstd_new(void);

/* Accepts NULL. */
void fg_pd_zstd_free(struct fg_pd_zstd *z);

/* Sets the next compressed bytes. They must stay valid until all output is taken. */
void fg_pd_zstd_feed(struct fg_pd_zstd *z, struct fg_str bytes);

/*
 * Decompresses some bytes into `to`. Returns 1 if there may be more, 0 if that was all,
 * or -1, without a message, if the bytes are damaged or unpack to more than perf ever
 * writes.
 */
int fg_pd_zstd_next(struct fg_pd_zstd *z, struct fg_pd_blocks *to);

#endif
