/*
 * Reads characters from bytes that may or may not be UTF-8 (RFC 3629).
 */
#ifndef FG_LIB_BASE_UTF8_H
#define FG_LIB_BASE_UTF8_H

#include "lib/base/buf.h"

/* U+FFFD, which stands for an invalid byte. */
#define FG_UTF8_REPLACEMENT UINT32_C(0xfffd)

struct fg_utf8_char {
	uint32_t code; /* FG_UTF8_REPLACEMENT if the byte is invalid */
	unsigned len; /* bytes taken, at least 1 */
	bool valid;
};

/*
 * Returns the length in bytes of a character with this first byte, or 1 if no character
 * starts with it.
 */
static inline unsigned fg_utf8_length(unsigned char lead)
{
	return lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* Returns true for a character that XML 1.0 allows in a document. */
static inline bool fg_utf8_is_xml(struct fg_utf8_char c)
{
	return c.valid && c.code != 0xfffe && c.code != 0xffff &&
	       (c.code >= 0x20 || c.code == '\t' || c.code == '\n' || c.code == '\r');
}

/* Reads the first character of `s`, which must not be empty. */
struct fg_utf8_char fg_utf8_first(struct fg_str s);

/*
 * Returns a line, or a file's first bytes, without the byte-order marks at its start.
 * In the output of `cat a b c`, any line may start with a mark, or with two if b has
 * nothing but a mark.
 */
static inline struct fg_str fg_utf8_skip_mark(struct fg_str s)
{
	struct fg_str mark = FG_STR("\xef\xbb\xbf");

	while (fg_str_starts(s, mark))
		s = fg_str_from_pos(s, mark.len);
	return s;
}

/* Appends a character as UTF-8. */
void fg_utf8_add(struct fg_buf *b, uint32_t code);

/*
 * Returns `s` from `start` on, plus up to three bytes before `start` if they may be the
 * beginning of a character that continues there. Use it to check the bytes from `start`
 * on if the bytes before were checked when other bytes followed them.
 */
struct fg_str fg_utf8_part(struct fg_str s, size_t start);

/* Returns the number of characters in `s`. */
size_t fg_utf8_count(struct fg_str s);

/* Returns the first `chars` characters of `s`, or all. */
struct fg_str fg_utf8_prefix(struct fg_str s, size_t chars);

/* Returns the longest start of `s` of at most `bytes` bytes that cuts no character. */
struct fg_str fg_utf8_within(struct fg_str s, size_t bytes);

/*
 * Returns the number of terminal columns that `s` takes. East Asian characters and
 * emoji take two.
 */
size_t fg_utf8_columns(struct fg_str s);

/* Returns the start of `s`: as many whole characters as fit into `columns`. */
struct fg_str fg_utf8_fitting(struct fg_str s, size_t columns);

#endif
