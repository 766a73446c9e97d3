/*
 * Cuts parameters, return types, hashes, offsets and versions off names of functions.
 */
#include "collapse/names.h"

#include "lib/base/cxx.h"
#include "lib/base/utf8.h"

/* ---- declarations of C++ */

/*
 * Returns the length of the symbol at the start of `s`, which follows the word
 * `operator`: 2 for "<<".
 */
static size_t sign_length(struct fg_str s)
{
	static const struct fg_str fixed[] = {
		FG_STR_INIT("()"),  FG_STR_INIT("->*"), FG_STR_INIT("->"),
		FG_STR_INIT("<=>"), FG_STR_INIT("<<="), FG_STR_INIT(">>="),
		FG_STR_INIT("<<"),  FG_STR_INIT(">>"),	FG_STR_INIT("<="),
		FG_STR_INIT(">="),  FG_STR_INIT("<"),	FG_STR_INIT(">"),
		FG_STR_INIT("[]"),
	};
	size_t n = 0;

	for (size_t i = 0; i < FG_COUNT_OF(fixed); i++)
		if (fg_str_starts(s, fixed[i]))
			return fixed[i].len;
	while (n < s.len && fg_str_has_char(FG_STR("-+*/%^&|~!=,"), s.ptr[n]))
		n++;
	return n;
}

/*
 * Returns the length of the word `operator` with its symbol, like "operator<<", at
 * `at`. Returns 0 if the word is not there.
 */
static size_t operator_length(struct fg_str s, size_t at)
{
	if (s.ptr[at] != 'o' || !fg_cxx_is_operator(s, at))
		return 0;
	return FG_CXX_OPERATOR_LEN +
	       sign_length(fg_str_from_pos(s, at + FG_CXX_OPERATOR_LEN));
}

static bool follows_keyword(struct fg_str before)
{
	static const struct fg_str keywords[] = {
		FG_STR_INIT("decltype"),
		FG_STR_INIT("noexcept"),
		FG_STR_INIT("sizeof"),
		FG_STR_INIT("alignof"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(keywords); i++) {
		size_t start = before.len - keywords[i].len;

		if (fg_str_ends(before, keywords[i]) &&
		    (!start || !fg_is_word(before.ptr[start - 1])))
			return true;
	}
	return false;
}

/*
 * Returns `s` without the qualifiers of a parameter list at its start, such as " const"
 * or " &&".
 */
static struct fg_str skip_qualifiers(struct fg_str s)
{
	static const struct fg_str qualifiers[] = {
		FG_STR_INIT(" const"), FG_STR_INIT(" volatile"), FG_STR_INIT(" &&"),
		FG_STR_INIT(" &"),     FG_STR_INIT("&&"),	 FG_STR_INIT("&"),
	};
	size_t i = 0;

	while (i < FG_COUNT_OF(qualifiers)) {
		if (fg_str_starts(s, qualifiers[i])) {
			s = fg_str_from_pos(s, qualifiers[i].len);
			i = 0;
		} else {
			i++;
		}
	}
	return s;
}

/*
 * Returns true if the parentheses at `open` and `close`, which are in no other
 * brackets, are part of the name and not the parameter list.
 */
static bool is_part_of_name(struct fg_str s, size_t open, size_t close)
{
	struct fg_str after = fg_str_from_pos(s, close + 1);

	if (close == s.len)
		return false;
	return !open || s.ptr[open - 1] == ' ' || s.ptr[open - 1] == '.' ||
	       fg_str_starts(skip_qualifiers(after), FG_STR("::")) ||
	       fg_str_starts(after, FG_STR(".")) ||
	       follows_keyword(fg_str_before(s, open));
}

/*
 * Closes the innermost open bracket `partner`. Every '<' opened after it was an
 * operator and not a bracket.
 */
static void close_bracket(struct fg_buf *open, char partner)
{
	while (open->len && partner != '<' && open->ptr[open->len - 1] == '<')
		open->len--;
	if (open->len && open->ptr[open->len - 1] == partner)
		open->len--;
}

static void note_bracket(struct fg_buf *open, struct fg_str s, size_t at)
{
	switch (s.ptr[at]) {
	case '<':
	case '[':
	case '{':
	case '(':
		fg_buf_add_char(open, s.ptr[at]);
		break;
	case '>':
		if (!at || s.ptr[at - 1] != '-')
			close_bracket(open, '<');
		break;
	case ')':
		close_bracket(open, '(');
		break;
	case ']':
		close_bracket(open, '[');
		break;
	case '}':
		close_bracket(open, '{');
		break;
	default:
		break;
	}
}

/*
 * Returns the length of the qualifiers between a parameter list and the "::" before a
 * name inside that function: 6 for " const::{lambda()#1}". Returns 0 if no "::"
 * follows.
 */
static size_t qualifiers_length(struct fg_str after)
{
	struct fg_str rest = skip_qualifiers(after);

	return fg_str_starts(rest, FG_STR("::")) ? after.len - rest.len : 0;
}

/*
 * Returns the position of the declared name in the parentheses from `open` to `close`,
 * if they are a declarator: "(*f<int>(char))", "(&f<int>())", "(C::*f<int>(C*))".
 * Returns 0 if they are not. Only a space may be before them.
 */
static size_t declarator_start(struct fg_str s, size_t open, size_t close)
{
	static const struct fg_str between[] = {
		FG_STR_INIT("*"),      FG_STR_INIT("&"),	 FG_STR_INIT(" "),
		FG_STR_INIT("const "), FG_STR_INIT("volatile "),
	};
	struct fg_str before = fg_str_before(s, open ? open - 1 : 0);
	struct fg_str group = fg_str_before(s, close), rest;
	size_t star = open + 1;

	if ((open && s.ptr[open - 1] != ' ') || close == s.len ||
	    follows_keyword(before))
		return 0;
	while (star < close && s.ptr[star] != '*' && s.ptr[star] != '&')
		star++;
	if (star == close ||
	    (star > open + 1 && !fg_str_ends(fg_str_before(s, star), FG_STR("::"))))
		return 0;
	rest = fg_str_from_pos(group, star);
	for (size_t i = 0; i < FG_COUNT_OF(between);)
		i = fg_str_cut_start(&rest, between[i]) ? 0 : i + 1;
	return group.len - rest.len;
}

/* The parts of a declaration, as positions in it. */
struct declaration {
	size_t name; /* start of the name, after the return type */
	/* start of the parameter list, which is the end of the name */
	size_t parameters;
	size_t inner, inner_end; /* the name inside a declarator; 0 without one */
	bool is_operator;
};

static struct declaration read_declaration(struct fg_str s)
{
	struct declaration d = { 0, s.len, 0, 0, false };
	struct fg_buf open = FG_BUF_INIT; /* the brackets that are open */
	size_t at = 0;

	while (at < s.len) {
		size_t skip = operator_length(s, at);

		if (skip) {
			d.is_operator |= !open.len;
		} else if (s.ptr[at] == '(' && !open.len) {
			size_t close = fg_cxx_closing(s, at);

			if (!is_part_of_name(s, at, close)) {
				/* so that the name is never empty */
				d.parameters = at ? at : s.len;
				break;
			}
			if (!d.inner && !d.is_operator) {
				d.inner = declarator_start(s, at, close);
				d.inner_end = close;
			}
			skip = close + 1 - at;
			skip += qualifiers_length(fg_str_from_pos(s, at + skip));
		} else {
			if (s.ptr[at] == ' ' && !open.len && !d.is_operator)
				d.name = at + 1;
			note_bracket(&open, s, at);
			skip = 1;
		}
		at += skip;
	}
	fg_buf_release(&open);
	return d;
}

size_t fg_name_length(struct fg_str s)
{
	return fg_str_has_char(s, '(') ? read_declaration(s).parameters : s.len;
}

/*
 * Returns true if the text before a name is a description, like in "vtable for x<int>"
 * and "virtual thunk to x<int>", and not a return type.
 */
static bool is_description(struct fg_str before)
{
	static const struct fg_str words[] = {
		FG_STR_INIT(" for "),
		FG_STR_INIT(" to "),
		FG_STR_INIT(" in "),
		FG_STR_INIT(" of "),
	};

	for (size_t i = 0; i < FG_COUNT_OF(words); i++)
		if (fg_str_ends(before, words[i]))
			return true;
	return false;
}

/*
 * Returns true for a template. The symbols of templates have a return type, those of
 * other functions do not.
 */
static bool is_template(struct fg_str name, bool is_operator)
{
	return name.len && name.ptr[0] != '<' &&
	       (is_operator || name.ptr[name.len - 1] == '>');
}

/*
 * We follow at most this many declarators, which are nested in functions that return
 * functions.
 */
#define DECLARATORS_MAX 8

struct fg_str fg_name_of_declaration(struct fg_str s)
{
	struct fg_str inner, name;
	struct declaration d;
	size_t len;

	s = fg_str_before(s, fg_str_find(s, FG_STR(" [clone ")));
	if (!fg_str_has_char(s, ' '))
		return fg_str_before(s, fg_name_length(s));
	d = read_declaration(s);
	len = d.parameters;
	inner = s;
	for (unsigned i = 0; d.inner && i < DECLARATORS_MAX; i++) {
		inner = fg_str_of(inner.ptr + d.inner, d.inner_end - d.inner);
		d = read_declaration(inner);
	}
	name = fg_str_of(inner.ptr + d.name, d.parameters - d.name);
	if (is_template(name, d.is_operator) &&
	    !is_description(fg_str_before(inner, d.name)))
		return name;
	return fg_str_before(s, len);
}

/* ---- Rust */

/*
 * rustc's legacy mangling (compiler/rustc_symbol_mangling/src/legacy.rs) is that of
 * C++, with a hash as the last part of the name, and with codes such as "$LT$" for
 * characters that C++ does not allow in names. Versions of perf that do not know Rust
 * print both.
 */

#define HASH_DIGITS 16

/* Cuts off ".llvm.1234" or " (.llvm.1234)", which LTO adds to tell copies apart. */
static struct fg_str cut_llvm(struct fg_str s)
{
	struct fg_str rest = s;

	fg_str_cut_end(&rest, FG_STR(")"));
	rest = fg_str_before(rest, rest.len - fg_str_end_span(rest, fg_is_hex));
	if (!fg_str_cut_end(&rest, FG_STR(".llvm.")))
		return s;
	fg_str_cut_end(&rest, FG_STR("("));
	return fg_str_trim_right(rest);
}

/* Cuts off "::h0123456789abcdef". Returns false if `s` does not end in that. */
static bool cut_hash(struct fg_str *s)
{
	struct fg_str rest = cut_llvm(*s);

	if (rest.len <= HASH_DIGITS ||
	    fg_str_end_span(rest, fg_is_lower_hex) < HASH_DIGITS)
		return false;
	rest.len -= HASH_DIGITS;
	if (!fg_str_cut_end(&rest, FG_STR("::h")) || !rest.len)
		return false;
	*s = rest;
	return true;
}

bool fg_name_is_rust(struct fg_str symbol)
{
	return cut_hash(&symbol);
}

static const struct {
	struct fg_str code;
	char means;
} escapes[] = {
	{ FG_STR_INIT("SP"), '@' }, { FG_STR_INIT("BP"), '*' },
	{ FG_STR_INIT("RF"), '&' }, { FG_STR_INIT("LT"), '<' },
	{ FG_STR_INIT("GT"), '>' }, { FG_STR_INIT("LP"), '(' },
	{ FG_STR_INIT("RP"), ')' }, { FG_STR_INIT("C"), ',' },
};

/*
 * Appends the character of a code like "u7b", with up to four hexadecimal digits.
 * Returns false for a character that no name can have.
 */
static bool add_unicode(struct fg_buf *b, struct fg_str code)
{
	uint64_t c;

	if (code.len < 2 || code.len > 5 || code.ptr[0] != 'u' ||
	    fg_str_hex(fg_str_from_pos(code, 1), &c) || c < 0x20 ||
	    (c >= 0x7f && c < 0xa0) || (c >= 0xd800 && c < 0xe000))
		return false;
	fg_utf8_add(b, (uint32_t)c);
	return true;
}

static bool add_escape(struct fg_buf *b, struct fg_str code)
{
	for (size_t i = 0; i < FG_COUNT_OF(escapes); i++)
		if (fg_str_eq(code, escapes[i].code)) {
			fg_buf_add_char(b, escapes[i].means);
			return true;
		}
	return add_unicode(b, code);
}

void fg_add_rust_name(struct fg_buf *b, struct fg_str symbol)
{
	cut_hash(&symbol);
	if (fg_str_starts(symbol, FG_STR("_$")))
		symbol = fg_str_from_pos(symbol, 1);
	while (symbol.len) {
		struct fg_str rest = fg_str_from_pos(symbol, 1);
		size_t end = fg_str_find_char(fg_str_before(rest, 6), '$');

		if (fg_str_starts(symbol, FG_STR(".."))) {
			fg_buf_add_str(b, FG_STR("::"));
			symbol = fg_str_from_pos(rest, 1);
		} else if (symbol.ptr[0] == '$' && end < rest.len &&
			   rest.ptr[end] == '$' &&
			   add_escape(b, fg_str_before(rest, end))) {
			symbol = fg_str_from_pos(rest, end + 1);
		} else {
			fg_buf_add_char(b, symbol.ptr[0]);
			symbol = rest;
		}
	}
}

void fg_add_name(struct fg_buf *b, struct fg_str symbol)
{
	if (fg_name_is_rust(symbol))
		fg_add_rust_name(b, symbol);
	else
		fg_buf_add_str(b, fg_str_before(symbol, fg_name_length(symbol)));
}

/* ---- offsets and versions */

/*
 * Returns `s` without `start` and the hexadecimal digits after it, if it ends in both.
 */
static struct fg_str cut_number(struct fg_str s, struct fg_str start)
{
	struct fg_str rest = s;

	rest.len -= fg_str_end_span(s, fg_is_hex);
	return rest.len < s.len && fg_str_cut_end(&rest, start) ? rest : s;
}

struct fg_str fg_name_cut_offset(struct fg_str symbol)
{
	struct fg_str offset_last = cut_number(symbol, FG_STR("/0x"));
	struct fg_str name = cut_number(offset_last, FG_STR("+0x"));

	return name.len < offset_last.len ? name : symbol;
}

static bool is_of_version(char c)
{
	return fg_is_digit(c) || c == '.';
}

/* Returns true for "GLIBC_2.34", "OPENSSL_3.0.0" and "Qt_5". */
static bool is_version(struct fg_str s)
{
	struct fg_str word = s;

	word.len -= fg_str_end_span(s, is_of_version);
	return word.len < s.len && word.len > 1 && fg_str_ends(word, FG_STR("_")) &&
	       word.ptr[0] >= 'A' && word.ptr[0] <= 'Z' && fg_str_all(word, fg_is_word);
}

struct fg_str fg_name_cut_version(struct fg_str symbol)
{
	size_t at = fg_str_rfind_char(symbol, '@');
	struct fg_str name = fg_str_before(symbol, at);

	fg_str_cut_end(&name, FG_STR("@"));
	return name.len && is_version(fg_str_from_pos(symbol, at + 1)) ? name : symbol;
}

void fg_add_java_path(struct fg_buf *b, struct fg_str class, struct fg_str file)
{
	size_t start = b->len, end = class.len;

	while (end && class.ptr[end - 1] != '.' && class.ptr[end - 1] != '/')
		end--;
	fg_buf_add_str(b, fg_str_before(class, end));
	fg_buf_replace(b, start, '.', '/');
	if (file.len) {
		fg_buf_add_str(b, file);
		return;
	}
	class = fg_str_from_pos(class, end);
	/* a name may start with '$' */
	end = 1 + fg_str_find_char(fg_str_from_pos(class, 1), '$');
	fg_buf_add_str(b, fg_str_before(class, end));
	fg_buf_add_str(b, FG_STR(".java"));
}
