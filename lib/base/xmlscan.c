/*
 * Finds elements with too many attributes, and attributes declared in a DTD, before XML
 * is parsed.
 */
#include "lib/base/xmlscan.h"

#include <string.h>

enum state {
	TEXT,
	OPEN,
	TAG,
	VALUE,
	BANG,
	DECLARATION,
	LITERAL,
	COMMENT,
	CDATA,
	INSTRUCTION
};

static const char too_many[] = "an element has more than 1000 attributes";
static const char declared[] = "it declares attributes, which is not allowed";

static bool is_word(const struct fg_xmlscan *s, const char *word)
{
	return fg_str_eq(fg_str_of(s->word, s->word_len), fg_str_from(word));
}

static void after_open(struct fg_xmlscan *s, char c)
{
	s->attributes = s->word_len = s->ending = 0;
	s->state = c == '!' ? BANG : c == '?' ? INSTRUCTION : TAG;
}

/* Counts an attribute at the start of its value. */
static const char *in_tag(struct fg_xmlscan *s, char c)
{
	if (c == '>') {
		s->state = TEXT;
		return NULL;
	}
	s->quote = c;
	s->state = VALUE;
	return ++s->attributes > FG_XMLSCAN_ATTRIBUTES_MAX ? too_many : NULL;
}

/*
 * Reads a byte of a declaration. Declarations in the brackets of a DOCTYPE are read
 * like elements.
 */
static void in_declaration(struct fg_xmlscan *s, char c)
{
	if (c == '>' || c == '[')
		s->state = TEXT;
	if (c == '"' || c == '\'') {
		s->quote = c;
		s->state = LITERAL;
	}
}

static const char *after_bang(struct fg_xmlscan *s, char c)
{
	s->word[s->word_len++] = c;
	if (is_word(s, "--"))
		s->state = COMMENT;
	else if (is_word(s, "[CDATA["))
		s->state = CDATA;
	else if (is_word(s, "ATTLIST"))
		return declared;
	else if (c == '>' || s->word_len == sizeof(s->word))
		s->state = DECLARATION;
	if (s->state == DECLARATION)
		in_declaration(s, c);
	return NULL;
}

/* Ends the section at a '>' that follows at least `need` bytes `mark`. */
static void until(struct fg_xmlscan *s, char c, char mark, unsigned need)
{
	if (c == '>' && s->ending >= need)
		s->state = TEXT;
	s->ending = c == mark ? s->ending + 1 : 0;
}

/* Reads a byte that skip() stops at. Returns a fault, or NULL. */
static const char *step(struct fg_xmlscan *s, char c)
{
	switch ((enum state)s->state) {
	case OPEN:
		after_open(s, c);
		break;
	case TAG:
		return in_tag(s, c);
	case BANG:
		return after_bang(s, c);
	case DECLARATION:
		in_declaration(s, c);
		break;
	case COMMENT:
		until(s, c, '-', 2);
		break;
	case CDATA:
		until(s, c, ']', 2);
		break;
	case INSTRUCTION:
		until(s, c, '?', 1);
		break;
	case TEXT:
		s->state = OPEN;
		break;
	case VALUE:
		s->state = TAG;
		break;
	case LITERAL:
		s->state = DECLARATION;
		break;
	}
	return NULL;
}

/* Returns true for a byte of a tag that does not change the state. */
static bool is_of_tag(char c)
{
	return c != '>' && c != '"' && c != '\'';
}

/*
 * Returns how many bytes at the start do not change the state. Most bytes of a file do
 * not.
 */
static size_t skip(const struct fg_xmlscan *s, struct fg_str bytes)
{
	switch ((enum state)s->state) {
	case TEXT:
		return fg_str_find_char(bytes, '<');
	case VALUE:
	case LITERAL:
		return fg_str_find_char(bytes, s->quote);
	case TAG:
		return fg_str_span(bytes, is_of_tag);
	default:
		return 0;
	}
}

bool fg_xmlscan_is_declaring(const struct fg_xmlscan *s)
{
	return s->state == BANG || s->state == DECLARATION || s->state == LITERAL;
}

const char *fg_xmlscan_feed(struct fg_xmlscan *s, struct fg_str *bytes)
{
	struct fg_str rest = *bytes;
	const char *fault = NULL;

	for (;;) {
		rest = fg_str_from_pos(rest, skip(s, rest));
		if (!rest.len)
			break;
		fault = step(s, rest.ptr[0]);
		if (fault)
			break;
		rest = fg_str_from_pos(rest, 1);
	}
	*bytes = rest;
	return fault;
}
