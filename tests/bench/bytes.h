/* A buffer of bytes that grows, for programs that generate input. */
#ifndef FG_BENCH_BYTES_H
#define FG_BENCH_BYTES_H

#include <stdlib.h>
#include <string.h>

struct bytes {
	char *data;
	size_t len, alloc;
};

static void add(struct bytes *b, const void *data, size_t len)
{
	if (len > b->alloc - b->len) {
		b->alloc = (b->alloc + len) * 2;
		b->data = realloc(b->data, b->alloc);
		if (!b->data)
			exit(1);
	}
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
}

#endif
