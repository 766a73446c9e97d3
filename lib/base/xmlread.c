/* XML read forward, by libxml2's parser. */
#include "lib/base/xmlread.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmlscan.h"
#include "lib/base/xmlstart.h"

/* libxml2 looks through all namespaces that are declared around an element. */
#define NAMESPACES_MAX 256

/* How many bytes are parsed before it is looked whether anything is wrong. */
#define PART_SIZE ((size_t)32 * 1024)

/* Less than libxml2's own limit: ours is met first. */
#define DEPTH_MAX 64

/* That of libxml2 for values. */
#define TEXT_MAX 10000000

#define REPLACEMENT "\xef\xbf\xbd"

/* The longest character. */
#define CHAR_MAX_LEN 4

struct xmlread {
	struct fg_diag *diag;
	struct fg_place at;
	const struct fg_xmlread_handler *handler;
	void *data;
	xmlParserCtxt *parser;
	const xmlChar **names; /* those of the handler, as the parser has them */
	unsigned depth;
	unsigned namespaces; /* declared so far */
	size_t text; /* bytes since the last tag */
	const char *fault; /* what our own checks found */
	struct fg_buf why; /* what libxml2 found */

	/* the input */
	struct fg_reader *reader;
	struct fg_str rest; /* of a block */
	struct fg_xmlscan scan;
	uint64_t lines; /* that libxml2 was given whole */
	bool failed;
	char part[PART_SIZE];
};

/* ---- bytes for libxml2 */

/* Makes sure that there are bytes left: false at the end. */
static bool has_more(struct xmlread *x)
{
	struct fg_block block;
	int status = 1;

	while (!x->rest.len && !x->failed) {
		status = fg_reader_more(x->reader, &block);
		if (status <= 0)
			break;
		x->rest = block.bytes;
	}
	x->failed |= status < 0;
	return x->rest.len > 0;
}

/* Whether XML allows a byte, and it is a character. */
static bool is_plain(char c)
{
	unsigned char byte = (unsigned char)c;

	return (byte >= 0x20 && byte < 0x80) || c == '\t' || c == '\n' || c == '\r';
}

/* How many bytes at the start are plain. Of most words no byte is looked at. */
static size_t plain_length(struct fg_str s)
{
	const uint64_t high = UINT64_C(0x8080808080808080);
	const uint64_t blanks = UINT64_C(0x2020202020202020);
	size_t at = 0;

	while (at + sizeof(uint64_t) <= s.len) {
		uint64_t word;

		/* a byte below 0x20 borrows from the bit above it, or from another's */
		memcpy(&word, s.ptr + at, sizeof(word));
		if ((word | (word - blanks)) & high)
			for (size_t end = at + sizeof(word); at < end; at++) {
				if (!is_plain(s.ptr[at]))
					return at;
			}
		else
			at += sizeof(word);
	}
	return at + fg_str_span(fg_str_from_pos(s, at), is_plain);
}

/* Moves a character that is not plain: how many bytes it has. */
static size_t add_char(struct xmlread *x, char *to)
{
	struct fg_utf8_char c;
	unsigned char lead = (unsigned char)x->rest.ptr[0];
	size_t need = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4, len = 0;

	do {
		to[len++] = x->rest.ptr[0];
		x->rest = fg_str_from_pos(x->rest, 1);
	} while (len < need && has_more(x) && (x->rest.ptr[0] & 0xc0) == 0x80);
	c = fg_utf8_first(fg_str_of(to, len));
	if (c.valid && c.len == len && c.code >= 0x20 && c.code != 0xfffe &&
	    c.code != 0xffff)
		return len;
	memcpy(to, REPLACEMENT, strlen(REPLACEMENT));
	return strlen(REPLACEMENT);
}

/* Fills x->part with characters that XML allows: how many bytes; 0 at the end. */
static size_t read_part(struct xmlread *x)
{
	size_t len = 0;

	while (len + CHAR_MAX_LEN <= PART_SIZE && has_more(x)) {
		size_t plain = plain_length(fg_str_before(x->rest, PART_SIZE - len));

		if (!plain) {
			len += add_char(x, x->part + len);
			continue;
		}
		memcpy(x->part + len, x->rest.ptr, plain);
		x->rest = fg_str_from_pos(x->rest, plain);
		len += plain;
	}
	return len;
}

/* ---- events */

static uint64_t line_of(const struct xmlread *x)
{
	int line = xmlSAX2GetLineNumber(x->parser);

	return line > 0 ? (uint64_t)line : 0;
}

/* The parser goes on to the end of its part, of which nothing is passed on. */
static void set_fault(struct xmlread *x, const char *fault)
{
	if (x->fault)
		return;
	x->fault = fault;
	x->at.line = line_of(x);
}

/* The parser has each name once: they are the same where their addresses are. */
static struct fg_xmlread_element element_of(const struct xmlread *x,
					    const xmlChar *name)
{
	struct fg_xmlread_element element = {
		.name = 0,
		.depth = x->depth,
		.line = line_of(x),
	};

	while (element.name < x->handler->name_count && x->names[element.name] != name)
		element.name++;
	return element;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri, int namespace_count,
			  const xmlChar **namespaces, int count, int defaulted,
			  const xmlChar **attributes)
{
	struct xmlread *x = context;
	struct fg_xmlread_element element = element_of(x, name);

	(void)prefix;
	(void)uri;
	(void)namespaces;
	(void)defaulted;
	x->namespaces += (unsigned)namespace_count;
	if (x->namespaces > NAMESPACES_MAX)
		set_fault(x, "it declares more than 256 namespaces");
	else if (x->depth++ >= DEPTH_MAX)
		set_fault(x, "its elements are nested more than 64 deep");
	if (x->fault)
		return;
	element.attributes = attributes;
	element.attribute_count = (size_t)count;
	x->text = 0;
	x->handler->start(x->data, &element);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
			const xmlChar *uri)
{
	struct xmlread *x = context;
	struct fg_xmlread_element element;

	(void)prefix;
	(void)uri;
	if (x->fault)
		return;
	x->depth--;
	x->text = 0;
	element = element_of(x, name);
	x->handler->close(x->data, &element);
}

static void add_text(void *context, const xmlChar *text, int len)
{
	struct xmlread *x = context;

	x->text += (size_t)len;
	if (x->text > TEXT_MAX)
		set_fault(x, "a text has more than 10 MB");
	if (!x->fault)
		x->handler->text(x->data, x->depth,
				 fg_str_of((const char *)text, (size_t)len));
}

/* The first error counts; those after it come of it. */
static void note_error(void *context, xmlError *error)
{
	struct xmlread *x = context;

	if (x->fault || x->why.len || error->level < XML_ERR_ERROR)
		return;
	if (error->line > 0)
		x->at.line = (uint64_t)error->line;
	if (error->code == XML_ERR_TAG_NOT_FINISHED ||
	    error->code == XML_ERR_DOCUMENT_END ||
	    error->code == XML_ERR_DOCUMENT_EMPTY)
		fg_buf_addf(&x->why, "it ends early");
	else
		fg_buf_add_visible(&x->why, fg_str_trim(fg_str_from(error->message)),
				   FG_QUOTED_MAX);
}

/* A blank text is one like others: to tell it from them would cost more. */
static const xmlSAXHandler events = {
	.initialized = XML_SAX2_MAGIC,
	.startElementNs = start_element,
	.endElementNs = end_element,
	.characters = add_text,
	.ignorableWhitespace = add_text,
	.cdataBlock = add_text,
	.serror = (xmlStructuredErrorFunc)note_error,
};

bool fg_xmlread_attribute(const struct fg_xmlread_element *element, const char *name,
			  struct fg_str *value)
{
	/* as libxml2 passes them: five pointers each */
	enum { NAME, PREFIX, URI, VALUE, VALUE_END, SIZE };

	for (size_t i = 0; i < element->attribute_count; i++) {
		const xmlChar **a = element->attributes + i * SIZE;

		if (a[PREFIX] || strcmp((const char *)a[NAME], name) != 0)
			continue;
		*value = fg_str_of((const char *)a[VALUE],
				   (size_t)(a[VALUE_END] - a[VALUE]));
		return true;
	}
	return false;
}

/* ---- an input */

/* What is libxml2's. */
static void release(void *data)
{
	struct xmlread *x = data;

	xmlFreeDoc(x->parser->myDoc); /* made where there is a declaration */
	xmlFreeParserCtxt(x->parser);
}

static void open_parser(struct xmlread *x)
{
	size_t count = x->handler->name_count;
	xmlSAXHandler copy = events;

	fg_xml_start();
	x->parser = xmlCreatePushParserCtxt(&copy, x, NULL, 0, NULL);
	if (!x->parser)
		fg_out_of_memory();
	fg_hold(release, x);
	x->names = fg_xcalloc(count, sizeof(*x->names));
	/*
	 * Without XML_PARSE_HUGE depth and values have libxml2's limits. Without
	 * XML_PARSE_NOENT it passes "&" in a value as "&#38;".
	 */
	xmlCtxtUseOptions(x->parser,
			  XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
	for (size_t i = 0; i < count; i++) {
		struct fg_str name = x->handler->names[i];

		if (name.len)
			x->names[i] =
				xmlDictLookup(x->parser->dict,
					      (const xmlChar *)name.ptr, (int)name.len);
	}
}

static void close_parser(struct xmlread *x)
{
	fg_let_go(x);
	release(x);
	fg_xml_stop();
	free(x->names);
}

static void parse(struct xmlread *x, struct fg_str part)
{
	struct fg_str rest = part;
	const char *fault = fg_xmlscan_feed(&x->scan, &rest);

	xmlParseChunk(x->parser, part.ptr, (int)(part.len - rest.len), false);
	if (x->parser->errNo == XML_ERR_NO_MEMORY)
		fg_out_of_memory();
	if (!fault || x->fault || !x->parser->wellFormed)
		return;
	set_fault(x, fault);
	for (const xmlChar *p = x->parser->input->cur; p < x->parser->input->end; p++)
		x->at.line += *p == '\n';
}

static bool goes_on(const struct xmlread *x)
{
	return !x->fault && !x->failed && x->parser->wellFormed;
}

static enum fg_xmlread_end read_all(struct xmlread *x)
{
	size_t len = 1;

	while (len && goes_on(x)) {
		len = read_part(x);
		parse(x, fg_str_of(x->part, len));
	}
	if (goes_on(x))
		xmlParseChunk(x->parser, NULL, 0, true);
	if (x->failed)
		return FG_XMLREAD_FAILED;
	if (goes_on(x))
		return FG_XMLREAD_WHOLE;
	fg_warn(x->diag, &x->at, "the XML cannot be read from here on: %s",
		x->fault   ? x->fault :
		x->why.len ? fg_buf_cstr(&x->why) :
			     "it ends early");
	return FG_XMLREAD_DAMAGED;
}

enum fg_xmlread_end fg_xmlread(struct fg_reader *reader, const struct fg_block *start,
			       const struct fg_xmlread_handler *handler, void *data,
			       struct fg_diag *diag)
{
	struct xmlread *x = fg_xcalloc(1, sizeof(*x));
	enum fg_xmlread_end end;

	x->diag = diag;
	x->at.input = start->input;
	x->handler = handler;
	x->data = data;
	x->reader = reader;
	x->rest = fg_utf8_skip_mark(start->bytes);
	x->scan.no_doctype = x->scan.no_hyphens = true;
	open_parser(x);
	end = read_all(x);
	close_parser(x);
	fg_buf_release(&x->why);
	free(x);
	return end;
}
