/*
 * A cursor over the numbers and strings of a recording.
 *
 * Numbers are LEB128 or, if the chunk is not compressed, big-endian with the width of
 * their type. In LEB128 a number has at most nine bytes, and the ninth has eight bits:
 *
 *     05                            5
 *     80 01                         128
 *     80 80 80 80 80 80 80 80 80    2^63
 *
 * A read past the end returns 0 and sets `bad`.
 */
#ifndef FG_JFR_BYTES_H
#define FG_JFR_BYTES_H

#include "lib/base/buf.h"

struct jfr_bytes {
	const char *at;
	const char *end;
	bool fixed; /* numbers have the width of their type */
	bool bad; /* a read went past the end, or the bytes make no sense */
};

/* The first byte of a string, which says how the rest is encoded. */
enum jfr_string {
	JFR_STRING_NULL,
	JFR_STRING_EMPTY,
	JFR_STRING_CONSTANT,
	JFR_STRING_UTF8,
	JFR_STRING_UTF16,
	JFR_STRING_LATIN1,
};

/* Returns the number of bytes left. */
static inline size_t jfr_left(const struct jfr_bytes *b)
{
	return (size_t)(b->end - b->at);
}

/* Marks the cursor as bad and moves it to the end. Returns 0. */
static inline uint64_t jfr_fail(struct jfr_bytes *b)
{
	b->at = b->end;
	b->bad = true;
	return 0;
}

/* Reads a LEB128 number of any length. Call jfr_number(), which is faster. */
uint64_t jfr_long_number(struct jfr_bytes *b);

/* Reads a LEB128 number. */
static inline uint64_t jfr_number(struct jfr_bytes *b)
{
	if (b->at < b->end && !(*b->at & 0x80))
		return (unsigned char)*b->at++;
	return jfr_long_number(b);
}

/* Reads a big-endian number of `width` bytes. */
uint64_t jfr_fixed(struct jfr_bytes *b, unsigned width);

/* Reads an unsigned number whose type is `width` bytes wide. */
static inline uint64_t jfr_sized(struct jfr_bytes *b, unsigned width)
{
	return b->fixed ? jfr_fixed(b, width) : jfr_number(b);
}

/* Reads a number of type long, such as a key or a time. */
static inline uint64_t jfr_long(struct jfr_bytes *b)
{
	return jfr_sized(b, 8);
}

/* Reads a number of type int, such as a size or a count. */
static inline uint32_t jfr_int(struct jfr_bytes *b)
{
	return (uint32_t)jfr_sized(b, 4);
}

static inline unsigned char jfr_byte(struct jfr_bytes *b)
{
	return (unsigned char)(b->at < b->end ? (uint64_t)(unsigned char)*b->at++ :
						jfr_fail(b));
}

void jfr_skip_bytes(struct jfr_bytes *b, uint64_t count);

/* Skips `count` numbers of a type that is `width` bytes wide. */
void jfr_skip_numbers(struct jfr_bytes *b, uint64_t count, unsigned width);

void jfr_skip_string(struct jfr_bytes *b);

/* Returns true if the string is a constant, and stores its key in *key. */
bool jfr_string_is_constant(struct jfr_bytes b, uint64_t *key);

/*
 * Reads a string and appends it to `text` in UTF-8. If the string is a constant, stores
 * its key in *key instead. Returns JFR_STRING_NULL if it is malformed.
 */
enum jfr_string jfr_read_string(struct jfr_bytes *b, struct fg_buf *text,
				uint64_t *key);

#endif
