/* Reads XML with libxml2, and stops before a hostile document makes it do harm. */
#include "lib/base/xmlread.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/diag.h"
#include "lib/base/utf8.h"
#include "lib/base/visible.h"
#include "lib/base/xalloc.h"
#include "lib/base/xmlscan.h"
#include "lib/base/xmlstart.h"

#define DEPTH_MAX 256

/* Limited, because libxml2 searches all namespaces declared around an element. */
#define NAMESPACES_MAX 256

/*
 * The most bytes of distinct names. libxml2 searches them for each new name, which
 * takes longer the more there are.
 */
#define NAMES_MAX ((size_t)1 << 20)

/* The most bytes of a declaration, more than any real DOCTYPE has. */
#define DECLARATION_MAX ((size_t)1 << 20)

/* Bytes that libxml2 gets at a time. We notice faults after each part. */
#define PART_SIZE ((size_t)64 << 10)

struct fg_xmlread {
	const struct fg_xmlread_handler *handler;
	void *data;
	enum fg_xmlread_encoding encoding;
	xmlParserCtxt *parser;
	struct fg_xmlscan scan;
	/* the start of a declaration that is not complete yet */
	struct fg_buf declaring;

	unsigned depth;
	unsigned namespaces; /* number of namespaces that the open elements declare */
	/* indexed by depth: the number that the open element declares */
	unsigned declared[DEPTH_MAX + 1];
	bool root_is_over;
	uint64_t tag_line; /* line of the last tag; 0: there was none */

	bool started; /* the document has begun; white space before it is skipped */
	struct fg_buf cut; /* start of a character whose end is in the next part */
	struct fg_buf repaired;

	const char *fault;
	struct fg_buf why; /* the text of `fault`, if it is libxml2's */
	uint64_t fault_line;
};

/* ---- what libxml2 calls */

static uint64_t line_of(const struct fg_xmlread *x)
{
	int line = xmlSAX2GetLineNumber(x->parser);

	return line > 0 ? (uint64_t)line : 0;
}

/*
 * We do not stop libxml2's parser here, because that would free the strings that it has
 * passed to our callback. It goes on to the end of the part, and our callbacks return
 * at once.
 */
void fg_xmlread_refuse(struct fg_xmlread *x, const char *fault)
{
	if (x->fault)
		return;
	x->fault = fault;
	x->fault_line = line_of(x);
}

/* Enters an element. Returns false if the document has been refused. */
static bool enter(struct fg_xmlread *x, int namespace_count)
{
	if (x->fault)
		return false;
	if (x->depth == DEPTH_MAX) {
		fg_xmlread_refuse(x, "its elements are nested more than 256 deep");
		return false;
	}
	x->depth++;
	x->declared[x->depth] = (unsigned)namespace_count;
	x->namespaces += (unsigned)namespace_count;
	if (x->namespaces <= NAMESPACES_MAX)
		return true;
	fg_xmlread_refuse(x, "more than 256 namespaces are declared around an element");
	return false;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri, int namespace_count,
			  const xmlChar **namespaces, int count, int defaulted,
			  const xmlChar **items)
{
	struct fg_xmlread *x = context;
	struct fg_xmlread_element e = { .attributes = items, .attribute_count = count };

	(void)prefix;
	(void)namespaces;
	(void)defaulted;
	if (!enter(x, namespace_count))
		return;
	e.name = fg_str_from((const char *)name);
	if (uri)
		e.uri = fg_str_from((const char *)uri);
	e.depth = x->depth;
	x->tag_line = line_of(x);
	x->handler->start(x->data, &e);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
			const xmlChar *uri)
{
	struct fg_xmlread *x = context;

	(void)prefix;
	(void)uri;
	if (x->fault)
		return;
	x->tag_line = line_of(x);
	x->handler->close(x->data, fg_str_from((const char *)name), x->depth);
	x->namespaces -= x->declared[x->depth];
	x->root_is_over = !--x->depth;
}

static void add_text(void *context, const xmlChar *text, int len)
{
	struct fg_xmlread *x = context;

	if (!x->fault)
		x->handler->text(x->data, x->depth,
				 fg_str_of((const char *)text, (size_t)len));
}

/* Refuses entities: they could make a small file large, and no profile has any. */
static void refuse_entity(void *context, const xmlChar *name, int type,
			  const xmlChar *public_id, const xmlChar *system_id,
			  xmlChar *content)
{
	(void)name;
	(void)type;
	(void)public_id;
	(void)system_id;
	(void)content;
	fg_xmlread_refuse(context, "it declares an XML entity, which is not allowed");
}

/* Keeps libxml2 from printing. We ask for its last error when we need it. */
static void ignore_error(void *context, xmlError *error)
{
	(void)context;
	(void)error;
}

static const xmlSAXHandler sax = {
	.initialized = XML_SAX2_MAGIC,
	.startElementNs = start_element,
	.endElementNs = end_element,
	.characters = add_text,
	.cdataBlock = add_text,
	.entityDecl = refuse_entity,
	.serror = ignore_error,
};

bool fg_xmlread_attribute(const struct fg_xmlread_element *element, const char *uri,
			  const char *name, struct fg_str *value)
{
	enum { NAME, PREFIX, URI, VALUE, VALUE_END, POINTERS };

	for (int i = 0; i < element->attribute_count; i++) {
		const char *const *item =
			(const char *const *)element->attributes + (size_t)i * POINTERS;

		if (strcmp(item[NAME], name) != 0)
			continue;
		if (uri ? !item[URI] || strcmp(item[URI], uri) != 0 : item[URI] != NULL)
			continue;
		*value =
			fg_str_of(item[VALUE], (size_t)(item[VALUE_END] - item[VALUE]));
		return true;
	}
	return false;
}

/* ---- repairing UTF-8 */

static bool is_plain(char c)
{
	return (unsigned char)c - 0x20u < 0x60u || c == '\n' || c == '\r' || c == '\t';
}

/* Returns the first byte that is not plain, or `end`. */
static const char *first_special(const char *p, const char *end)
{
	while (p < end && is_plain(*p))
		p++;
	return p;
}

/* Appends the character at the start of `s`, or U+FFFD for it. Returns its length. */
static size_t add_repaired(struct fg_buf *to, struct fg_str s)
{
	struct fg_utf8_char c = fg_utf8_first(s);
	size_t len = c.len;

	if (fg_utf8_is_xml(c)) {
		fg_buf_add(to, s.ptr, len);
		return len;
	}
	/* the bytes of a damaged character become one U+FFFD together */
	while (!c.valid && len < fg_utf8_length((unsigned char)s.ptr[0]) &&
	       len < s.len && (s.ptr[len] & 0xc0) == 0x80)
		len++;
	fg_utf8_add(to, FG_UTF8_REPLACEMENT);
	return len;
}

/* Skips a byte-order mark and white space, which pasted XML may have before it. */
static struct fg_str skip_start(struct fg_str bytes)
{
	return fg_str_trim_left(fg_utf8_skip_mark(fg_str_trim_left(bytes)));
}

/* Stores `bytes` in x->cut for the next part. They may already be a part of x->cut. */
static void keep(struct fg_xmlread *x, struct fg_str bytes)
{
	struct fg_buf kept = FG_BUF_INIT;

	fg_buf_add_str(&kept, bytes);
	fg_buf_release(&x->cut);
	x->cut = kept;
}

/*
 * Returns the repaired bytes, valid until the next call. Keeps an incomplete character
 * at the end for the next call, unless this is the last.
 */
static struct fg_str repair(struct fg_xmlread *x, struct fg_str bytes, bool last)
{
	const char *p, *end, *plain;

	if (x->cut.len) {
		fg_buf_add_str(&x->cut, bytes);
		bytes = fg_buf_str(&x->cut);
	}
	if (!x->started)
		bytes = skip_start(bytes);
	fg_buf_clear(&x->repaired);
	end = bytes.ptr + bytes.len;
	plain = first_special(bytes.ptr, end);
	for (p = bytes.ptr; p < end; plain = first_special(p, end)) {
		fg_buf_add(&x->repaired, p, (size_t)(plain - p));
		p = plain;
		if (p == end ||
		    (!last && fg_utf8_length((unsigned char)*p) > (size_t)(end - p)))
			break;
		p += add_repaired(&x->repaired, fg_str_of(p, (size_t)(end - p)));
	}
	x->started |= x->repaired.len > 0;
	keep(x, fg_str_of(p, (size_t)(end - p)));
	return fg_buf_str(&x->repaired);
}

/* ---- feeding */

/*
 * Returns true if bytes below 0x80 are ASCII in this encoding, because xmlscan.c relies
 * on that.
 */
static bool is_like_ascii(const xmlChar *encoding)
{
	static const char *const names[] = { "utf-8", "utf8",	   "us-ascii",
					     "ascii", "iso-8859-", "windows-125",
					     NULL };

	for (size_t i = 0; encoding && names[i]; i++)
		if (!strncasecmp((const char *)encoding, names[i], strlen(names[i])))
			return true;
	return !encoding;
}

/*
 * Makes the parser's own error the fault, on the line of the last tag that was read.
 * The parser's line would depend on where the parts of the input end.
 */
static void take_error(struct fg_xmlread *x, bool last)
{
	const xmlError *error = xmlCtxtGetLastError(x->parser);

	fg_xmlread_refuse(x, "it is malformed");
	x->fault_line = x->tag_line ? x->tag_line : 1;
	if (!error)
		return;
	fg_buf_add_visible(&x->why, fg_str_trim(fg_str_from(error->message)),
			   FG_QUOTED_MAX);
	x->fault = fg_buf_cstr(&x->why);
	if (last && !x->root_is_over)
		x->fault = "it ends early";
	else if (x->root_is_over && error->code == XML_ERR_RESERVED_XML_NAME)
		x->fault = "another document starts: give each as a file of its own";
}

static void parse_chunk(struct fg_xmlread *x, struct fg_str bytes, bool last)
{
	int status = xmlParseChunk(x->parser, bytes.ptr, (int)bytes.len, last);

	if (x->fault)
		return;
	/* XML_PARSER_EOF: libxml2 could not make its buffer larger */
	if (x->parser->errNo == XML_ERR_NO_MEMORY || status == (int)XML_PARSER_EOF) {
		if (xmlDictGetUsage(x->parser->dict) <= NAMES_MAX)
			fg_out_of_memory();
		fg_xmlread_refuse(x, "it has more than 1 MB of names");
	} else if (status && !x->parser->wellFormed) {
		take_error(x, last);
	} else if (x->encoding == FG_XMLREAD_DECLARED &&
		   !is_like_ascii(x->parser->encoding)) {
		fg_xmlread_refuse(x, "it is not in UTF-8");
	}
}

/*
 * Parses a part. A declaration is held back until it is complete: without the rest,
 * libxml2 would treat a '>' in a literal as its end.
 */
static int parse(struct fg_xmlread *x, struct fg_str bytes, bool last)
{
	struct fg_str unread = bytes;
	const char *fault = fg_xmlscan_feed(&x->scan, &unread);
	bool waits = fg_xmlscan_is_declaring(&x->scan) && !last;

	if (fault) {
		fg_xmlread_refuse(x, fault);
		return -1;
	}
	if (waits || x->declaring.len) {
		fg_buf_add_str(&x->declaring, bytes);
		bytes = fg_buf_str(&x->declaring);
	}
	if (waits && bytes.len > DECLARATION_MAX)
		fg_xmlread_refuse(x, "a declaration has more than 1 MB");
	if (!waits) {
		parse_chunk(x, bytes, last);
		fg_buf_clear(&x->declaring);
	}
	return x->fault ? -1 : 0;
}

static int parse_part(struct fg_xmlread *x, struct fg_str part, bool last)
{
	if (x->fault)
		return -1;
	if (x->encoding == FG_XMLREAD_REPAIR)
		part = repair(x, part, last);
	return parse(x, part, last);
}

int fg_xmlread_feed(struct fg_xmlread *x, struct fg_str bytes)
{
	while (bytes.len) {
		struct fg_str part = fg_str_before(bytes, PART_SIZE);

		if (parse_part(x, part, false))
			return -1;
		bytes = fg_str_from_pos(bytes, part.len);
	}
	return 0;
}

int fg_xmlread_end(struct fg_xmlread *x)
{
	return parse_part(x, FG_STR(""), true);
}

const char *fg_xmlread_fault(const struct fg_xmlread *x)
{
	return x->fault;
}

uint64_t fg_xmlread_line(const struct fg_xmlread *x)
{
	return x->fault ? x->fault_line : line_of(x);
}

/* ---- making and freeing */

/* Frees the objects of libxml2. */
static void release(void *data)
{
	struct fg_xmlread *x = data;

	/* libxml2 makes a document if there is a declaration */
	xmlFreeDoc(x->parser->myDoc);
	xmlFreeParserCtxt(x->parser);
}

struct fg_xmlread *fg_xmlread_new(const struct fg_xmlread_handler *handler, void *data,
				  enum fg_xmlread_encoding encoding)
{
	struct fg_xmlread *x = fg_xcalloc(1, sizeof(*x));
	xmlSAXHandler copy = sax;
	bool repair = encoding == FG_XMLREAD_REPAIR;

	x->handler = handler;
	x->data = data;
	x->encoding = encoding;
	fg_xml_start();
	x->parser = xmlCreatePushParserCtxt(&copy, x, NULL, 0, NULL);
	if (!x->parser)
		fg_out_of_memory();
	fg_hold(release, x);
	/*
	 * Without XML_PARSE_HUGE depth and attributes have libxml2's limits. Without
	 * XML_PARSE_NOENT it passes "&" in an attribute as "&#38;"; other entities are
	 * refused where they are declared.
	 */
	xmlCtxtUseOptions(x->parser, XML_PARSE_NONET | XML_PARSE_NOENT |
					     (repair ? XML_PARSE_IGNORE_ENC : 0));
	if (repair)
		xmlSwitchEncoding(x->parser, XML_CHAR_ENCODING_UTF8);
	xmlDictSetLimit(x->parser->dict, NAMES_MAX);
	return x;
}

void fg_xmlread_free(struct fg_xmlread *x)
{
	if (!x)
		return;
	fg_let_go(x);
	release(x);
	fg_xml_stop();
	fg_buf_release(&x->declaring);
	fg_buf_release(&x->cut);
	fg_buf_release(&x->repaired);
	fg_buf_release(&x->why);
	free(x);
}
