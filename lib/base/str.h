/*
 * Borrowed byte strings: a pointer and a length, owned by somebody else.
 *
 * Input is bytes, not text: it may hold NUL and need not be UTF-8. Everything
 * here treats bytes as unsigned, knows ASCII only and ignores the locale.
 * A struct fg_str is passed by value and is valid as long as what it points to.
 */
#ifndef FG_LIB_BASE_STR_H
#define FG_LIB_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct fg_str {
	const char *ptr;
	size_t len;
};

/* A string literal as a struct fg_str, also in initialisers. */
#define FG_STR_INIT(literal)                   \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}
#define FG_STR(literal) ((struct fg_str)FG_STR_INIT(literal))

/* How many elements an array has. */
#define FG_COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static inline struct fg_str fg_str_of(const char *ptr, size_t len)
{
	struct fg_str s = { ptr, len };
	return s;
}

/* The bytes of a C string; NULL gives the empty string. */
struct fg_str fg_str_from(const char *cstr);

/* ASCII classes of one byte. A blank is a space or a tab. */
static inline bool fg_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool fg_is_lower_hex(char c)
{
	return fg_is_digit(c) || (c >= 'a' && c <= 'f');
}
static inline bool fg_is_blank(char c)
{
	return c == ' ' || c == '\t';
}
/* White space as the C locale has it: blank, \n, \v, \f, \r. */
static inline bool fg_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool fg_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/* The value of a hexadecimal digit of either case; 16 for any other byte. */
static inline unsigned fg_hex_digit(char c)
{
	if (fg_is_digit(c))
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
}
static inline bool fg_is_hex(char c)
{
	return fg_hex_digit(c) < 16;
}
/* A letter, a digit or '_'. */
static inline bool fg_is_word(char c)
{
	return fg_is_alpha(c) || fg_is_digit(c) || c == '_';
}

static inline bool fg_str_eq(struct fg_str a, struct fg_str b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/* memcmp order, a shorter string before its extensions: < 0, 0, > 0. */
int fg_str_cmp(struct fg_str a, struct fg_str b);

/*
 * The eight bytes from `at` on, zeros beyond the end, as a number: such numbers
 * compare as their bytes do.
 */
uint64_t fg_str_number_at(struct fg_str s, size_t at);

/* The length of their common prefix. */
size_t fg_str_common(struct fg_str a, struct fg_str b);

/* The part from `start` (clamped) to the end, and the part before `end`. */
static inline struct fg_str fg_str_from_pos(struct fg_str s, size_t start)
{
	if (start > s.len)
		start = s.len;
	return start ? fg_str_of(s.ptr + start, s.len - start) : s;
}
static inline struct fg_str fg_str_before(struct fg_str s, size_t end)
{
	return fg_str_of(s.ptr, end < s.len ? end : s.len);
}

static inline bool fg_str_starts(struct fg_str s, struct fg_str prefix)
{
	if (s.len < prefix.len || !prefix.len)
		return !prefix.len;
	return s.ptr[0] == prefix.ptr[0] && !memcmp(s.ptr, prefix.ptr, prefix.len);
}
/* Whether `s` starts with one of `count` prefixes. */
static inline bool fg_str_starts_any(struct fg_str s, const struct fg_str *prefixes,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_starts(s, prefixes[i]))
			return true;
	return false;
}

/* Whether the part of `s` before its first `sep`, or all of it, is `head`. */
static inline bool fg_str_starts_part(struct fg_str s, struct fg_str head, char sep)
{
	return s.len >= head.len && (s.len == head.len || s.ptr[head.len] == sep) &&
	       fg_str_eq(fg_str_of(s.ptr, head.len), head);
}
static inline bool fg_str_ends(struct fg_str s, struct fg_str suffix)
{
	if (s.len < suffix.len || !suffix.len)
		return !suffix.len;
	return s.ptr[s.len - 1] == suffix.ptr[suffix.len - 1] &&
	       !memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len);
}

/* Cuts `suffix` off the end of `s` if it ends so; whether it did. */
static inline bool fg_str_cut_end(struct fg_str *s, struct fg_str suffix)
{
	if (!fg_str_ends(*s, suffix))
		return false;
	s->len -= suffix.len;
	return true;
}

/* The same of `prefix` at the start. */
static inline bool fg_str_cut_start(struct fg_str *s, struct fg_str prefix)
{
	if (!fg_str_starts(*s, prefix))
		return false;
	*s = fg_str_from_pos(*s, prefix.len);
	return true;
}

/* Offset of the first or last `c`, or of `needle`; s.len where there is none. */
static inline size_t fg_str_find_char(struct fg_str s, char c)
{
	const char *hit = s.len ? memchr(s.ptr, c, s.len) : NULL;

	return hit ? (size_t)(hit - s.ptr) : s.len;
}
size_t fg_str_rfind_char(struct fg_str s, char c);
size_t fg_str_find(struct fg_str s, struct fg_str needle);

/* Whether `c`, or `needle`, is anywhere in `s`. */
static inline bool fg_str_has_char(struct fg_str s, char c)
{
	return fg_str_find_char(s, c) < s.len;
}
bool fg_str_has(struct fg_str s, struct fg_str needle);

/* How many bytes at the start, or at the end, are of a class such as fg_is_digit. */
static inline size_t fg_str_span(struct fg_str s, bool (*is)(char c))
{
	size_t n = 0;

	while (n < s.len && is(s.ptr[n]))
		n++;
	return n;
}
static inline size_t fg_str_end_span(struct fg_str s, bool (*is)(char c))
{
	size_t at = s.len;

	while (at && is(s.ptr[at - 1]))
		at--;
	return s.len - at;
}

/* Whether `s` is not empty, and all of it of a class. */
static inline bool fg_str_all(struct fg_str s, bool (*is)(char c))
{
	return s.len && fg_str_span(s, is) == s.len;
}

/* How many spaces are at the start; indentation may be most of a line. */
size_t fg_str_spaces(struct fg_str s);

/* Without white space at the start, at the end, at both. */
static inline struct fg_str fg_str_trim_left(struct fg_str s)
{
	while (s.len >= 8 && !memcmp(s.ptr, "        ", 8))
		s = fg_str_of(s.ptr + 8, s.len - 8);
	return fg_str_from_pos(s, fg_str_span(s, fg_is_space));
}
static inline struct fg_str fg_str_trim_right(struct fg_str s)
{
	return fg_str_before(s, s.len - fg_str_end_span(s, fg_is_space));
}
static inline struct fg_str fg_str_trim(struct fg_str s)
{
	return fg_str_trim_right(fg_str_trim_left(s));
}

/*
 * Cuts `rest` at the first `sep`: returns what is before it and leaves what is
 * after it in `rest`. Without a `sep` returns all, and `rest` is empty.
 */
static inline struct fg_str fg_str_cut(struct fg_str *rest, char sep)
{
	size_t at = fg_str_find_char(*rest, sep);
	struct fg_str head = fg_str_before(*rest, at);

	*rest = fg_str_from_pos(*rest, at < rest->len ? at + 1 : at);
	return head;
}

/* The part after the last '/', or all of it. */
struct fg_str fg_str_basename(struct fg_str path);

/*
 * Reads all of `s` as a decimal number of digits only. Returns 0, or -1 where
 * it is empty, holds another byte or does not fit; *value is then unchanged.
 */
int fg_str_u64(struct fg_str s, uint64_t *value);

/* The same of a hexadecimal number, in digits of either case. */
int fg_str_hex(struct fg_str s, uint64_t *value);

/* The same with "0x" before it. */
int fg_str_0x(struct fg_str s, uint64_t *value);

/* Reads all of `s` as a number such as 12, -0.5 or 1e3; returns 0 or -1. */
int fg_str_double(struct fg_str s, double *value);

#endif
