/*
 * Characters of bytes that may or may not be UTF-8 (RFC 3629).
 */
#ifndef FG_LIB_UTF8_H
#define FG_LIB_UTF8_H

#include "lib/str.h"

/* What an invalid byte is shown as: U+FFFD. */
#define FG_UTF8_REPLACEMENT UINT32_C(0xfffd)

struct fg_utf8_char {
	uint32_t code; /* FG_UTF8_REPLACEMENT where the byte is invalid */
	unsigned len; /* bytes taken, at least 1 */
	bool valid;
};

/* The first character of `s`, which is not empty. An invalid byte is one. */
struct fg_utf8_char fg_utf8_first(struct fg_str s);

/* A file's first bytes without the byte-order mark that they may begin with. */
struct fg_str fg_utf8_skip_mark(struct fg_str s);

/* How many characters `s` has. */
size_t fg_utf8_count(struct fg_str s);

/* The first `chars` characters of `s`, all of it where it has fewer. */
struct fg_str fg_utf8_prefix(struct fg_str s, size_t chars);

#endif
