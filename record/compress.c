/* Compresses the kernel's records with zstd. */
#include "record/compress.h"

#ifdef FG_HAVE_LIBZSTD
#include <stdlib.h>
#include <zstd.h>

#include "lib/base/xalloc.h"
#include "record/records.h"

struct fg_compressor {
	ZSTD_CStream *stream;
};

bool fg_compressor_is_here(void)
{
	return true;
}

struct fg_compressor *fg_compressor_new(int level)
{
	struct fg_compressor *c = fg_xcalloc(1, sizeof(*c));

	c->stream = ZSTD_createCStream();
	if (!c->stream || ZSTD_isError(ZSTD_initCStream(c->stream, level)))
		fg_out_of_memory();
	return c;
}

void fg_compressor_free(struct fg_compressor *c)
{
	if (c)
		ZSTD_freeCStream(c->stream);
	free(c);
}

/* Appends one record. The piece is so small that its record cannot be too long. */
static void add_piece(struct fg_compressor *c, struct fg_str piece, struct fg_buf *to)
{
	size_t start = fg_record_start(to, FG_RECORD_COMPRESSED, 0);
	ZSTD_inBuffer in = { piece.ptr, piece.len, 0 };
	ZSTD_outBuffer out = { NULL, FG_RECORD_MAX - FG_RECORD_HEADER, 0 };
	size_t left;

	fg_buf_reserve(to, out.size);
	out.dst = to->ptr + to->len;
	left = ZSTD_compressStream(c->stream, &out, &in);
	if (!ZSTD_isError(left))
		left = ZSTD_flushStream(c->stream, &out);
	if (ZSTD_isError(left) || left || in.pos < in.size)
		fg_out_of_memory();
	to->len += out.pos;
	fg_record_end(to, start);
}

void fg_compressor_add(struct fg_compressor *c, struct fg_str bytes, struct fg_buf *to)
{
	while (bytes.len) {
		add_piece(c, fg_str_before(bytes, FG_COMPRESSED_PIECE), to);
		bytes = fg_str_from_pos(bytes, FG_COMPRESSED_PIECE);
	}
}

#else

bool fg_compressor_is_here(void)
{
	return false;
}

struct fg_compressor *fg_compressor_new(int level)
{
	(void)level;
	return NULL;
}

void fg_compressor_free(struct fg_compressor *c)
{
	(void)c;
}

void fg_compressor_add(struct fg_compressor *c, struct fg_str bytes, struct fg_buf *to)
{
	(void)c;
	fg_buf_add_str(to, bytes);
}

#endif
