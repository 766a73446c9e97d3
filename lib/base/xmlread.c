/* XML read forward, a piece at a time: a tag, a text, a comment. */
#include "lib/base/xmlread.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/base/window.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmltext.h"

#define DEPTH_MAX 64
#define ATTRIBUTES_MAX 1000
#define PIECE_MAX 10000000

/* Bytes of the mark that may be at the start. */
#define MARK_LEN 3

struct attribute {
	struct fg_str name;
	struct fg_str value; /* its pointer is NULL where it was decoded */
	size_t decoded; /* where, in x->decoded */
};

/* An element that is not closed yet. */
struct open_element {
	size_t kind; /* as fg_xmlread_element.name */
	size_t name; /* where its name starts in x->names */
};

struct fg_xmlread {
	struct fg_diag *diag;
	struct fg_place at; /* of the fault */
	const struct fg_xmlread_handler *handler;
	void *data;

	struct fg_window in;
	bool started, root_is_over;
	unsigned depth;
	struct open_element open[DEPTH_MAX];
	struct fg_buf names; /* of those that are open */
	struct attribute *attributes; /* of a tag */
	size_t attribute_count, attribute_alloc;
	struct fg_buf decoded; /* values of its attributes, or a text */
	size_t text; /* bytes since the last tag */
	const char *fault; /* what is wrong */
};

static const char too_long[] = "a tag, a text or a comment has more than 10 MB";
static const char outside[] = "a text is in no element";

/* The fault is at a place in the window; false. */
static bool set_fault(struct fg_xmlread *x, const char *at, const char *fault)
{
	x->at.line = fg_window_line(&x->in, at);
	x->fault = fault;
	return false;
}

/* Goes on behind a piece that is told of: false where it is too long. */
static bool accept(struct fg_xmlread *x, const char *end)
{
	size_t len = (size_t)(end - x->in.bytes.ptr);

	if (len > PIECE_MAX)
		return set_fault(x, x->in.bytes.ptr, too_long);
	fg_window_skip(&x->in, len);
	x->started = true;
	return true;
}

/* ---- tags */

/* A byte beyond ASCII is of a name, and so is a control, which stands for U+FFFD. */
static bool is_of_name(char c)
{
	static const uint64_t bits[] = { 0x07ff6000ffffd9ff, 0x07fffffe87fffffe,
					 UINT64_MAX, UINT64_MAX };
	unsigned char byte = (unsigned char)c;

	return bits[byte >> 6] >> (byte & 63) & 1;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && fg_xml_is_blank(*p))
		p++;
	return p;
}

static struct fg_str name_at(const char *p, const char *end)
{
	const char *start = p;

	while (p < end && is_of_name(*p))
		p++;
	return fg_str_of(start, (size_t)(p - start));
}

/* A name that the window goes on behind; false where there is none. */
static bool is_name(struct fg_str name)
{
	return name.len && !fg_is_digit(name.ptr[0]) && name.ptr[0] != '-' &&
	       name.ptr[0] != '.';
}

static size_t kind_of(const struct fg_xmlread *x, struct fg_str name)
{
	size_t kind = 0;

	while (kind < x->handler->name_count &&
	       !fg_str_eq(x->handler->names[kind], name))
		kind++;
	return kind;
}

/* The same without a namespace's prefix. */
static size_t kind_of_any(const struct fg_xmlread *x, struct fg_str name)
{
	size_t kind = kind_of(x, name), colon;

	if (kind < x->handler->name_count)
		return kind;
	colon = fg_str_find_char(name, ':');
	return colon < name.len ? kind_of(x, fg_str_from_pos(name, colon + 1)) : kind;
}

/* Behind a tag that may have been that of the last element. */
static void end_element(struct fg_xmlread *x, const struct fg_xmlread_element *e)
{
	x->root_is_over = !e->depth;
	x->text = 0;
	x->handler->close(x->data, e);
}

static bool start_element(struct fg_xmlread *x, struct fg_str name, const char *end)
{
	struct fg_xmlread_element e = {
		.name = kind_of_any(x, name),
		.depth = x->depth,
		.reader = x,
		.end = end,
		.attribute_count = x->attribute_count,
	};

	if (x->root_is_over)
		return set_fault(x, name.ptr, "it goes on behind its last element");
	if (x->depth == DEPTH_MAX)
		return set_fault(x, end, "its elements are nested more than 64 deep");
	if (!accept(x, end))
		return false;
	x->text = 0;
	x->handler->start(x->data, &e);
	if (end[-2] == '/') {
		e.attribute_count = 0;
		end_element(x, &e);
		return true;
	}
	x->open[x->depth].kind = e.name;
	x->open[x->depth++].name = x->names.len;
	fg_buf_add_str(&x->names, name);
	return true;
}

static bool read_end_tag(struct fg_xmlread *x)
{
	size_t len = fg_str_find_char(x->in.bytes, '>');
	struct fg_str name = fg_str_from_pos(fg_str_before(x->in.bytes, len), 2);
	const struct open_element *open;
	struct fg_xmlread_element e = { .reader = x };

	if (!x->depth)
		return set_fault(x, x->in.bytes.ptr, "a tag ends what did not start");
	if (len == x->in.bytes.len)
		return false;
	open = &x->open[x->depth - 1];
	name = fg_str_before(name, name.len - fg_str_end_span(name, fg_xml_is_blank));
	if (!fg_str_eq(name, fg_str_from_pos(fg_buf_str(&x->names), open->name)))
		return set_fault(x, x->in.bytes.ptr,
				 "a tag ends another element than the last");
	e.name = open->kind;
	e.end = x->in.bytes.ptr + len + 1;
	if (!accept(x, e.end))
		return false;
	e.depth = --x->depth;
	x->names.len = open->name;
	end_element(x, &e);
	return true;
}

/* Keeps an attribute; one that is plain has no byte that is special. */
static bool add_attribute(struct fg_xmlread *x, struct fg_str name, struct fg_str value,
			  bool plain)
{
	struct attribute *a = x->attributes;
	const char *fault;

	for (size_t i = 0; i < x->attribute_count; i++)
		if (fg_str_eq(a[i].name, name))
			return set_fault(x, name.ptr, "an attribute is there twice");
	if (x->attribute_count == ATTRIBUTES_MAX)
		return set_fault(x, name.ptr,
				 "an element has more than 1000 attributes");
	FG_GROW(x->attributes, x->attribute_alloc, x->attribute_count + 1);
	a = &x->attributes[x->attribute_count++];
	a->name = name;
	a->value = value;
	if (plain)
		return true;
	if (fg_str_has_char(value, '<'))
		return set_fault(x, value.ptr, "a '<' is in the value of an attribute");
	a->decoded = x->decoded.len;
	fault = fg_xmltext_add(&x->decoded, value, FG_XML_VALUE);
	a->value = fg_str_of(NULL, x->decoded.len - a->decoded);
	return fault ? set_fault(x, value.ptr, fault) : true;
}

/* Where an attribute ends that starts at `p`; NULL where it cannot be read (yet). */
static const char *read_attribute(struct fg_xmlread *x, const char *p)
{
	const char *end = fg_window_end(&x->in), *value;
	struct fg_str name = name_at(p, end);
	bool plain;
	char quote;

	p = skip_blanks(name.ptr + name.len, end);
	if (p < end && (!is_name(name) || *p != '=')) {
		set_fault(x, p, "there is something else than attributes in a tag");
		return NULL;
	}
	if (p < end)
		p = skip_blanks(p + 1, end);
	if (p == end)
		return NULL;
	quote = *p;
	if (quote != '"' && quote != '\'') {
		set_fault(x, p, "the value of an attribute is not in quotes");
		return NULL;
	}
	value = p + 1;
	p = fg_xmltext_special(value, end, quote);
	plain = p < end && *p == quote;
	if (!plain)
		p = p < end ? memchr(p, quote, (size_t)(end - p)) : NULL;
	if (!p || !add_attribute(x, name, fg_str_of(value, (size_t)(p - value)), plain))
		return NULL;
	return p + 1;
}

static bool read_tag(struct fg_xmlread *x)
{
	const char *end = fg_window_end(&x->in), *p;
	struct fg_str name = name_at(x->in.bytes.ptr + 1, end);

	p = name.ptr + name.len;
	if (p < end && !is_name(name))
		return set_fault(x, p, "a '<' starts no tag");
	x->attribute_count = 0;
	x->decoded.len = 0;
	for (;;) {
		const char *next = skip_blanks(p, end);

		if (next == end)
			return false;
		if (*next == '>')
			return start_element(x, name, next + 1);
		if (*next == '/' && next + 1 == end)
			return false;
		if (*next == '/' && next[1] == '>')
			return start_element(x, name, next + 2);
		if (next == p)
			return set_fault(x, p, "the end of a tag is not '>' or '/>'");
		p = read_attribute(x, next);
		if (!p)
			return false;
	}
}

/* ---- other pieces */

static bool add_text(struct fg_xmlread *x, struct fg_str text, enum fg_xmltext what)
{
	const char *end = text.ptr + text.len, *fault = NULL;

	x->text += text.len;
	if (x->text > PIECE_MAX)
		return set_fault(x, text.ptr, too_long);
	if (fg_xmltext_special(text.ptr, end, ']') < end) {
		x->decoded.len = 0;
		if (what == FG_XML_TEXT && fg_str_has(text, FG_STR("]]>")))
			fault = "a ']]>' ends nothing";
		else
			fault = fg_xmltext_add(&x->decoded, text, what);
		text = fg_buf_str(&x->decoded);
	}
	if (fault)
		return set_fault(x, x->in.bytes.ptr, fault);
	x->handler->text(x->data, x->depth, text);
	return true;
}

static bool read_text(struct fg_xmlread *x)
{
	size_t len = fg_str_find_char(x->in.bytes, '<');
	struct fg_str text = fg_str_before(x->in.bytes, len);

	if (!x->depth) {
		len = fg_str_span(text, fg_xml_is_blank);
		if (len < text.len)
			return set_fault(x, text.ptr + len, outside);
		return accept(x, text.ptr + len);
	}
	return len < x->in.bytes.len && accept(x, text.ptr + len) &&
	       add_text(x, text, FG_XML_TEXT);
}

static bool read_comment(struct fg_xmlread *x)
{
	struct fg_str rest = fg_str_from_pos(x->in.bytes, strlen("<!--"));
	const char *end = rest.ptr + fg_str_find(rest, FG_STR("--"));

	if (fg_window_end(&x->in) - end < 3)
		return false;
	if (end[2] != '>')
		return set_fault(x, end, "a comment has '--' in it");
	return accept(x, end + 3);
}

static bool read_cdata(struct fg_xmlread *x)
{
	struct fg_str rest = fg_str_from_pos(x->in.bytes, strlen("<![CDATA["));
	size_t len = fg_str_find(rest, FG_STR("]]>"));

	if (!x->depth)
		return set_fault(x, x->in.bytes.ptr, outside);
	return len < rest.len && accept(x, rest.ptr + len + strlen("]]>")) &&
	       add_text(x, fg_str_before(rest, len), FG_XML_CDATA);
}

static bool read_instruction(struct fg_xmlread *x)
{
	struct fg_str rest = fg_str_from_pos(x->in.bytes, strlen("<?"));
	size_t len = fg_str_find(rest, FG_STR("?>"));
	struct fg_str name = name_at(rest.ptr, rest.ptr + len);

	if (len == rest.len)
		return false;
	if (fg_str_eq(name, FG_STR("xml")) && x->root_is_over)
		return set_fault(x, rest.ptr,
				 "another document starts: give each as a "
				 "file of its own");
	if (!is_name(name) ||
	    (name.len < len && !fg_xml_is_blank(rest.ptr[name.len])) ||
	    (fg_str_eq(name, FG_STR("xml")) && x->started))
		return set_fault(x, rest.ptr, "a '<?' starts nothing that is known");
	return accept(x, rest.ptr + len + strlen("?>"));
}

/* Whether a word starts the window, or may when more is read. */
static bool may_start(const struct fg_xmlread *x, struct fg_str word)
{
	return fg_str_starts(word, fg_str_before(x->in.bytes, word.len));
}

static bool read_markup(struct fg_xmlread *x)
{
	bool all = x->in.bytes.len >= strlen("<!DOCTYPE");

	if (may_start(x, FG_STR("<!--")))
		return x->in.bytes.len > strlen("<!--") && read_comment(x);
	if (may_start(x, FG_STR("<![CDATA[")))
		return all && read_cdata(x);
	if (!may_start(x, FG_STR("<!DOCTYPE")))
		return set_fault(x, x->in.bytes.ptr,
				 "a '<!' starts nothing that is known");
	return all &&
	       set_fault(x, x->in.bytes.ptr, "it has a DOCTYPE, which is not read");
}

/* Reads the piece at the start of the window: false where it is not all there. */
static bool read_piece(struct fg_xmlread *x)
{
	if (x->in.bytes.ptr[0] != '<')
		return read_text(x);
	if (x->in.bytes.len < 2)
		return false;
	switch (x->in.bytes.ptr[1]) {
	case '/':
		return read_end_tag(x);
	case '!':
		return read_markup(x);
	case '?':
		return read_instruction(x);
	default:
		return read_tag(x);
	}
}

/* ---- an input */

bool fg_xmlread_attribute(const struct fg_xmlread_element *element, const char *name,
			  struct fg_str *value)
{
	const struct attribute *a = element->reader->attributes;
	struct fg_str wanted = fg_str_from(name);

	for (size_t i = 0; i < element->attribute_count; i++) {
		if (!fg_str_eq(a[i].name, wanted))
			continue;
		*value = a[i].value;
		if (!value->ptr)
			value->ptr = element->reader->decoded.ptr + a[i].decoded;
		return true;
	}
	return false;
}

uint64_t fg_xmlread_line(const struct fg_xmlread_element *element)
{
	return fg_window_line(&element->reader->in, element->end);
}

static enum fg_xmlread_end read_all(struct fg_xmlread *x)
{
	bool more = true;

	while (more && x->in.bytes.len < MARK_LEN)
		more = fg_window_more(&x->in);
	x->in.bytes = fg_utf8_skip_mark(x->in.bytes);
	do {
		while (x->in.bytes.len && read_piece(x))
			;
		if (!x->fault && x->in.bytes.len > PIECE_MAX)
			set_fault(x, x->in.bytes.ptr, too_long);
		more = more && !x->fault && fg_window_more(&x->in);
	} while (more);
	if (x->in.failed)
		return FG_XMLREAD_FAILED;
	if (!x->fault && x->root_is_over && !x->in.bytes.len)
		return FG_XMLREAD_WHOLE;
	if (!x->fault)
		set_fault(x, fg_window_end(&x->in) - !!x->in.bytes.len,
			  "it ends early");
	fg_warn(x->diag, &x->at, "the XML cannot be read from here on: %s", x->fault);
	return FG_XMLREAD_DAMAGED;
}

enum fg_xmlread_end fg_xmlread(struct fg_reader *reader, const struct fg_block *start,
			       const struct fg_xmlread_handler *handler, void *data,
			       struct fg_diag *diag)
{
	struct fg_xmlread *x = fg_xcalloc(1, sizeof(*x));
	enum fg_xmlread_end end;

	x->diag = diag;
	x->at.input = start->input;
	x->handler = handler;
	x->data = data;
	fg_window_init(&x->in, reader, start->bytes);
	end = read_all(x);
	fg_window_release(&x->in);
	fg_buf_release(&x->names);
	fg_buf_release(&x->decoded);
	free(x->attributes);
	free(x);
	return end;
}
