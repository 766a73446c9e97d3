/* Finds families of C functions by the start of their names. */
#include "lib/profile/prefix.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/xalloc.h"

/*
 * The least and the greatest length of a family's name, not counting a final '_' or
 * '*'.
 */
#define SHORTEST 2
#define LONGEST 24

void fg_prefixes_init(struct fg_prefixes *p)
{
	memset(p, 0, sizeof(*p));
	fg_intern_init(&p->names);
	fg_buf_init(&p->text);
}

void fg_prefixes_release(struct fg_prefixes *p)
{
	fg_intern_release(&p->names);
	fg_buf_release(&p->text);
	free(p->uses);
	p->uses = NULL;
	p->alloc = 0;
}

static bool is_lower_or_digit(char c)
{
	return fg_is_digit(c) || (c >= 'a' && c <= 'z');
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_underscore(char c)
{
	return c == '_';
}

/* Returns true for words that say what a function does, not what it belongs to. */
static bool is_verb(struct fg_str word)
{
	static const struct fg_str verbs[] = {
		FG_STR_INIT("do"),  FG_STR_INIT("is"),	FG_STR_INIT("get"),
		FG_STR_INIT("set"), FG_STR_INIT("on"),	FG_STR_INIT("to"),
		FG_STR_INIT("has"), FG_STR_INIT("new"), FG_STR_INIT("x64"),
		FG_STR_INIT("sys"), FG_STR_INIT("run"), FG_STR_INIT("fun"),
	};

	for (size_t i = 0; i < FG_COUNT_OF(verbs); i++)
		if (fg_str_eq(word, verbs[i]))
			return true;
	return false;
}

/*
 * Returns the start of a name that may stand for its module: "jv_" for "jv_get", "xml"
 * for "xmlParse". Skips leading underscores. Returns an empty string if the name has no
 * such start.
 */
static struct fg_str start_of(struct fg_str name)
{
	static const struct fg_str none = FG_STR_INIT("");
	struct fg_str s = fg_str_from_pos(name, fg_str_span(name, is_underscore));
	size_t len = fg_str_span(s, is_lower_or_digit), end = len;

	if (!len)
		len = end = fg_str_span(s, is_upper);
	if (len == 1)
		len = end = 1 + fg_str_span(fg_str_from_pos(s, 1), is_lower_or_digit);
	if (len < SHORTEST || len > LONGEST || !fg_is_alpha(s.ptr[0]) || len == s.len ||
	    !fg_str_all(s, fg_is_word) || is_verb(fg_str_before(s, len)))
		return none;
	if (s.ptr[len] == '_')
		end = len + 1;
	else if (!is_upper(s.ptr[len]))
		return none;
	return fg_str_before(s, end);
}

/* Returns the id of the family with that start. Adds the family if it is new. */
static uint32_t family(struct fg_prefixes *p, struct fg_str start)
{
	uint32_t id;

	fg_buf_clear(&p->text);
	fg_buf_add_str(&p->text, start);
	fg_buf_add_char(&p->text, '*');
	id = fg_intern(&p->names, fg_buf_str(&p->text));
	if (id >= p->alloc) {
		size_t alloc = p->alloc ? 2 * p->alloc : 64;

		p->uses = fg_xrealloc(p->uses, alloc, sizeof(*p->uses));
		memset(p->uses + p->alloc, 0, (alloc - p->alloc) * sizeof(*p->uses));
		p->alloc = alloc;
	}
	return id;
}

void fg_prefixes_add(struct fg_prefixes *p, struct fg_str name)
{
	struct fg_str start = start_of(name);
	uint32_t id;

	if (!start.len)
		return;
	id = family(p, start); /* this may move `uses` */
	p->uses[id]++;
}

struct fg_str fg_prefixes_of(struct fg_prefixes *p, struct fg_str name)
{
	struct fg_str start = start_of(name);
	uint32_t id;

	if (!start.len)
		return start;
	id = family(p, start);
	return p->uses[id] >= FG_PREFIX_FAMILY ? fg_intern_name(&p->names, id) :
						 fg_str_before(start, 0);
}
