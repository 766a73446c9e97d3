/* Shortens names: empties brackets and drops qualifiers until they fit. */
#include "lib/profile/shorten.h"

#include <string.h>

#include "lib/base/cxx.h"
#include "lib/base/utf8.h"

#define HASH_DIGITS 16

const char *const fg_shorten_names[] = {
	[FG_SHORTEN_AUTO] = "auto",
	[FG_SHORTEN_NONE] = "none",
	[FG_SHORTEN_CXX] = "cxx",
	[FG_SHORTEN_RUST] = "rust",
	[FG_SHORTEN_GO] = "go",
	[FG_SHORTEN_JAVA] = "java",
	NULL,
};

/*
 * The name that is being shortened. We edit it in place, because it never gets longer.
 */
struct text {
	struct fg_buf *buf;
	size_t room;
};

static bool fits(const struct text *t)
{
	return fg_utf8_columns(fg_buf_str(t->buf)) <= t->room;
}

static bool has_at(struct fg_str s, size_t at, struct fg_str part)
{
	return fg_str_starts(fg_str_from_pos(s, at), part);
}

/* Removes the bytes from `start` up to `end`. */
static void take_out(struct text *t, size_t start, size_t end)
{
	memmove(t->buf->ptr + start, t->buf->ptr + end, t->buf->len - end);
	t->buf->len -= end - start;
}

/*
 * Returns the index after the round or square bracket that opens at `at`, contents
 * included, or 0 if it is never closed.
 */
static size_t after_plain(struct fg_str s, size_t at)
{
	size_t close = fg_cxx_closing(s, at);

	return close < s.len ? close + 1 : 0;
}

/*
 * Like after_plain(), but for '<'. The '>' of an arrow does not close it, nor does a
 * '>' inside other brackets.
 */
static size_t after_angle(struct fg_str s, size_t at)
{
	size_t depth = 0;

	while (at < s.len) {
		char c = s.ptr[at];

		if (c == '(' || c == '[') {
			at = after_plain(s, at);
			if (!at)
				return 0;
			continue;
		}
		depth += c == '<';
		if (c == '>' && s.ptr[at - 1] != '-' && !--depth)
			return at + 1;
		at++;
	}
	return 0;
}

/*
 * Returns the length of "operator" with its sign at `at`, or 0. We need only know the
 * signs that look like brackets, and a '/' after the word belongs to a path. The
 * viewer's names.js does the same.
 */
static size_t operator_length(struct fg_str s, size_t at)
{
	static const struct fg_str signs[] = {
		FG_STR_INIT("()"),  FG_STR_INIT("[]"), FG_STR_INIT("<=>"),
		FG_STR_INIT("<<="), FG_STR_INIT("<<"), FG_STR_INIT("<="),
		FG_STR_INIT("<"),   FG_STR_INIT("->"), FG_STR_INIT(">"),
	};
	size_t end = at + FG_CXX_OPERATOR_LEN;

	if (!fg_cxx_is_operator(s, at))
		return 0;
	for (size_t i = 0; i < FG_COUNT_OF(signs); i++)
		if (has_at(s, end, signs[i]))
			return FG_CXX_OPERATOR_LEN + signs[i].len;
	return FG_CXX_OPERATOR_LEN;
}

/*
 * Returns the index after the bracket that opens at `at`, contents included. Returns 0
 * if no bracket opens there or it is never closed.
 */
static size_t bracket_at(struct fg_str s, size_t at)
{
	if (s.ptr[at] == '<')
		return after_angle(s, at);
	return s.ptr[at] == '(' || s.ptr[at] == '[' ? after_plain(s, at) : 0;
}

/*
 * Returns the index after the unit at `at`: a bracket with its contents, an operator's
 * name, or a single byte.
 */
static size_t after_one(struct fg_str s, size_t at)
{
	size_t end = bracket_at(s, at);

	if (end)
		return end;
	if (s.ptr[at] == '<' || s.ptr[at] == '(' || s.ptr[at] == '[')
		return s.len;
	end = operator_length(s, at);
	return at + (end ? end : 1);
}

/*
 * Removes the contents of the outermost brackets of a kind. Square brackets are also
 * emptied inside the round ones of Go's (*T[...]).
 */
static void empty_brackets(struct text *t, char open)
{
	struct fg_str s = fg_buf_str(t->buf);
	char *to = t->buf->ptr;

	for (size_t at = 0, end; at < s.len; at = end) {
		end = s.ptr[at] == open ? bracket_at(s, at) : 0;
		if (end) {
			*to++ = open;
			*to++ = s.ptr[end - 1];
			continue;
		}
		end = open == '[' && s.ptr[at] != open ? at + 1 : after_one(s, at);
		memmove(to, s.ptr + at, end - at);
		to += end - at;
	}
	t->buf->len = (size_t)(to - t->buf->ptr);
}

/* Drops rustc's "::h0123456789abcdef". */
static void drop_hash(struct text *t)
{
	struct fg_str s = fg_buf_str(t->buf);
	struct fg_str digits = fg_str_from_pos(s, s.len - HASH_DIGITS);

	if (s.len < HASH_DIGITS || fg_str_span(digits, fg_is_lower_hex) < HASH_DIGITS)
		return;
	s.len -= HASH_DIGITS;
	if (fg_str_cut_end(&s, FG_STR("::h")) && s.len)
		t->buf->len = s.len;
}

static void drop_anonymous(struct text *t)
{
	const struct fg_str anonymous = FG_STR("(anonymous namespace)::");
	struct fg_str rest = fg_buf_str(t->buf);
	char *to = t->buf->ptr;

	while (rest.len) {
		size_t at = fg_str_find(rest, anonymous);

		memmove(to, rest.ptr, at);
		to += at;
		rest = fg_str_from_pos(rest, at + anonymous.len);
	}
	t->buf->len = (size_t)(to - t->buf->ptr);
}

/* Turns "<A as B>::f" into A::f. */
static void drop_trait(struct text *t)
{
	struct fg_str s = fg_buf_str(t->buf);
	size_t end = s.len && s.ptr[0] == '<' ? after_angle(s, 0) : 0;
	size_t at = 1;

	if (!end || !has_at(s, end, FG_STR("::")))
		return;
	while (at < end - 1 && !has_at(s, at, FG_STR(" as ")))
		at = after_one(s, at);
	take_out(t, at < end ? at : end - 1, end);
	take_out(t, 0, 1);
}

/* Drops everything before the last space before the arguments. */
static void drop_return_type(struct text *t)
{
	struct fg_str s = fg_buf_str(t->buf);
	size_t name = 0;

	for (size_t at = 0; at < s.len; at = after_one(s, at)) {
		if (operator_length(s, at))
			return;
		if (s.ptr[at] == ' ')
			name = at + 1;
		if (s.ptr[at] != '(')
			continue;
		if (name < at)
			take_out(t, 0, name);
		return;
	}
}

/*
 * Returns the length of the run of equal bytes at `at`, or 0 if the byte is not one of
 * `bytes`.
 */
static size_t run_at(struct fg_str s, size_t at, const char *bytes)
{
	size_t end = at;

	if (s.ptr[at] && strchr(bytes, s.ptr[at]))
		while (end < s.len && s.ptr[end] == s.ptr[at])
			end++;
	return end - at;
}

/*
 * Returns true if the part at `at` means nothing without the part before it: template
 * arguments, and Go's func1.
 */
static bool belongs_before(struct fg_str s, size_t at)
{
	struct fg_str closure = FG_STR("func");

	if (s.ptr[at] == '<')
		return true;
	return has_at(s, at, closure) && at + closure.len < s.len &&
	       fg_is_digit(s.ptr[at + closure.len]);
}

/*
 * Drops qualifiers from the left until the rest fits. Keeps the function's own name:
 * everything after the last separator, or from "operator" on. A single colon is not a
 * separator.
 */
static struct fg_str drop_qualifiers(const struct text *t, const char *separators)
{
	struct fg_str s = fg_buf_str(t->buf);
	size_t columns = fg_utf8_columns(s), start = 0, at = 0;

	while (at < s.len && columns > t->room &&
	       !(at == start && operator_length(s, at))) {
		size_t run = run_at(s, at, separators);

		at = run ? at + run : after_one(s, at);
		if (!run || at == s.len || belongs_before(s, at) ||
		    (run == 1 && s.ptr[at - 1] == ':'))
			continue;
		columns -= fg_utf8_columns(fg_str_of(s.ptr + start, at - start));
		start = at;
	}
	return fg_str_from_pos(s, start);
}

static struct fg_str shorten_scoped(struct text *t)
{
	drop_hash(t);
	drop_anonymous(t);
	if (fits(t))
		return fg_buf_str(t->buf);
	drop_trait(t);
	empty_brackets(t, '<');
	if (fits(t))
		return fg_buf_str(t->buf);
	empty_brackets(t, '(');
	if (fits(t))
		return fg_buf_str(t->buf);
	drop_return_type(t);
	return drop_qualifiers(t, ":");
}

/*
 * Shortens a name of Go. Drops the whole path at once: example.com/a/b.f becomes b.f.
 */
static struct fg_str shorten_go(struct text *t)
{
	struct fg_str s;
	size_t path = 0;

	empty_brackets(t, '[');
	if (fits(t))
		return fg_buf_str(t->buf);
	s = fg_buf_str(t->buf);
	for (size_t at = 0; at < s.len; at = after_one(s, at))
		if (s.ptr[at] == '/' && at + 1 < s.len)
			path = at + 1;
	take_out(t, 0, path);
	return drop_qualifiers(t, ".");
}

/* Returns the index of the first byte that is one of `bytes`, or the length of `s`. */
static size_t find_any(struct fg_str s, const char *bytes)
{
	size_t at = 0;

	while (at < s.len && (!s.ptr[at] || !strchr(bytes, s.ptr[at])))
		at++;
	return at;
}

/* Returns true for com.example.Class.method, false for a compiler's function.part.0. */
static bool is_dotted(struct fg_str name)
{
	static const char *const compilers[] = { "cold", "constprop", "isra",
						 "llvm", "lto_priv",  "part" };
	struct fg_str rest = name, part = name;
	bool upper = false;

	if (!fg_str_has_char(name, '.'))
		return false;
	while (rest.len) {
		part = fg_str_cut(&rest, '.');
		upper = upper || (part.len && part.ptr[0] >= 'A' && part.ptr[0] <= 'Z');
		for (size_t i = 0; i < FG_COUNT_OF(compilers); i++)
			if (fg_str_eq(part, fg_str_from(compilers[i])))
				return false;
	}
	return upper && !(part.len && fg_is_digit(part.ptr[0]));
}

static bool is_java_word(char c)
{
	return fg_is_word(c) || c == '$' || c == '.';
}

/*
 * Returns the length of the type in "long com.example.Class.method(int)", with its
 * space, or 0. The JVM writes such names into its map for perf.
 */
static size_t java_type_length(struct fg_str name)
{
	static const char *const primitive[] = { "void", "boolean", "byte",
						 "char", "short",   "int",
						 "long", "float",   "double" };
	size_t end = fg_str_span(name, is_java_word);
	struct fg_str type = fg_str_before(name, end);
	bool is_type = fg_str_has_char(type, '.');

	for (size_t i = 0; i < FG_COUNT_OF(primitive); i++)
		is_type |= fg_str_eq(type, fg_str_from(primitive[i]));
	while (has_at(name, end, FG_STR("[]")))
		end += 2;
	if (!is_type || !has_at(name, end, FG_STR(" ")))
		return 0;
	name = fg_str_from_pos(name, end + 1);
	return is_dotted(fg_str_before(name, find_any(name, "( "))) ? end + 1 : 0;
}

static struct fg_str shorten_java(struct text *t)
{
	take_out(t, 0, java_type_length(fg_buf_str(t->buf)));
	empty_brackets(t, '(');
	return drop_qualifiers(t, "./:");
}

/*
 * Returns true for example.com/package.function, false for the path of a file like
 * a/b.py.
 */
static bool is_go_path(struct fg_str head)
{
	struct fg_str base = fg_str_basename(head);
	size_t dot = fg_str_rfind_char(base, '.');

	if (head.ptr[0] == '/' || head.ptr[0] == '.' || dot == base.len)
		return false;
	return base.len - dot == 1 || base.len - dot > 3;
}

static enum fg_shorten language_of(struct fg_str name)
{
	size_t scope = fg_str_find(name, FG_STR("::"));
	size_t bracket = find_any(name, "(<[ ");
	struct fg_str head = fg_str_before(name, bracket);
	size_t slash = fg_str_find_char(head, '/');

	if (scope < name.len)
		return slash < scope && scope < bracket ? FG_SHORTEN_JAVA :
							  FG_SHORTEN_CXX;
	if (java_type_length(name))
		return FG_SHORTEN_JAVA;
	if (!head.len || has_at(name, bracket, FG_STR(" ")))
		return FG_SHORTEN_NONE;
	if (slash < head.len)
		return is_go_path(head) ? FG_SHORTEN_GO : FG_SHORTEN_NONE;
	if (has_at(name, bracket, FG_STR("(*")) ||
	    (has_at(name, bracket, FG_STR("[")) && fg_str_has(head, FG_STR("."))))
		return FG_SHORTEN_GO;
	if (is_dotted(head))
		return FG_SHORTEN_JAVA;
	return bracket < name.len && fg_is_word(head.ptr[head.len - 1]) ?
		       FG_SHORTEN_CXX :
		       FG_SHORTEN_NONE;
}

/*
 * Returns the index of "@libc.so.6" at the end of a name, or name.len if there is none.
 */
static size_t find_library(struct fg_str name)
{
	size_t at = fg_str_rfind_char(name, '@');
	struct fg_str library = fg_str_from_pos(name, at + 1);

	return at && library.len && !fg_str_has_char(library, '/') ? at : name.len;
}

/*
 * Returns the index of ":app.c:44" at the end of a name, or name.len if there is none.
 */
static size_t find_source_line(struct fg_str name)
{
	size_t digits = fg_str_end_span(name, fg_is_digit);
	struct fg_str file = fg_str_before(name, name.len - digits);
	size_t at, end;

	if (!digits || !fg_str_cut_end(&file, FG_STR(":")))
		return name.len;
	at = fg_str_rfind_char(file, ':');
	if (!at || at == file.len)
		return name.len;
	file = fg_str_from_pos(file, at + 1);
	end = fg_str_end_span(file, fg_is_word);
	if (!end || end == file.len || file.ptr[file.len - end - 1] != '.' ||
	    !fg_is_alpha(file.ptr[file.len - end]) || fg_str_has_char(file, ' '))
		return name.len;
	return at;
}

/*
 * Returns a name without its library and source line, such as
 * "@libc.so.6:/src/malloc.c:44".
 */
static struct fg_str bare(struct fg_str name)
{
	size_t library = find_library(name), line = find_source_line(name);
	struct fg_str before = fg_str_before(name, line);
	size_t both = find_library(before);

	if (library < line)
		return fg_str_before(name, library);
	return fg_str_has_char(fg_str_from_pos(before, both), ':') ?
		       before :
		       fg_str_before(before, both);
}

static struct fg_str shortened(struct text *t, struct fg_str name, enum fg_shorten how)
{
	if (how != FG_SHORTEN_NONE)
		name = bare(name);
	if (how == FG_SHORTEN_AUTO)
		how = language_of(name);
	if (how == FG_SHORTEN_NONE)
		return name;
	fg_buf_clear(t->buf);
	fg_buf_add_str(t->buf, name);
	switch (how) {
	case FG_SHORTEN_GO:
		return shorten_go(t);
	case FG_SHORTEN_JAVA:
		return shorten_java(t);
	default:
		return shorten_scoped(t);
	}
}

struct fg_label fg_shorten(struct fg_str name, size_t room, enum fg_shorten how,
			   struct fg_buf *work)
{
	struct text t = { work, room };
	struct fg_str text;

	if (name.len <= room || fg_utf8_columns(name) <= room)
		return (struct fg_label){ name, false };
	text = shortened(&t, name, how);
	if (fg_utf8_columns(text) <= room)
		return (struct fg_label){ text, false };
	return (struct fg_label){ fg_utf8_fitting(text, room - 2), true };
}
