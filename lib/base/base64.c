/* Writes bytes as Base64 in lines, and decodes such text. */
#include "lib/base/base64.h"

/* The digits in a line: a multiple of four, and few enough for editors. */
#define LINE_DIGITS 1024
#define LINE_BYTES (LINE_DIGITS / 4 * 3)

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t fg_base64_fits(size_t size)
{
	size_t rest = size % (LINE_DIGITS + 1);

	return size / (LINE_DIGITS + 1) * LINE_BYTES + rest / 4 * 3;
}

static char *put_group(char *to, const unsigned char *from)
{
	uint32_t bits = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];

	*to++ = digits[bits >> 18];
	*to++ = digits[bits >> 12 & 63];
	*to++ = digits[bits >> 6 & 63];
	*to++ = digits[bits & 63];
	return to;
}

static char *put_last(char *to, struct fg_str bytes)
{
	unsigned char group[3] = { 0 };

	memcpy(group, bytes.ptr, bytes.len);
	to = put_group(to, group);
	to[-1] = '=';
	if (bytes.len == 1)
		to[-2] = '=';
	return to;
}

static void write_line(struct fg_out *o, struct fg_str bytes)
{
	char *to = fg_out_reserve(o, LINE_DIGITS);

	for (; bytes.len >= 3; bytes = fg_str_from_pos(bytes, 3))
		to = put_group(to, (const unsigned char *)bytes.ptr);
	if (bytes.len)
		to = put_last(to, bytes);
	fg_out_advance(o, to);
}

void fg_base64_write(struct fg_out *o, struct fg_str bytes)
{
	while (bytes.len > LINE_BYTES) {
		write_line(o, fg_str_before(bytes, LINE_BYTES));
		fg_out_add_char(o, '\n');
		bytes = fg_str_from_pos(bytes, LINE_BYTES);
	}
	write_line(o, bytes);
}

/* Returns the value of a digit, or 64 for any other byte. */
static uint32_t value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (uint32_t)(c - 'A');
	if (c >= 'a' && c <= 'z')
		return (uint32_t)(c - 'a' + 26);
	if (fg_is_digit(c))
		return (uint32_t)(c - '0' + 52);
	return c == '+' ? 62 : c == '/' ? 63 : 64;
}

/*
 * Appends the bytes of a group: three for four digits, and one less for each '=' in
 * place of a digit.
 */
static void end_group(struct fg_base64 *d, struct fg_buf *out)
{
	char bytes[3] = { (char)(d->bits >> 16), (char)(d->bits >> 8), (char)d->bits };

	fg_buf_add(out, bytes, 3 - d->padding);
	d->bits = 0;
	d->digits = 0;
}

int fg_base64_read(struct fg_base64 *d, struct fg_str text, struct fg_buf *out)
{
	fg_buf_reserve(out, text.len / 4 * 3 + 3);
	for (size_t i = 0; i < text.len; i++) {
		uint32_t value = value_of(text.ptr[i]);

		if (fg_is_space(text.ptr[i]))
			continue;
		if (text.ptr[i] == '=' && d->digits >= 2) {
			d->padding++;
			value = 0;
		} else if (value == 64 || d->padding) {
			return -1;
		}
		d->bits = d->bits << 6 | value;
		if (++d->digits == 4)
			end_group(d, out);
	}
	return 0;
}

int fg_base64_end(const struct fg_base64 *d)
{
	return d->digits ? -1 : 0;
}
