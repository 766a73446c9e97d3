/* Where a symbol's parameter list starts: the brackets and operators of C++. */
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

size_t fg_name_length(struct fg_str s)
{
	struct fg_buf open = FG_BUF_INIT; /* the brackets that are open */
	size_t at = 0;

	if (!fg_str_has_char(s, '('))
		return s.len;
	while (at < s.len) {
		size_t skip = operator_length(s, at);

		if (!skip && s.ptr[at] == '(' && !open.len) {
			size_t close = fg_cxx_closing(s, at);

			if (!is_part_of_name(s, at, close)) {
				at = at ? at : s.len; /* a name is never empty */
				break;
			}
			skip = close + 1 - at;
		} else if (!skip) {
			note_bracket(&open, s, at);
			skip = 1;
		}
		at += skip;
	}
	fg_buf_release(&open);
	return at;
}
