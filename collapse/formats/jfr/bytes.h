/*
 * Numbers and strings of a recording, one after the other.
 *
 * Numbers are LEB128, of which a ninth byte has eight bits, or big-endian of the width
 * of their type. What would go beyond the end is 0, and leaves `bad` behind.
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

/* There is no more to be read of it. */
static inline uint64_t jfr_fail(struct jfr_bytes *b)
{
	b->at = b->end;
	b->bad = true;
	return 0;
}

/* A number of LEB128 that has more than one byte. */
uint64_t jfr_long_number(struct jfr_bytes *b);

static inline uint64_t jfr_number(struct jfr_bytes *b)
{
	if (b->at < b->end && !(*b->at & 0x80))
		return (unsigned char)*b->at++;
	return jfr_long_number(b);
}

/* A big-endian number of so many bytes. */
uint64_t jfr_fixed(struct jfr_bytes *b, unsigned width);

/* A number whose type has so many bytes, without its sign. */
static inline uint64_t jfr_sized(struct jfr_bytes *b, unsigned width)
{
	return b->fixed ? jfr_fixed(b, width) : jfr_number(b);
}

static inline uint64_t jfr_long(struct jfr_bytes *b)
{
	return jfr_sized(b, 8);
}

/* One that is a size or a count. */
static inline uint32_t jfr_int(struct jfr_bytes *b)
{
	return (uint32_t)jfr_sized(b, 4);
}

static inline unsigned char jfr_byte(struct jfr_bytes *b)
{
	return (unsigned char)(b->at < b->end ? (uint64_t)(unsigned char)*b->at++ :
						jfr_fail(b));
}

/* Goes past so many bytes, or so many numbers of a type of that width. */
void jfr_skip_bytes(struct jfr_bytes *b, uint64_t count);
void jfr_skip_numbers(struct jfr_bytes *b, uint64_t count, unsigned width);

/* Goes past a string. */
void jfr_skip_string(struct jfr_bytes *b);

/*
 * Reads a string as UTF-8, which goes to `text`, or the key of a constant, which goes
 * to *key.
 */
enum jfr_string jfr_read_string(struct jfr_bytes *b, struct fg_buf *text,
				uint64_t *key);

#endif
