/* Decompresses records, a block at a time. */
#include "collapse/formats/perf/data/zstd.h"

#ifdef FG_HAVE_LIBZSTD
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "lib/base/xalloc.h"

/*
 * The most bytes that one record may unpack to. perf compresses one processor's buffer
 * at a time, which is far smaller.
 */
#define OUTPUT_MAX ((size_t)64 << 20)

struct fg_pd_zstd {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	size_t made; /* bytes of output from `in` */
};

static void release(void *data)
{
	ZSTD_freeDStream(((struct fg_pd_zstd *)data)->stream);
}

struct fg_pd_zstd *fg_pd_zstd_new(void)
{
	struct fg_pd_zstd *z = fg_xcalloc(1, sizeof(*z));

	z->stream = ZSTD_createDStream();
	if (!z->stream)
		fg_out_of_memory();
	fg_hold(release, z);
	ZSTD_initDStream(z->stream);
	return z;
}

void fg_pd_zstd_free(struct fg_pd_zstd *z)
{
	if (!z)
		return;
	fg_let_go(z);
	release(z);
	free(z);
}

void fg_pd_zstd_feed(struct fg_pd_zstd *z, struct fg_str bytes)
{
	z->in = (ZSTD_inBuffer){ bytes.ptr, bytes.len, 0 };
	z->made = 0;
}

int fg_pd_zstd_next(struct fg_pd_zstd *z, struct fg_pd_blocks *to)
{
	ZSTD_outBuffer out = { NULL, 0, 0 };
	size_t before = z->in.pos, status;

	out.dst = fg_pd_blocks_space(to, &out.size);
	status = ZSTD_decompressStream(z->stream, &out, &z->in);
	if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
		fg_out_of_memory();
	if (ZSTD_isError(status))
		return -1;
	fg_pd_blocks_filled(to, out.pos);
	z->made += out.pos;
	if (z->made > OUTPUT_MAX)
		return -1;
	/* More output may wait in the decoder, even if it has used up its input. */
	return out.pos == out.size || (z->in.pos < z->in.size && z->in.pos > before);
}

#else

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
