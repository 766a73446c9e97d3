/*
 * Borrowed byte strings: a pointer and a length into memory that somebody else owns.
 *
 * We read input as bytes: it may have NUL in it and need not be UTF-8. Everything here
 * compares bytes as unsigned, knows only ASCII and ignores the locale. Pass a struct
 * fg_str by value. It is valid as long as the memory that it points into, so it costs
 * nothing to cut a line into parts:
 *
 *     struct fg_str key = fg_str_cut(&line, ':');    line is now the part after it
 *     struct fg_str value = fg_str_trim(line);
 *
 * Use struct fg_buf (buf.h) to build text, and fg_arena_copy() (arena.h) to keep it.
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

/* Makes a struct fg_str of a string literal; FG_STR_INIT is for static initialisers. */
#define FG_STR_INIT(literal)                   \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}
#define FG_STR(literal) ((struct fg_str)FG_STR_INIT(literal))

/* Returns the number of elements of an array. */
#define FG_COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static inline struct fg_str fg_str_of(const char *ptr, size_t len)
{
	struct fg_str s = { ptr, len };
	return s;
}

/* Returns the bytes of a C string, or an empty string for NULL. */
struct fg_str fg_str_from(const char *cstr);

/* Classes of one ASCII byte. A blank is a space or a tab. */
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
/* Returns true for white space in the C locale: space, \t, \n, \v, \f, \r. */
static inline bool fg_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool fg_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
/* Returns the value of a hexadecimal digit of either case, or 16 for any other byte. */
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
/* Returns true for a letter, a digit or '_'. */
static inline bool fg_is_word(char c)
{
	return fg_is_alpha(c) || fg_is_digit(c) || c == '_';
}

static inline bool fg_str_eq(struct fg_str a, struct fg_str b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/*
 * Compares like memcmp(). A string comes before longer ones that start with it. Returns
 * < 0, 0 or > 0. fg_str_eq() is faster if you need no order.
 */
int fg_str_cmp(struct fg_str a, struct fg_str b);

/*
 * Returns the eight bytes from `at` on as a number, with zeros beyond the end. Such
 * numbers sort like the bytes.
 */
uint64_t fg_str_number_at(struct fg_str s, size_t at);

/* Returns the length of the prefix that `a` and `b` have in common. */
size_t fg_str_common(struct fg_str a, struct fg_str b);

/*
 * Return the part from `start` on, or the part before `end`. An offset beyond the end
 * counts as the end.
 */
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
/* Returns true if `s` starts with one of `count` prefixes. */
static inline bool fg_str_starts_any(struct fg_str s, const struct fg_str *prefixes,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fg_str_starts(s, prefixes[i]))
			return true;
	return false;
}

/* Returns true if `s` is `head`, or starts with `head` followed by `sep`. */
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

/* Cuts `suffix` off the end of `s`. Returns false if `s` does not end in it. */
static inline bool fg_str_cut_end(struct fg_str *s, struct fg_str suffix)
{
	if (!fg_str_ends(*s, suffix))
		return false;
	s->len -= suffix.len;
	return true;
}

/* Cuts `prefix` off the start of `s`. Returns false if `s` does not start with it. */
static inline bool fg_str_cut_start(struct fg_str *s, struct fg_str prefix)
{
	if (!fg_str_starts(*s, prefix))
		return false;
	*s = fg_str_from_pos(*s, prefix.len);
	return true;
}

/* Return the offset of the first `c`, the last `c` or `needle`; s.len if not found. */
static inline size_t fg_str_find_char(struct fg_str s, char c)
{
	const char *hit = s.len ? memchr(s.ptr, c, s.len) : NULL;

	return hit ? (size_t)(hit - s.ptr) : s.len;
}
size_t fg_str_rfind_char(struct fg_str s, char c);
size_t fg_str_find(struct fg_str s, struct fg_str needle);

/* Return true if `c`, or `needle`, is anywhere in `s`. */
static inline bool fg_str_has_char(struct fg_str s, char c)
{
	return fg_str_find_char(s, c) < s.len;
}
bool fg_str_has(struct fg_str s, struct fg_str needle);

/*
 * Return how many bytes at the start, or at the end, are of a class like fg_is_digit.
 */
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

/* Returns true if `s` is not empty and all of its bytes are of a class. */
static inline bool fg_str_all(struct fg_str s, bool (*is)(char c))
{
	return s.len && fg_str_span(s, is) == s.len;
}

/* Returns the number of spaces at the start. Fast, for lines that are mostly indent. */
size_t fg_str_spaces(struct fg_str s);

/* Return `s` without the white space at its start, its end, or both. */
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
 * Cuts `rest` at the first `sep`: returns the part before it and leaves the part after
 * it in `rest`. Without a `sep` it returns all, and `rest` becomes empty.
 */
static inline struct fg_str fg_str_cut(struct fg_str *rest, char sep)
{
	size_t at = fg_str_find_char(*rest, sep);
	struct fg_str head = fg_str_before(*rest, at);

	*rest = fg_str_from_pos(*rest, at < rest->len ? at + 1 : at);
	return head;
}

/* Returns the part after the last '/', or all if there is none. */
struct fg_str fg_str_basename(struct fg_str path);

/*
 * Reads all of `s` as a decimal number of digits only. Returns 0, or -1 if it is empty,
 * has another byte in it or does not fit; *value is then unchanged.
 */
int fg_str_u64(struct fg_str s, uint64_t *value);

/* Like fg_str_u64(), for a hexadecimal number of digits of either case. */
int fg_str_hex(struct fg_str s, uint64_t *value);

/* Like fg_str_hex(), with "0x" before the digits. */
int fg_str_0x(struct fg_str s, uint64_t *value);

/*
 * Reads all of `s` as a number such as 12, -0.5 or 1e3. Returns 0, or -1 if it is not
 * one.
 */
int fg_str_double(struct fg_str s, double *value);

#endif
