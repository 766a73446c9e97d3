/* Builds records of perf.data in memory. */
#include "record/records.h"

#include "lib/base/size.h"

/* perf pads the strings of features to a multiple of this. */
#define FEATURE_ALIGN 64

void fg_put16(struct fg_buf *b, uint16_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

void fg_put32(struct fg_buf *b, uint32_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

void fg_put64(struct fg_buf *b, uint64_t n)
{
	fg_buf_add(b, (const char *)&n, sizeof(n));
}

void fg_put_zeros(struct fg_buf *b, size_t count)
{
	fg_buf_reserve(b, count);
	if (count)
		memset(b->ptr + b->len, 0, count);
	b->len += count;
}

static void put_aligned(struct fg_buf *b, struct fg_str s, size_t align)
{
	fg_buf_add_str(b, s);
	fg_put_zeros(b, align - s.len % align);
}

void fg_put_padded(struct fg_buf *b, struct fg_str s)
{
	put_aligned(b, s, 8);
}

void fg_put_feature_string(struct fg_buf *b, struct fg_str s)
{
	fg_put32(b, (uint32_t)(s.len + FEATURE_ALIGN - s.len % FEATURE_ALIGN));
	put_aligned(b, s, FEATURE_ALIGN);
}

size_t fg_record_start(struct fg_buf *b, uint32_t type, uint16_t misc)
{
	size_t start = b->len;

	fg_put32(b, type);
	fg_put16(b, misc);
	fg_put16(b, 0);
	return start;
}

void fg_record_end(struct fg_buf *b, size_t start)
{
	size_t len = b->len - start;
	uint16_t size = (uint16_t)len;

	if (len > FG_RECORD_MAX)
		b->len = start;
	else
		memcpy(b->ptr + start + 6, &size, sizeof(size));
}
