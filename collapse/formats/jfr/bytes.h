/*
 * A cursor over the numbers and strings of a recording.
 *
 * Numbers are LEB128, whose ninth byte has eight bits, or big-endian with the width of
 * their type. A read past the end returns 0 and sets `bad`.
 */
#ifndef FG_JFR_BYTES_H
#define FG_JFR_BYTES_H

#include "lib/base/buf.h"

struct jfr_bytes {
	const char *at;
	const char *end;
	bool fixed; /* numbers have the width of their type */
	bool bad;
};

/* How a string starts. */
enum jfr_string {
	JFR_STRING_NULL,
	JFR_STRING_EMPTY,
	JFR_STRING_CONSTANT,
	JFR_STRING_UTF8,
	JFR_STRING_UTF16,
	JFR_STRING_LATIN1,
};

static inline size_t jfr_left(const struct jfr_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Marks it bad; nothing more is read. */
static inline uint64_t jfr_fail(struct jfr_bytes *b)
{
	b->at = b->end;
	b->bad = true;
	return 0;
}

/* A LEB128 number of more than one byte. */
uint64_t jfr_long_number(struct jfr_bytes *b);

static inline uint64_t jfr_number(struct jfr_bytes *b)
{
	if (b->at < b->end && !(*b->at & 0x80))
		return (unsigned char)*b->at++;
	return jfr_long_number(b);
}

/* A big-endian number of `width` bytes. */
uint64_t jfr_fixed(struct jfr_bytes *b, unsigned width);

/* An unsigned number whose type is `width` bytes wide. */
static inline uint64_t jfr_sized(struct jfr_bytes *b, unsigned width)
{
	return b->fixed ? jfr_fixed(b, width) : jfr_number(b);
}

static inline uint64_t jfr_long(struct jfr_bytes *b)
{
	return jfr_sized(b, 8);
}

/* A number of type int, as sizes and counts are. */
static inline uint32_t jfr_int(struct jfr_bytes *b)
{
	return (uint32_t)jfr_sized(b, 4);
}

static inline unsigned char jfr_byte(struct jfr_bytes *b)
{
	return (unsigned char)(b->at < b->end ? (uint64_t)(unsigned char)*b->at++ :
						jfr_fail(b));
}

/* Skips `count` bytes, or `count` numbers of a type of that width. */
void jfr_skip_bytes(struct jfr_bytes *b, uint64_t count);
void jfr_skip_numbers(struct jfr_bytes *b, uint64_t count, unsigned width);

/* Skips a string. */
void jfr_skip_string(struct jfr_bytes *b);

/* Whether a string is a constant, whose key goes to *key. */
bool jfr_string_is_constant(struct jfr_bytes b, uint64_t *key);

/*
 * Reads a string: its UTF-8 is appended to `text` or, if it is a constant, its key goes
 * to *key.
 */
enum jfr_string jfr_read_string(struct jfr_bytes *b, struct fg_buf *text,
				uint64_t *key);

#endif
