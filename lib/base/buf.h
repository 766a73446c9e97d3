/*
 * A byte buffer that grows as you add to it. Use it to build text:
 *
 *     struct fg_buf b = FG_BUF_INIT;
 *
 *     fg_buf_add_str(&b, name);
 *     fg_buf_addf(&b, ":%d", line);
 *     puts(fg_buf_cstr(&b));
 *     fg_buf_release(&b);
 *
 * Adding never fails (see xalloc.h). b.ptr and b.len are yours to read, but the bytes
 * are not terminated by NUL, and b.ptr is NULL as long as nothing was added. Pointers
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

/* Initialises an empty buffer, like fg_buf_init(). A zeroed struct is empty, too. */
#define FG_BUF_INIT        \
	{                  \
		NULL, 0, 0 \
	}

void fg_buf_init(struct fg_buf *b);

/* Frees the bytes and leaves `b` empty. To use its memory again, clear it instead. */
void fg_buf_release(struct fg_buf *b);

/* Empties `b` but keeps its memory, for a buffer that is filled again in a loop. */
void fg_buf_clear(struct fg_buf *b);

/*
 * Makes space for `extra` more bytes. You may then write them to b->ptr + b->len, and
 * add their number to b->len. There is no need to call it before the functions below.
 */
void fg_buf_reserve(struct fg_buf *b, size_t extra);

void fg_buf_add(struct fg_buf *b, const char *bytes, size_t len);
void fg_buf_add_str(struct fg_buf *b, struct fg_str s);
void fg_buf_add_char(struct fg_buf *b, char c);

/* Replaces each byte `from` by `to`, from the offset `start` on. */
void fg_buf_replace(struct fg_buf *b, size_t start, char from, char to);

/* Appends the decimal digits of `n`; much faster than fg_buf_addf(). */
void fg_buf_add_u64(struct fg_buf *b, uint64_t n);

/*
 * Append like printf(). Our programs never leave the C locale, so a number has a '.'.
 * They are slow: in a hot path use the functions above or number.h.
 */
void fg_buf_addf(struct fg_buf *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void fg_buf_vaddf(struct fg_buf *b, const char *format, va_list args);

/*
 * Appends `s` for a message: at most `max` bytes of it, "..." if it was cut, and bytes
 * other than printable ASCII as \t, \n or \xHH. For output that keeps UTF-8, see
 * fg_add_visible() in visible.h.
 */
void fg_buf_add_visible(struct fg_buf *b, struct fg_str s, size_t max);

/* Returns the contents, borrowed from `b`. */
static inline struct fg_str fg_buf_str(const struct fg_buf *b)
{
	return fg_str_of(b->ptr, b->len);
}

/* Returns the contents as a C string, borrowed from `b` until the next change. */
const char *fg_buf_cstr(struct fg_buf *b);

#endif
