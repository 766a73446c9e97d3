/*
 * The bytes of JSON, by a cursor, in blocks that may end anywhere, or in memory; and
 * the strings in them, in which escapes stand for other bytes.
 */
#ifndef FG_COLLAPSE_JSON_BYTES_H
#define FG_COLLAPSE_JSON_BYTES_H

#include <string.h>

#include "lib/base/reader.h"

/* Behind the last byte of the input. */
#define JSON_NOTHING (-1)

/* Eight bytes of that value. */
#define JSON_EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

struct json_bytes {
	const char *at, *end; /* the cursor, and where its block ends */
	const char *block;
	struct fg_reader *reader; /* NULL in memory, and after the last block */
	uint64_t lines,
		columns; /* ends of lines, bytes of the line, before the block */
	bool failed; /* the input could not be read, which was reported */
};

/* The next block: false behind the last one. */
bool json_refill(struct json_bytes *b);

/* The line and the column of the cursor, from 0. */
void json_place(const struct json_bytes *b, uint64_t *line, uint64_t *column);

/* A string or number has no more bytes: of what is packed it could have any number. */
#define JSON_TOKEN_MAX ((size_t)256 << 20)

/*
 * From behind the opening quote to behind the closing one, of a string that has escapes
 * or spans blocks: puts it into `joined`, and returns NULL, or what is wrong at the
 * cursor.
 */
const char *json_join_string(struct json_bytes *b, struct fg_buf *joined);

static inline uint64_t json_eight_at(const char *at)
{
	uint64_t bytes;

	memcpy(&bytes, at, sizeof(bytes));
	return bytes;
}

/* The top bits of those of eight bytes that are 0, exactly. */
static inline uint64_t json_zeros(uint64_t bytes)
{
	return ~((((bytes & JSON_EIGHT(0x7f)) + JSON_EIGHT(0x7f)) | bytes) |
		 JSON_EIGHT(0x7f));
}

/* Which of eight bytes is the first one with its top bit in `tops`, which is not 0. */
static inline size_t json_first_of(uint64_t tops)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return (size_t)__builtin_clzll(tops) / 8;
#else
	return (size_t)__builtin_ctzll(tops) / 8;
#endif
}

/* The byte at the cursor. */
static inline int json_peek(struct json_bytes *b)
{
	if (b->at == b->end && !json_refill(b))
		return JSON_NOTHING;
	return (unsigned char)*b->at;
}

/* The first '"' or '\', or the end. */
static inline const char *json_find_special(const char *at, const char *end)
{
	for (; end - at >= 8; at += 8) {
		uint64_t bytes = json_eight_at(at);
		uint64_t tops = json_zeros(bytes ^ JSON_EIGHT('"')) |
				json_zeros(bytes ^ JSON_EIGHT('\\'));

		if (tops)
			return at + json_first_of(tops);
	}
	while (at < end && *at != '"' && *at != '\\')
		at++;
	return at;
}

#endif
