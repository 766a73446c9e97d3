/* Without libzstd: records that are compressed are not read. */
#include "collapse/formats/perf/data/zstd.h"

#ifndef FG_HAVE_LIBZSTD

struct fg_pd_zstd *fg_pd_zstd_new(void)
{
	return NULL;
}

void fg_pd_zstd_free(struct fg_pd_zstd *z)
{
	(void)z;
}

void fg_pd_zstd_feed(struct fg_pd_zstd *z, struct fg_str bytes)
{
	(void)z;
	(void)bytes;
}

int fg_pd_zstd_next(struct fg_pd_zstd *z, struct fg_pd_blocks *to)
{
	(void)z;
	(void)to;
	return -1;
}

#endif
