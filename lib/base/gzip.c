/* Compresses a stream as it comes, with zlib: libdeflate needs all of it in memory. */
#include "lib/base/gzip.h"

#include <limits.h>
#include <stdlib.h>
#define ZLIB_CONST /* makes zlib's pointer to the input const */
#include <zlib.h>

#include "lib/base/xalloc.h"

/* Arguments of deflateInit2: the largest window, a gzip header, the default memory. */
#define GZIP_BITS (15 + 16)
#define MEMORY 8

/* Level 9 takes four times as long and the result is only a fifth smaller. */
#define LEVEL 1

#define OUT_SIZE ((size_t)64 * 1024)

struct fg_gzip {
	struct fg_out *out;
	z_stream stream;
};

static void release(void *data)
{
	deflateEnd(&((struct fg_gzip *)data)->stream);
}

struct fg_gzip *fg_gzip_new(struct fg_out *out)
{
	struct fg_gzip *g = fg_xcalloc(1, sizeof(*g));

	g->out = out;
	if (deflateInit2(&g->stream, LEVEL, Z_DEFLATED, GZIP_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		fg_out_of_memory();
	fg_hold(release, g);
	return g;
}

/* Has zlib compress its input, and adds the result to the output. */
static void run(struct fg_gzip *g, int flush)
{
	do {
		char *to = fg_out_reserve(g->out, OUT_SIZE);

		g->stream.next_out = (unsigned char *)to;
		g->stream.avail_out = (unsigned)OUT_SIZE;
		deflate(&g->stream, flush);
		fg_out_advance(g->out, (char *)g->stream.next_out);
	} while (!g->stream.avail_out);
}

void fg_gzip_add(struct fg_gzip *g, struct fg_str bytes)
{
	while (bytes.len) {
		/* zlib counts in unsigned int */
		struct fg_str part = fg_str_before(bytes, UINT_MAX / 2);

		g->stream.next_in = (const unsigned char *)part.ptr;
		g->stream.avail_in = (unsigned)part.len;
		run(g, Z_NO_FLUSH);
		bytes = fg_str_from_pos(bytes, part.len);
	}
}

void fg_gzip_finish(struct fg_gzip *g)
{
	run(g, Z_FINISH);
	fg_let_go(g);
	release(g);
	free(g);
}
