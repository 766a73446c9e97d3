/* Recognises input that is not text: UTF-16 and binary data. */
#include "lib/base/encoding.h"

#define UTF_16(name) \
	"this is UTF-16 text: convert it with iconv -f " name " -t UTF-8 first"

/*
 * Returns true if every second byte from `at` on is NUL and no other byte is, like in
 * Latin text in UTF-16.
 */
static bool is_half_nul(struct fg_str bytes, size_t at)
{
	size_t count = bytes.len < 64 ? bytes.len : 64;

	for (size_t i = 0; i < count; i++)
		if ((i % 2 == at) != !bytes.ptr[i])
			return false;
	return count >= 8;
}

const char *fg_encoding_utf_16(struct fg_str first_bytes)
{
	/* iconv reads the order of bytes from the mark */
	if (fg_str_starts(first_bytes, FG_STR("\xff\xfe")) ||
	    fg_str_starts(first_bytes, FG_STR("\xfe\xff")))
		return UTF_16("UTF-16");
	if (is_half_nul(first_bytes, 1))
		return UTF_16("UTF-16LE");
	return is_half_nul(first_bytes, 0) ? UTF_16("UTF-16BE") : NULL;
}

/* With fewer bytes, we cannot tell binary data from a text with strange names. */
#define BINARY_MIN 64

/*
 * Returns true for a control character that text does not have. Text may have escapes,
 * for colours.
 */
static bool is_control(char c)
{
	return (c && (unsigned char)c < ' ' && !fg_is_space(c) && c != '\x1b') ||
	       c == '\x7f';
}

bool fg_encoding_is_binary(struct fg_str first_bytes)
{
	size_t zeros = 0, controls = 0;

	if (first_bytes.len < BINARY_MIN || !fg_str_has_char(first_bytes, '\0'))
		return false;
	for (size_t i = 0; i < first_bytes.len; i++) {
		zeros += !first_bytes.ptr[i];
		controls += is_control(first_bytes.ptr[i]);
	}
	/* UTF-16 has many NULs, but binary data has other control characters, too */
	return controls > (first_bytes.len - zeros) / 16;
}
