/* Compares, searches and cuts borrowed byte strings, and reads numbers from them. */
#include "lib/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fg_str fg_str_from(const char *cstr)
{
	return fg_str_of(cstr, cstr ? strlen(cstr) : 0);
}

int fg_str_cmp(struct fg_str a, struct fg_str b)
{
	size_t common = a.len < b.len ? a.len : b.len;
	int order = common ? memcmp(a.ptr, b.ptr, common) : 0;

	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

uint64_t fg_str_number_at(struct fg_str s, size_t at)
{
	uint64_t number = 0;

	for (size_t i = at; i < at + sizeof(number); i++)
		number = number << 8 | (i < s.len ? (unsigned char)s.ptr[i] : 0);
	return number;
}

size_t fg_str_common(struct fg_str a, struct fg_str b)
{
	size_t max = a.len < b.len ? a.len : b.len;
	size_t i = 0;

	while (i + 256 <= max && !memcmp(a.ptr + i, b.ptr + i, 256))
		i += 256;
	while (i + 32 <= max && !memcmp(a.ptr + i, b.ptr + i, 32))
		i += 32;
	while (i + 8 <= max && !memcmp(a.ptr + i, b.ptr + i, 8))
		i += 8;
	while (i < max && a.ptr[i] == b.ptr[i])
		i++;
	return i;
}

size_t fg_str_rfind_char(struct fg_str s, char c)
{
	const size_t step = 64;
	size_t end = s.len;

	/* memchr() skips parts without `c`, because not every system has memrchr() */
	while (end >= step && !memchr(s.ptr + end - step, c, step))
		end -= step;
	if (end && end < step && !memchr(s.ptr, c, end))
		return s.len;
	while (end && s.ptr[end - 1] != c)
		end--;
	return end ? end - 1 : s.len;
}

size_t fg_str_find(struct fg_str s, struct fg_str needle)
{
	/*
	 * spaces are frequent, so if the needle starts with one, search for its second
	 * byte
	 */
	size_t rare = needle.len > 1 && needle.ptr[0] == ' ';

	size_t last = needle.len - 1;

	if (!needle.len)
		return 0;
	for (size_t at = 0; at + needle.len <= s.len; at++) {
		at += fg_str_find_char(fg_str_from_pos(s, at + rare), needle.ptr[rare]);
		if (at + needle.len <= s.len && s.ptr[at + last] == needle.ptr[last] &&
		    !memcmp(s.ptr + at, needle.ptr, needle.len))
			return at;
	}
	return s.len;
}

bool fg_str_has(struct fg_str s, struct fg_str needle)
{
	return !needle.len || fg_str_find(s, needle) < s.len;
}

size_t fg_str_spaces(struct fg_str s)
{
	static const char spaces[] = "                ";
	size_t step = sizeof(spaces) - 1, n = 0;

	while (n + step <= s.len && !memcmp(s.ptr + n, spaces, step))
		n += step;
	while (n < s.len && s.ptr[n] == ' ')
		n++;
	return n;
}

struct fg_str fg_str_basename(struct fg_str path)
{
	size_t slash = fg_str_rfind_char(path, '/');

	return slash < path.len ? fg_str_from_pos(path, slash + 1) : path;
}

int fg_str_u64(struct fg_str s, uint64_t *value)
{
	uint64_t n = 0;

	if (!s.len)
		return -1;
	for (size_t i = 0; i < s.len; i++) {
		unsigned digit = (unsigned)(s.ptr[i] - '0');

		if (digit > 9)
			return -1;
		/* a number of up to nineteen digits always fits */
		if (i >= 19 && n > (UINT64_MAX - digit) / 10)
			return -1;
		n = n * 10 + digit;
	}
	*value = n;
	return 0;
}

int fg_str_hex(struct fg_str s, uint64_t *value)
{
	uint64_t n = 0;

	if (!s.len)
		return -1;
	for (size_t i = 0; i < s.len; i++) {
		unsigned digit = fg_hex_digit(s.ptr[i]);

		if (digit > 15 || n >> 60)
			return -1;
		n = n << 4 | digit;
	}
	*value = n;
	return 0;
}

int fg_str_0x(struct fg_str s, uint64_t *value)
{
	struct fg_str prefix = FG_STR("0x");

	if (!fg_str_starts(s, prefix))
		return -1;
	return fg_str_hex(fg_str_from_pos(s, prefix.len), value);
}

int fg_str_double(struct fg_str s, double *value)
{
	char text[64], *end;
	double parsed;

	if (!s.len || s.len >= sizeof(text) || fg_is_space(s.ptr[0]))
		return -1;
	for (size_t i = 0; i < s.len; i++)
		if (!fg_is_digit(s.ptr[i]) &&
		    !fg_str_has_char(FG_STR("+-.eE"), s.ptr[i]))
			return -1;
	memcpy(text, s.ptr, s.len);
	text[s.len] = '\0';
	parsed = strtod(text, &end);
	if (*end || !isfinite(parsed))
		return -1;
	*value = parsed;
	return 0;
}
