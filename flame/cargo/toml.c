/* Reads TOML, as far as cargo's configuration files need it. */
#include "flame/cargo/toml.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"

struct fg_toml_open {
	char closing; /* ']' for an array, '}' for a table */
	size_t key_count; /* number of keys of the array or table itself */
};

void fg_toml_init(struct fg_toml *t, struct fg_str document)
{
	memset(t, 0, sizeof(*t));
	t->rest = fg_utf8_skip_mark(document);
}

void fg_toml_release(struct fg_toml *t)
{
	free(t->keys);
	free(t->open);
	fg_arena_release(&t->decoded);
	fg_buf_release(&t->scratch);
	memset(t, 0, sizeof(*t));
}

/* ---- bytes */

static bool is_next(const struct fg_toml *t, char c)
{
	return t->rest.len && t->rest.ptr[0] == c;
}

static void skip(struct fg_toml *t, size_t count)
{
	t->rest = fg_str_from_pos(t->rest, count);
}

/* Skips the byte `c`, and returns false if it is not the next one. */
static bool take(struct fg_toml *t, char c)
{
	if (!is_next(t, c))
		return false;
	skip(t, 1);
	return true;
}

static void skip_blanks(struct fg_toml *t)
{
	skip(t, fg_str_span(t->rest, fg_is_blank));
}

/* Skips blanks, comments and the ends of lines. */
static void skip_space(struct fg_toml *t)
{
	for (;;) {
		skip(t, fg_str_span(t->rest, fg_is_space));
		if (!is_next(t, '#'))
			return;
		skip(t, fg_str_find_char(t->rest, '\n'));
	}
}

static bool fail(struct fg_toml *t)
{
	t->malformed = true;
	t->rest = FG_STR("");
	return false;
}

/* ---- strings */

/* Decodes the digits of \xHH, \uHHHH or \UHHHHHHHH, which are next. */
static bool decode_digits(struct fg_toml *t, size_t count)
{
	uint64_t code;

	if (t->rest.len < count || fg_str_hex(fg_str_before(t->rest, count), &code) ||
	    code > 0x10ffff)
		return false;
	skip(t, count);
	fg_utf8_add(&t->scratch, (uint32_t)code);
	return true;
}

/* Decodes an escape. Its backslash has been read. */
static bool decode_escape(struct fg_toml *t)
{
	static const char letters[] = "\"\\bfnrte", bytes[] = "\"\\\b\f\n\r\t\033";
	char c = t->rest.len ? t->rest.ptr[0] : '\0';
	const char *found = c ? strchr(letters, c) : NULL;

	if (fg_is_space(c)) { /* joins lines of a multi-line string */
		skip(t, fg_str_span(t->rest, fg_is_space));
		return true;
	}
	skip(t, 1);
	if (found)
		fg_buf_add_char(&t->scratch, bytes[found - letters]);
	return found || (c == 'x' && decode_digits(t, 2)) ||
	       (c == 'u' && decode_digits(t, 4)) || (c == 'U' && decode_digits(t, 8));
}

/*
 * Returns true at the end of a string, and skips it. Up to two quotation marks before
 * the three that end a multi-line string belong to the string.
 */
static bool take_end(struct fg_toml *t, struct fg_str end)
{
	if (!fg_str_starts(t->rest, end))
		return false;
	while (end.len > 1 && t->rest.len > end.len &&
	       t->rest.ptr[end.len] == end.ptr[0]) {
		fg_buf_add_char(&t->scratch, end.ptr[0]);
		skip(t, 1);
	}
	skip(t, end.len);
	return true;
}

/* Reads a string, which is next, in any of its four forms. */
static bool read_string(struct fg_toml *t, struct fg_str *text)
{
	struct fg_str quotes = fg_str_before(t->rest, 3);
	bool has_escapes = is_next(t, '"');

	if (!fg_str_eq(quotes, FG_STR("\"\"\"")) && !fg_str_eq(quotes, FG_STR("'''")))
		quotes.len = 1;
	skip(t, quotes.len);
	if (quotes.len > 1) {
		take(t, '\r');
		take(t, '\n');
	}
	fg_buf_clear(&t->scratch);
	while (!take_end(t, quotes)) {
		if (!t->rest.len || (quotes.len == 1 && is_next(t, '\n')))
			return fail(t);
		if (has_escapes && take(t, '\\')) {
			if (!decode_escape(t))
				return fail(t);
			continue;
		}
		fg_buf_add_char(&t->scratch, t->rest.ptr[0]);
		skip(t, 1);
	}
	*text = fg_arena_copy(&t->decoded, fg_buf_str(&t->scratch));
	return true;
}

/* ---- keys */

static bool is_bare(char c)
{
	return fg_is_word(c) || c == '-';
}

/* Reads keys with dots between them, and appends them to the first `count` keys. */
static bool read_keys(struct fg_toml *t, size_t count)
{
	t->key_count = count;
	do {
		struct fg_str key;

		skip_blanks(t);
		if (is_next(t, '"') || is_next(t, '\'')) {
			if (!read_string(t, &key))
				return false;
		} else {
			key = fg_str_before(t->rest, fg_str_span(t->rest, is_bare));
			if (!key.len)
				return fail(t);
			skip(t, key.len);
		}
		FG_GROW(t->keys, t->keys_alloc, t->key_count + 1);
		t->keys[t->key_count++] = key;
		skip_blanks(t);
	} while (take(t, '.'));
	return true;
}

/* Reads the keys of a value, and the "=" after them. */
static bool read_assignment(struct fg_toml *t, size_t count)
{
	if (!read_keys(t, count))
		return false;
	if (!take(t, '='))
		return fail(t);
	skip_blanks(t);
	return true;
}

/* Reads a header, "[a.b]" or "[[a.b]]". */
static bool read_header(struct fg_toml *t)
{
	bool is_double;

	skip(t, 1);
	is_double = take(t, '[');
	if (!read_keys(t, 0))
		return false;
	t->header_count = t->key_count;
	return (take(t, ']') && (!is_double || take(t, ']'))) || fail(t);
}

/* ---- values */

static void open_bracket(struct fg_toml *t, char closing)
{
	FG_GROW(t->open, t->open_alloc, t->open_count + 1);
	t->open[t->open_count++] = (struct fg_toml_open){ closing, t->key_count };
	skip(t, 1);
}

static bool ends_scalar(char c)
{
	return fg_is_space(c) || c == ',' || c == ']' || c == '}' || c == '#';
}

/* Reads a value, or the start of an array. */
static bool read_value(struct fg_toml *t)
{
	size_t len = 0;

	t->is_string = is_next(t, '"') || is_next(t, '\'');
	t->text = FG_STR("");
	if (t->is_string)
		return read_string(t, &t->text);
	if (is_next(t, '[')) {
		open_bracket(t, ']');
		return true;
	}
	while (len < t->rest.len && !ends_scalar(t->rest.ptr[len]))
		len++;
	skip(t, len);
	return len || fail(t);
}

/*
 * Reads on to the next value. Returns false if there is none, because a bracket closes
 * or a header comes first.
 */
static bool find_value(struct fg_toml *t)
{
	const struct fg_toml_open *inner = NULL;

	if (t->open_count)
		inner = &t->open[t->open_count - 1];
	if (!inner)
		return is_next(t, '[') ? read_header(t) && false :
					 read_assignment(t, t->header_count);
	t->key_count = inner->key_count;
	take(t, ',');
	skip_space(t);
	if (take(t, inner->closing)) {
		t->open_count--;
		return false;
	}
	return inner->closing == ']' || read_assignment(t, inner->key_count);
}

bool fg_toml_next(struct fg_toml *t)
{
	for (;;) {
		skip_space(t);
		if (!t->rest.len) {
			t->malformed |= t->open_count > 0;
			return false;
		}
		if (!find_value(t))
			continue;
		if (!is_next(t, '{'))
			return read_value(t);
		open_bracket(t, '}');
	}
}
