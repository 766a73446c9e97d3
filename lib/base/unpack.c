/*
 * Unpacks gzip and zstd as the bytes come. (Compressed records inside of a perf.data
 * are unpacked by collapse/formats/perf/data/zstd.c.)
 */
#include "lib/base/unpack.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST /* makes zlib's pointer to the input const */
#include <zlib.h>
#ifdef FG_HAVE_LIBZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "lib/base/xalloc.h"

/* An argument of inflateInit2: the largest window, and a gzip header. */
#define GZIP_BITS (15 + 16)

struct fg_unpack {
	enum { GZIP, ZSTD } kind;
	/* all members or frames so far are complete, so the input may end here */
	bool whole;
	z_stream gzip;
#ifdef FG_HAVE_LIBZSTD
	ZSTD_DStream *zstd;
#endif
};

/* Frees the objects of zlib or libzstd, which may be NULL. */
static void release(void *data)
{
	struct fg_unpack *u = data;

	if (u->kind == GZIP)
		inflateEnd(&u->gzip);
#ifdef FG_HAVE_LIBZSTD
	else
		ZSTD_freeDStream(u->zstd);
#endif
}

struct fg_unpack *fg_unpack_new(struct fg_str first_bytes)
{
	struct fg_unpack *u = fg_xcalloc(1, sizeof(*u));

	if (fg_str_starts(first_bytes, FG_STR("\x1f\x8b\x08"))) {
		u->kind = GZIP;
		if (inflateInit2(&u->gzip, GZIP_BITS) != Z_OK)
			fg_out_of_memory();
		fg_hold(release, u);
		return u;
	}
#ifdef FG_HAVE_LIBZSTD
	if (fg_str_starts(first_bytes, FG_STR("\x28\xb5\x2f\xfd"))) {
		u->kind = ZSTD;
		u->zstd = ZSTD_createDStream();
		if (!u->zstd)
			fg_out_of_memory();
		fg_hold(release, u);
		return u;
	}
#endif
	free(u);
	return NULL;
}

/* Returns `size` as an unsigned int, which zlib counts in, or the largest one. */
static unsigned at_most(size_t size)
{
	return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

/* Starts the next member, if there is one. Skips zeros, which tapes have at the end. */
static void start_member(struct fg_unpack *u, struct fg_str *in)
{
	while (in->len && !in->ptr[0])
		*in = fg_str_from_pos(*in, 1);
	if (!in->len)
		return;
	inflateReset(&u->gzip);
	u->whole = false;
}

static ptrdiff_t gunzip(struct fg_unpack *u, struct fg_str *in, char *to, size_t size)
{
	z_stream *z = &u->gzip;
	size_t made = 0;

	while (!made) {
		unsigned taken, room = at_most(size);
		int status;

		if (u->whole)
			start_member(u, in);
		if (u->whole)
			break;
		taken = at_most(in->len);
		z->next_in = (const Bytef *)in->ptr;
		z->avail_in = taken;
		z->next_out = (Bytef *)to;
		z->avail_out = room;
		status = inflate(z, Z_NO_FLUSH);
		*in = fg_str_from_pos(*in, taken - z->avail_in);
		made = room - z->avail_out;
		if (status == Z_MEM_ERROR)
			fg_out_of_memory();
		if (status == Z_STREAM_END)
			u->whole = true;
		else if (status != Z_OK && status != Z_BUF_ERROR)
			return -1;
		else if (!in->len)
			break;
	}
	return (ptrdiff_t)made;
}

#ifdef FG_HAVE_LIBZSTD
/*
 * Returns true if a frame, or a skippable frame, can start with the byte. Without this
 * check, libzstd would accept frames of its versions before 0.8, but only if it gets
 * them in one piece.
 */
static bool starts_frame(char c)
{
	return c == '\x28' || (c & 0xf0) == 0x50;
}

static ptrdiff_t unzstd(struct fg_unpack *u, struct fg_str *in, char *to, size_t size)
{
	ZSTD_inBuffer from = { in->ptr, in->len, 0 };
	ZSTD_outBuffer made = { to, size, 0 };

	do {
		size_t status;

		if (u->whole && from.pos == from.size)
			break;
		if (u->whole && !starts_frame(in->ptr[from.pos]))
			return -1;
		status = ZSTD_decompressStream(u->zstd, &made, &from);
		if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
			fg_out_of_memory();
		if (ZSTD_isError(status))
			return -1;
		u->whole = status == 0;
	} while (!made.pos && from.pos < from.size);
	*in = fg_str_from_pos(*in, from.pos);
	return (ptrdiff_t)made.pos;
}
#endif

ptrdiff_t fg_unpack_some(struct fg_unpack *u, struct fg_str *in, char *to, size_t size)
{
#ifdef FG_HAVE_LIBZSTD
	if (u->kind == ZSTD)
		return unzstd(u, in, to, size);
#endif
	return gunzip(u, in, to, size);
}

bool fg_unpack_is_whole(const struct fg_unpack *u)
{
	return u->whole;
}

const char *fg_unpack_name(const struct fg_unpack *u)
{
	return u->kind == GZIP ? "gzip" : "zstd";
}

void fg_unpack_free(struct fg_unpack *u)
{
	if (!u)
		return;
	fg_let_go(u);
	release(u);
	free(u);
}
