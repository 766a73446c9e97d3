/*
 * Compresses and inflates whole zlib streams in memory, with libdeflate. gzip.c and
 * unpack.c use zlib because they get their bytes in parts.
 */
#include "lib/base/deflate.h"

#include <libdeflate.h>

#include "lib/base/xalloc.h"

/* At first we guess that a stream inflates to this many times its size. */
#define USUAL_RATIO 5
#define LEAST_SPACE ((size_t)16 * 1024)

void fg_deflate(struct fg_str bytes, int level, struct fg_buf *out)
{
	size_t most = libdeflate_zlib_compress_bound(NULL, bytes.len);
	struct libdeflate_compressor *c;

	fg_buf_reserve(out, most);
	c = libdeflate_alloc_compressor(level);
	if (!c)
		fg_out_of_memory();
	out->len += libdeflate_zlib_compress(c, bytes.ptr, bytes.len,
					     out->ptr + out->len, most);
	libdeflate_free_compressor(c);
}

static void release(void *decompressor)
{
	libdeflate_free_decompressor(decompressor);
}

/*
 * A stream does not say how large it becomes. So we guess, and as long as the space is
 * too small, we double it and start again. This takes at most about twice the time.
 */
int fg_inflate(struct fg_str bytes, size_t max, struct fg_buf *out)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
	size_t space = bytes.len < max / USUAL_RATIO ? bytes.len * USUAL_RATIO : max;
	size_t read = 0, got = 0;

	if (!d)
		fg_out_of_memory();
	fg_hold(release, d);
	if (space < LEAST_SPACE)
		space = LEAST_SPACE < max ? LEAST_SPACE : max;
	while (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
		fg_buf_reserve(out, space ? space : 1);
		result = libdeflate_zlib_decompress_ex(d, bytes.ptr, bytes.len,
						       out->ptr + out->len, space,
						       &read, &got);
		if (space == max)
			break;
		space = space < max / 2 ? space * 2 : max;
	}
	fg_let_go(d);
	libdeflate_free_decompressor(d);
	if (result || read != bytes.len)
		return -1;
	out->len += got;
	return 0;
}
