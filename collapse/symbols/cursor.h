/*
 * Reads numbers and strings from bytes, and never beyond their end.
 *
 * A read beyond the end gives zeros or the empty string and sets `bad`, so a layout can
 * be read from start to end and checked once:
 *
 *     struct fg_cursor c = fg_cursor(bytes);
 *     uint32_t pid = fg_cursor_u32(&c), tid = fg_cursor_u32(&c);
 *     if (c.bad) ...
 *
 * Numbers are in the byte order of this machine. Recordings in the other order were
 * refused earlier.
 */
#ifndef FG_COLLAPSE_SYMBOLS_CURSOR_H
#define FG_COLLAPSE_SYMBOLS_CURSOR_H

#include "lib/base/str.h"

struct fg_cursor {
	const char *at;
	const char *end;
	bool bad;
};

static inline struct fg_cursor fg_cursor(struct fg_str bytes)
{
	/* C does not allow us to add 0 to NULL. */
	const char *start = bytes.len ? bytes.ptr : "";

	return (struct fg_cursor){ start, start + bytes.len, false };
}

static inline size_t fg_cursor_left(const struct fg_cursor *c)
{
	return (size_t)(c->end - c->at);
}

/*
 * Takes the next `len` bytes, borrowed. If there are fewer, returns an empty string and
 * sets `bad`.
 */
static inline struct fg_str fg_cursor_bytes(struct fg_cursor *c, uint64_t len)
{
	struct fg_str bytes = fg_str_of(c->at, 0);

	if (len > fg_cursor_left(c)) {
		c->at = c->end;
		c->bad = true;
		return bytes;
	}
	bytes.len = (size_t)len;
	c->at += bytes.len;
	return bytes;
}

/* Takes the next `count` numbers of 64 bits, as bytes that need not be aligned. */
static inline struct fg_str fg_cursor_words(struct fg_cursor *c, uint64_t count)
{
	return fg_cursor_bytes(c, count > UINT64_MAX / 8 ? UINT64_MAX : count * 8);
}

static inline void fg_cursor_skip(struct fg_cursor *c, uint64_t len)
{
	fg_cursor_bytes(c, len);
}

/*
 * Load a number from a place that is known to have enough bytes. It need not be
 * aligned.
 */
static inline uint64_t fg_load64(const char *at)
{
	uint64_t n;

	memcpy(&n, at, sizeof(n));
	return n;
}
static inline uint32_t fg_load32(const char *at)
{
	uint32_t n;

	memcpy(&n, at, sizeof(n));
	return n;
}
static inline uint16_t fg_load16(const char *at)
{
	uint16_t n;

	memcpy(&n, at, sizeof(n));
	return n;
}

static inline uint64_t fg_cursor_u64(struct fg_cursor *c)
{
	struct fg_str bytes = fg_cursor_bytes(c, 8);

	return bytes.len ? fg_load64(bytes.ptr) : 0;
}
static inline uint32_t fg_cursor_u32(struct fg_cursor *c)
{
	struct fg_str bytes = fg_cursor_bytes(c, 4);

	return bytes.len ? fg_load32(bytes.ptr) : 0;
}

static inline uint16_t fg_cursor_u16(struct fg_cursor *c)
{
	struct fg_str bytes = fg_cursor_bytes(c, 2);

	return bytes.len ? fg_load16(bytes.ptr) : 0;
}

static inline uint8_t fg_cursor_u8(struct fg_cursor *c)
{
	struct fg_str bytes = fg_cursor_bytes(c, 1);

	return bytes.len ? (uint8_t)*bytes.ptr : 0;
}

/*
 * Takes a number in the LEB128 format of DWARF, which has any length. Returns its low
 * 64 bits.
 */
static inline uint64_t fg_cursor_uleb(struct fg_cursor *c)
{
	uint64_t number = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = fg_cursor_u8(c);

		if (c->bad)
			return 0;
		if (shift < 64)
			number |= (uint64_t)(byte & 127) << shift;
		if (!(byte & 128))
			return number;
	}
}

/*
 * Takes `len` bytes. Returns the bytes before the first NUL, or all if there is none.
 */
static inline struct fg_str fg_cursor_text(struct fg_cursor *c, uint64_t len)
{
	struct fg_str bytes = fg_cursor_bytes(c, len);

	return fg_str_before(bytes, fg_str_find_char(bytes, '\0'));
}

/* Like fg_cursor_text(), for all bytes that are left. */
static inline struct fg_str fg_cursor_rest_text(struct fg_cursor *c)
{
	return fg_cursor_text(c, fg_cursor_left(c));
}

/*
 * Takes a string of a feature section: its length in 32 bits, the string, and NULs that
 * pad it to that length.
 */
static inline struct fg_str fg_cursor_string(struct fg_cursor *c)
{
	uint32_t len = fg_cursor_u32(c);

	return fg_cursor_text(c, len);
}

#endif
