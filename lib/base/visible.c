/* Makes control characters in names visible. */
#include "lib/base/visible.h"

#include <string.h>

#include "lib/base/utf8.h"

/* We check this many bytes at once. */
#define BLOCK 64

#define BYTES(n) (UINT64_MAX / 0xff * (n)) /* a number whose eight bytes are all n */

/* Returns true if a character has to be made visible. Its bytes start at `bytes`. */
static bool is_hidden(struct fg_utf8_char c, const char *bytes)
{
	if (!c.valid)
		return (unsigned char)bytes[0] < 0xa0; /* C1 of an 8-bit terminal */
	return (c.code < 0x20 && c.code != '\t') || (c.code >= 0x7f && c.code < 0xa0) ||
	       (c.code >= 0x2028 && c.code <= 0x202e) ||
	       (c.code >= 0x2066 && c.code <= 0x2069) || c.code == 0xfeff;
}

/* Returns true if all of eight bytes are printable ASCII. */
static bool are_plain(uint64_t bytes)
{
	uint64_t controls = bytes - BYTES(0x20), del = (bytes ^ BYTES(0x7f)) - BYTES(1);

	/*
	 * A subtraction can make a byte look wrong only if the byte below it borrows.
	 * That byte is then not plain, so the result is right.
	 */
	return !((controls | del | bytes) & BYTES(0x80));
}

/* Like are_plain() for BLOCK bytes, in a form that compilers turn into vectors. */
static bool is_plain_block(const char *bytes)
{
	unsigned char most = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		unsigned char above = (unsigned char)(bytes[i] - ' ');

		most = above > most ? above : most;
	}
	return most < 0x7f - ' ';
}

/* Returns how many bytes at the start are printable ASCII. */
static size_t plain_length(struct fg_str s)
{
	uint64_t bytes;
	size_t at = 0;

	while (at + BLOCK <= s.len && is_plain_block(s.ptr + at))
		at += BLOCK;
	for (; at + sizeof(bytes) <= s.len; at += sizeof(bytes)) {
		memcpy(&bytes, s.ptr + at, sizeof(bytes));
		if (!are_plain(bytes))
			break;
	}
	/* check the last eight bytes, some of them for the second time */
	if (at && s.len - at < sizeof(bytes)) {
		memcpy(&bytes, s.ptr + s.len - sizeof(bytes), sizeof(bytes));
		if (are_plain(bytes))
			return s.len;
	}
	while (at < s.len && s.ptr[at] >= ' ' && s.ptr[at] < 0x7f)
		at++;
	return at;
}

bool fg_is_visible(struct fg_str s)
{
	for (;;) {
		struct fg_utf8_char c;

		s = fg_str_from_pos(s, plain_length(s));
		if (!s.len)
			return true;
		c = fg_utf8_first(s);
		if (is_hidden(c, s.ptr))
			return false;
		s = fg_str_from_pos(s, c.len);
	}
}

void fg_add_visible(struct fg_buf *b, struct fg_str s)
{
	while (s.len) {
		size_t plain = plain_length(s);
		struct fg_utf8_char c;

		fg_buf_add_str(b, fg_str_before(s, plain));
		s = fg_str_from_pos(s, plain);
		if (!s.len)
			return;
		c = fg_utf8_first(s);
		if (is_hidden(c, s.ptr))
			fg_buf_add_visible(b, fg_str_before(s, c.len), c.len);
		else
			fg_buf_add_str(b, fg_str_before(s, c.len));
		s = fg_str_from_pos(s, c.len);
	}
}

struct fg_str fg_visible(struct fg_str s, struct fg_buf *b)
{
	if (fg_is_visible(s))
		return s;
	fg_buf_clear(b);
	fg_add_visible(b, s);
	return fg_buf_str(b);
}
