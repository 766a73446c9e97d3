/* Decodes bytes that may or may not be UTF-8. */
#include "lib/base/utf8.h"

/* The most bytes of a character. */
#define LONGEST 4

static const struct fg_utf8_char invalid = { FG_UTF8_REPLACEMENT, 1, false };

/* Returns the smallest code that may be written with `len` bytes. */
static uint32_t smallest(unsigned len)
{
	return len == 2 ? 0x80 : len == 3 ? 0x800 : 0x10000;
}

struct fg_utf8_char fg_utf8_first(struct fg_str s)
{
	unsigned char lead = (unsigned char)s.ptr[0];
	struct fg_utf8_char c = { lead, 1, true };

	if (lead < 0x80)
		return c;
	c.len = fg_utf8_length(lead);
	if (c.len == 1 || c.len > s.len)
		return invalid;
	c.code = lead & (0x7fu >> c.len);
	for (unsigned i = 1; i < c.len; i++) {
		unsigned char next = (unsigned char)s.ptr[i];

		if ((next & 0xc0) != 0x80)
			return invalid;
		c.code = c.code << 6 | (next & 0x3f);
	}
	if (c.code < smallest(c.len) || c.code > 0x10ffff ||
	    (c.code >= 0xd800 && c.code <= 0xdfff))
		return invalid;
	return c;
}

void fg_utf8_add(struct fg_buf *b, uint32_t code)
{
	unsigned len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	if (len == 1)
		fg_buf_add_char(b, (char)code);
	else
		fg_buf_add_char(b, (char)(0xf00 >> len | code >> 6 * (len - 1)));
	for (unsigned i = len - 1; i; i--)
		fg_buf_add_char(b, (char)(0x80 | (code >> 6 * (i - 1) & 0x3f)));
}

struct fg_str fg_utf8_part(struct fg_str s, size_t start)
{
	for (size_t i = 1; i < LONGEST && i <= start; i++) {
		unsigned char byte = (unsigned char)s.ptr[start - i];

		if (byte < 0x80)
			break;
		if (byte >= 0xc0)
			return fg_str_from_pos(s, start - i);
	}
	return fg_str_from_pos(s, start);
}

struct fg_str fg_utf8_prefix(struct fg_str s, size_t chars)
{
	size_t at = 0;

	while (at < chars && at < s.len && (unsigned char)s.ptr[at] < 0x80)
		at++;
	for (chars -= at; chars && at < s.len; chars--)
		at += fg_utf8_first(fg_str_from_pos(s, at)).len;
	return fg_str_before(s, at);
}

struct fg_str fg_utf8_within(struct fg_str s, size_t bytes)
{
	if (s.len <= bytes)
		return s;
	while (bytes && ((unsigned char)s.ptr[bytes] & 0xc0) == 0x80)
		bytes--;
	return fg_str_before(s, bytes);
}

size_t fg_utf8_count(struct fg_str s)
{
	size_t count = 0;

	for (size_t at = 0; at < s.len; count++)
		at += fg_utf8_first(fg_str_from_pos(s, at)).len;
	return count;
}

/*
 * Returns true if a character is twice as wide as a letter, by Unicode's
 * EastAsianWidth.txt. To keep the table short, a few narrow symbols between wide ones
 * count as wide, too.
 */
static bool is_wide(uint32_t code)
{
	static const uint32_t ranges[][2] = {
		{ 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },
		{ 0x23e9, 0x23f3 },   { 0x25fd, 0x27bf },   { 0x2b1b, 0x2b55 },
		{ 0x2e80, 0x303e },   { 0x3041, 0x4dbf },   { 0x4e00, 0xa4cf },
		{ 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },
		{ 0xfe10, 0xfe19 },   { 0xfe30, 0xfe6f },   { 0xff01, 0xff60 },
		{ 0xffe0, 0xffe6 },   { 0x16fe0, 0x18d08 }, { 0x1aff0, 0x1b2fb },
		{ 0x1f004, 0x1f004 }, { 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e },
		{ 0x1f191, 0x1f19a }, { 0x1f200, 0x1faff }, { 0x20000, 0x3fffd },
	};
	size_t i = 0;

	while (i < FG_COUNT_OF(ranges) && code > ranges[i][1])
		i++;
	return i < FG_COUNT_OF(ranges) && code >= ranges[i][0];
}

/*
 * Moves `at` past the next character of `s`. Returns how many columns the character
 * takes.
 */
static size_t next_columns(struct fg_str s, size_t *at)
{
	struct fg_utf8_char c = fg_utf8_first(fg_str_from_pos(s, *at));

	*at += c.len;
	return c.valid && is_wide(c.code) ? 2 : 1;
}

size_t fg_utf8_columns(struct fg_str s)
{
	size_t columns = 0;

	for (size_t at = 0; at < s.len;)
		columns += next_columns(s, &at);
	return columns;
}

struct fg_str fg_utf8_fitting(struct fg_str s, size_t columns)
{
	size_t at = 0, next = 0;

	while (at < s.len) {
		size_t more = next_columns(s, &next);

		if (more > columns)
			break;
		columns -= more;
		at = next;
	}
	return fg_str_before(s, at);
}
