/* zlib streams in memory: the only user of zlib. */
#include "lib/deflate.h"

#include <limits.h>
#include <zlib.h>

#include "lib/xalloc.h"

#define FIRST_ROOM ((size_t)16 * 1024)

/* zlib counts with 32 bits: the next part of `rest` that it can take. */
static void give(z_stream *z, struct fg_str *rest)
{
	struct fg_str part = fg_str_before(*rest, UINT_MAX);

	z->next_in = (Bytef *)(uintptr_t)part.ptr;
	z->avail_in = (uInt)part.len;
	*rest = fg_str_from_pos(*rest, part.len);
}

/* Room after what `out` has, at most `max` bytes of it. */
static size_t make_room(z_stream *z, struct fg_buf *out, size_t max)
{
	size_t room;

	if (out->len == out->alloc)
		fg_buf_reserve(out, out->len > FIRST_ROOM ? out->len : FIRST_ROOM);
	room = out->alloc - out->len;
	room = room < max ? room : max;
	room = room < UINT_MAX ? room : UINT_MAX;
	z->next_out = (Bytef *)out->ptr + out->len;
	z->avail_out = (uInt)room;
	return room;
}

void fg_deflate(struct fg_str bytes, int level, struct fg_buf *out)
{
	z_stream z = { .zalloc = NULL };
	int status = Z_OK;

	if (deflateInit(&z, level) != Z_OK)
		fg_size_add(SIZE_MAX, 1); /* out of memory */
	while (status != Z_STREAM_END) {
		size_t room = make_room(&z, out, SIZE_MAX);

		if (!z.avail_in)
			give(&z, &bytes);
		status = deflate(&z, bytes.len ? Z_NO_FLUSH : Z_FINISH);
		out->len += room - z.avail_out;
	}
	deflateEnd(&z);
}

int fg_inflate(struct fg_str bytes, size_t max, struct fg_buf *out)
{
	z_stream z = { .zalloc = NULL };
	int status = Z_OK;

	if (inflateInit(&z) != Z_OK)
		fg_size_add(SIZE_MAX, 1); /* out of memory */
	while (status == Z_OK) {
		/* One byte more than may be there tells that there is more. */
		size_t room = make_room(&z, out, max < SIZE_MAX ? max + 1 : max);
		size_t got;

		if (!z.avail_in)
			give(&z, &bytes);
		status = inflate(&z, Z_NO_FLUSH);
		got = room - z.avail_out;
		out->len += got;
		if (got > max)
			status = Z_DATA_ERROR;
		max -= got;
	}
	if (z.avail_in || bytes.len)
		status = Z_DATA_ERROR;
	inflateEnd(&z);
	return status == Z_STREAM_END ? 0 : -1;
}
