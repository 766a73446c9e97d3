/* A byte buffer that grows as text is added. */
#include "lib/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

void fg_buf_init(struct fg_buf *b)
{
	memset(b, 0, sizeof(*b));
}

void fg_buf_release(struct fg_buf *b)
{
	free(b->ptr);
	fg_buf_init(b);
}

void fg_buf_clear(struct fg_buf *b)
{
	b->len = 0;
}

void fg_buf_reserve(struct fg_buf *b, size_t extra)
{
	FG_GROW(b->ptr, b->alloc, fg_size_add(b->len, extra));
}

void fg_buf_add(struct fg_buf *b, const char *bytes, size_t len)
{
	if (!len)
		return;
	fg_buf_reserve(b, len);
	memcpy(b->ptr + b->len, bytes, len);
	b->len += len;
}

void fg_buf_add_str(struct fg_buf *b, struct fg_str s)
{
	fg_buf_add(b, s.ptr, s.len);
}

void fg_buf_add_char(struct fg_buf *b, char c)
{
	if (b->len == b->alloc)
		fg_buf_reserve(b, 1);
	b->ptr[b->len++] = c;
}

void fg_buf_add_u64(struct fg_buf *b, uint64_t n)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	fg_buf_add(b, digits + at, sizeof(digits) - at);
}

void fg_buf_vaddf(struct fg_buf *b, const char *format, va_list args)
{
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, args);
	if (len > 0) {
		fg_buf_reserve(b, (size_t)len + 1);
		vsnprintf(b->ptr + b->len, (size_t)len + 1, format, again);
		b->len += (size_t)len;
	}
	va_end(again);
}

void fg_buf_addf(struct fg_buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fg_buf_vaddf(b, format, args);
	va_end(args);
}

void fg_buf_add_visible(struct fg_buf *b, struct fg_str s, size_t max)
{
	struct fg_str shown = fg_str_before(s, max);

	for (size_t i = 0; i < shown.len; i++) {
		unsigned char c = (unsigned char)shown.ptr[i];

		if (c == '\t')
			fg_buf_add_str(b, FG_STR("\\t"));
		else if (c == '\n')
			fg_buf_add_str(b, FG_STR("\\n"));
		else if (c < 0x20 || c >= 0x7f)
			fg_buf_addf(b, "\\x%02x", c);
		else
			fg_buf_add_char(b, (char)c);
	}
	if (shown.len < s.len)
		fg_buf_add_str(b, FG_STR("..."));
}

void fg_buf_replace(struct fg_buf *b, size_t start, char from, char to)
{
	for (size_t i = start; i < b->len; i++)
		if (b->ptr[i] == from)
			b->ptr[i] = to;
}

const char *fg_buf_cstr(struct fg_buf *b)
{
	fg_buf_reserve(b, 1);
	b->ptr[b->len] = '\0';
	return b->ptr;
}
