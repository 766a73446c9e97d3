/* Reads and skips the numbers and strings of a recording. */
#include "collapse/formats/jfr/bytes.h"

#include "lib/base/utf8.h"

#define SURROGATES 0xd800U
#define LOW_SURROGATES 0xdc00U
#define AFTER_SURROGATES 0xe000U

/* ---- numbers */

uint64_t jfr_long_number(struct jfr_bytes *b)
{
	uint64_t value = 0;

	for (unsigned shift = 0; b->at < b->end; shift += 7) {
		uint64_t c = (unsigned char)*b->at++;

		if (shift == 56)
			return value | c << shift;
		value |= (c & 0x7f) << shift;
		if (c < 0x80)
			return value;
	}
	return jfr_fail(b);
}

uint64_t jfr_fixed(struct jfr_bytes *b, unsigned width)
{
	uint64_t value = 0;

	if (jfr_left(b) < width)
		return jfr_fail(b);
	for (unsigned i = 0; i < width; i++)
		value = value << 8 | (unsigned char)*b->at++;
	return value;
}

void jfr_skip_bytes(struct jfr_bytes *b, uint64_t count)
{
	if (count > jfr_left(b))
		jfr_fail(b);
	else
		b->at += count;
}

#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/*
 * Returns a word whose bytes are 0x80 for each of the eight bytes at `at` that ends a
 * number, and 0 for the others. The first byte is the lowest.
 */
static uint64_t last_bytes(const char *at)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < 8; i++)
		word |= (uint64_t)(unsigned char)at[i] << (8 * i);
	return ~word & EIGHT(0x80);
}

/*
 * Skips most of `count` numbers, eight bytes at a time, and stops before a number that
 * may have nine bytes. Returns how many numbers are left.
 */
static uint64_t skip_words(struct jfr_bytes *b, uint64_t count)
{
	unsigned open = 0; /* bytes skipped so far of a number that is not complete */

	while (count > 8 && jfr_left(b) >= 8) {
		uint64_t last = last_bytes(b->at);

		if (!last || open + (unsigned)__builtin_ctzll(last) / 8 > 8)
			break;
		count -= (last >> 7) * EIGHT(1) >> 56;
		open = (unsigned)__builtin_clzll(last) / 8;
		b->at += 8;
	}
	b->at -= open;
	return count;
}

void jfr_skip_numbers(struct jfr_bytes *b, uint64_t count, unsigned width)
{
	if (count > jfr_left(b)) { /* each number has at least one byte */
		jfr_fail(b);
		return;
	}
	if (b->fixed) {
		jfr_skip_bytes(b, count * width);
		return;
	}
	for (count = skip_words(b, count); count && !b->bad; count--)
		jfr_number(b);
}

/* ---- strings */

void jfr_skip_string(struct jfr_bytes *b)
{
	switch (jfr_byte(b)) {
	case JFR_STRING_NULL:
	case JFR_STRING_EMPTY:
		return;
	case JFR_STRING_CONSTANT:
		jfr_skip_numbers(b, 1, 8);
		return;
	case JFR_STRING_UTF8:
	case JFR_STRING_LATIN1:
		jfr_skip_bytes(b, jfr_int(b));
		return;
	case JFR_STRING_UTF16:
		jfr_skip_numbers(b, jfr_int(b), 2);
		return;
	default:
		jfr_fail(b);
	}
}

static bool is_surrogate(uint32_t unit, uint32_t first, uint32_t end)
{
	return unit >= first && unit < end;
}

bool jfr_string_is_constant(struct jfr_bytes b, uint64_t *key)
{
	if (jfr_byte(&b) != JFR_STRING_CONSTANT)
		return false;
	*key = jfr_long(&b);
	return true;
}

/* Reads UTF-16. A surrogate without its partner becomes U+FFFD. */
static void read_utf16(struct jfr_bytes *b, struct fg_buf *text)
{
	uint32_t high = 0;

	for (uint32_t count = jfr_int(b); count && !b->bad; count--) {
		uint32_t unit = (uint32_t)jfr_sized(b, 2) & 0xffff;

		if (high && is_surrogate(unit, LOW_SURROGATES, AFTER_SURROGATES)) {
			fg_utf8_add(text, 0x10000 + ((high - SURROGATES) << 10) + unit -
						  LOW_SURROGATES);
			high = 0;
			continue;
		}
		if (high)
			fg_utf8_add(text, 0xfffd);
		high = is_surrogate(unit, SURROGATES, LOW_SURROGATES) ? unit : 0;
		if (is_surrogate(unit, LOW_SURROGATES, AFTER_SURROGATES))
			fg_utf8_add(text, 0xfffd);
		else if (!high)
			fg_utf8_add(text, unit);
	}
	if (high)
		fg_utf8_add(text, 0xfffd);
}

enum jfr_string jfr_read_string(struct jfr_bytes *b, struct fg_buf *text, uint64_t *key)
{
	unsigned char kind = jfr_byte(b);
	const char *start;
	uint32_t len;

	switch (kind) {
	case JFR_STRING_CONSTANT:
		*key = jfr_long(b);
		return JFR_STRING_CONSTANT;
	case JFR_STRING_UTF16:
		read_utf16(b, text);
		return JFR_STRING_UTF16;
	case JFR_STRING_UTF8:
	case JFR_STRING_LATIN1:
		len = jfr_int(b);
		start = b->at;
		jfr_skip_bytes(b, len);
		if (b->bad)
			return JFR_STRING_NULL;
		if (kind == JFR_STRING_UTF8)
			fg_buf_add(text, start, len);
		else
			for (uint32_t i = 0; i < len; i++)
				fg_utf8_add(text, (unsigned char)start[i]);
		return (enum jfr_string)kind;
	case JFR_STRING_EMPTY:
		return JFR_STRING_EMPTY;
	case JFR_STRING_NULL:
		return JFR_STRING_NULL;
	default:
		jfr_fail(b);
		return JFR_STRING_NULL;
	}
}
