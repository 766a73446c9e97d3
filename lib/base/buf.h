/*
 * Growable bytes that one owner builds up.
 *
 * `ptr` is NULL until something is added; the bytes are not terminated by NUL.
 * A zeroed struct is empty. Appending never fails (see lib/base/xalloc.h); pointers
 * into the buffer are valid until the next call that adds to it.
 */
#ifndef FG_LIB_BASE_BUF_H
#define FG_LIB_BASE_BUF_H

#include <stdarg.h>

#include "lib/base/str.h"

struct fg_buf {
	char *ptr;
	size_t len;
	size_t alloc;
};

/* An empty buffer, as an initialiser. */
#define FG_BUF_INIT        \
	{                  \
		NULL, 0, 0 \
	}

void fg_buf_init(struct fg_buf *b);

/* Frees the bytes and leaves `b` empty. */
void fg_buf_release(struct fg_buf *b);

/* Empties `b` and keeps its memory. */
void fg_buf_clear(struct fg_buf *b);

/* Makes room for `extra` more bytes after b->len. */
void fg_buf_reserve(struct fg_buf *b, size_t extra);

void fg_buf_add(struct fg_buf *b, const char *bytes, size_t len);
void fg_buf_add_str(struct fg_buf *b, struct fg_str s);
void fg_buf_add_char(struct fg_buf *b, char c);

/* Puts `to` for each `from` from the position `start` on. */
void fg_buf_replace(struct fg_buf *b, size_t start, char from, char to);

/* Decimal digits of `n`. */
void fg_buf_add_u64(struct fg_buf *b, uint64_t n);

/* printf into the buffer, in the C locale's number format. */
void fg_buf_addf(struct fg_buf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fg_buf_vaddf(struct fg_buf *b, const char *format, va_list args);

/*
 * Adds `s` for a message: at most `max` bytes of it, "..." where it was cut, and
 * what is not printable ASCII as \t, \n or \xHH.
 */
void fg_buf_add_visible(struct fg_buf *b, struct fg_str s, size_t max);

/* The contents, borrowed. */
static inline struct fg_str fg_buf_str(const struct fg_buf *b)
{
	return fg_str_of(b->ptr, b->len);
}

/* The contents as a C string, borrowed; valid until the next change. */
const char *fg_buf_cstr(struct fg_buf *b);

#endif
