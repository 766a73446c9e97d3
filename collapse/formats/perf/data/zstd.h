/*
 * Records that perf record -z has compressed. The only user of libzstd.
 *
 * All compressed records of a recording are one stream of zstd: a record may begin in
 * one and end in the next.
 */
#ifndef FG_COLLAPSE_FORMATS_PERF_DATA_ZSTD_H
#define FG_COLLAPSE_FORMATS_PERF_DATA_ZSTD_H

#include "collapse/formats/perf/data/blocks.h"

struct fg_pd_zstd;

/* NULL where this program was built without libzstd. */
struct fg_pd_zstd *fg_pd_zstd_new(void);

/* Accepts NULL. */
void fg_pd_zstd_free(struct fg_pd_zstd *z);

/* The next compressed bytes, borrowed until all has come out of them. */
void fg_pd_zstd_feed(struct fg_pd_zstd *z, struct fg_str bytes);

/*
 * Adds some of what comes out to `to`: 1 if there may be more, 0 if that was all, or
 * -1, without a message, where the bytes are damaged or more comes out than perf ever
 * puts in.
 */
int fg_pd_zstd_next(struct fg_pd_zstd *z, struct fg_pd_blocks *to);

#endif
