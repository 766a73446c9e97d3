/*
 * Characters of bytes that may or may not be UTF-8 (RFC 3629).
 */
#ifndef FG_LIB_BASE_UTF8_H
#define FG_LIB_BASE_UTF8_H

#include "lib/base/buf.h"

/* What an invalid byte is shown as: U+FFFD. */
#define FG_UTF8_REPLACEMENT UINT32_C(0xfffd)

struct fg_utf8_char {
	uint32_t code; /* FG_UTF8_REPLACEMENT where the byte is invalid */
	unsigned len; /* bytes taken, at least 1 */
	bool valid;
};

/* Returns how many bytes the character has that `lead` starts; 1 if it starts none. */
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

/* The first character of `s`, which is not empty. An invalid byte is one. */
struct fg_utf8_char fg_utf8_first(struct fg_str s);

/*
 * A line, or a file's first bytes, without the byte-order marks that they may begin
 * with: one is at the start of a file, and in the middle of what cat makes of several,
 * and there are two where one of those is empty.
 */
static inline struct fg_str fg_utf8_skip_mark(struct fg_str s)
{
	struct fg_str mark = FG_STR("\xef\xbb\xbf");

	while (fg_str_starts(s, mark))
		s = fg_str_from_pos(s, mark.len);
	return s;
}

/* Appends the character of a code, as UTF-8. */
void fg_utf8_add(struct fg_buf *b, uint32_t code);

/*
 * The part of `s` from `start` (no more than its length) on, and what is before it of a
 * character that goes on there, or does no more: so much is to be looked at where the
 * bytes before were, with others behind them.
 */
struct fg_str fg_utf8_part(struct fg_str s, size_t start);

/* How many characters `s` has. */
size_t fg_utf8_count(struct fg_str s);

/* The first `chars` characters of `s`, all of it where it has fewer. */
struct fg_str fg_utf8_prefix(struct fg_str s, size_t chars);

/* How many columns `s` takes: those of East Asian scripts and emoji take two each. */
size_t fg_utf8_columns(struct fg_str s);

/* As many characters of `s` as fit into `columns`. */
struct fg_str fg_utf8_fitting(struct fg_str s, size_t columns);

#endif
