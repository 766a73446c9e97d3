/* The parts of a declaration of C++: return type, name, parameters. */
#include "collapse/names.h"

#include "lib/base/buf.h"
#include "lib/base/cxx.h"

/* The length of the sign after the word `operator`. */
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

/* The length of the word `operator` and its sign at `at`, or 0. */
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

/* `s` without the qualifiers that may follow a list: " const", " volatile", " &&". */
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

/* Whether the group from `open` to `close`, outside all others, is no list. */
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

/* A closing bracket ends the '<'s that were none, and its own partner. */
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
 * The length of the qualifiers between a list of parameters and the "::" of something
 * inside that function: 6 for " const::{lambda()#1}". 0 if no "::" follows.
 */
static size_t qualifiers_length(struct fg_str after)
{
	struct fg_str rest = skip_qualifiers(after);

	return fg_str_starts(rest, FG_STR("::")) ? after.len - rest.len : 0;
}

/*
 * Returns where the declared name starts in the group from `open` to `close`, if that
 * is a declarator: "(*f<int>(char))", "(&f<int>())", "(C::*f<int>(C*))". 0 if it is
 * not. A space or nothing is before it.
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
	size_t name; /* after the return type */
	size_t parameters; /* the end of the name */
	size_t inner, inner_end; /* what a declarator declares; 0 without one */
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
				d.parameters = at ? at : s.len; /* never empty */
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

/* "vtable for x<int>", "virtual thunk to x<int>": no return type is before the name. */
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

/* Templates have a return type in their symbol, and other functions do not. */
static bool is_template(struct fg_str name, bool is_operator)
{
	return name.len && name.ptr[0] != '<' &&
	       (is_operator || name.ptr[name.len - 1] == '>');
}

/* A function that returns functions that return functions, and so on. */
#define DECLARATORS_MAX 8

struct fg_str fg_name_of_declaration(struct fg_str s)
{
	struct fg_str inner, name;
	struct declaration d;

	s = fg_str_before(s, fg_str_find(s, FG_STR(" [clone ")));
	if (!fg_str_has_char(s, ' '))
		return fg_str_before(s, fg_name_length(s));
	d = read_declaration(s);
	inner = s;
	for (unsigned i = 0; d.inner && i < DECLARATORS_MAX; i++) {
		inner = fg_str_of(inner.ptr + d.inner, d.inner_end - d.inner);
		d = read_declaration(inner);
	}
	name = fg_str_of(inner.ptr + d.name, d.parameters - d.name);
	if (is_template(name, d.is_operator) &&
	    !is_description(fg_str_before(inner, d.name)))
		return name;
	return fg_str_before(s, fg_name_length(s));
}
