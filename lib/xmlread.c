/* XML read forward, by libxml2's reader. */
#include "lib/xmlread.h"

#include <libxml/xmlreader.h>
#include <stdlib.h>
#include <string.h>

#include "lib/utf8.h"
#include "lib/xalloc.h"
#include "lib/xmlscan.h"

/* libxml2 looks through all namespaces that are declared around an element. */
#define NAMESPACES_MAX 256

/* How many bytes libxml2's reader parses at a time, if it has them. */
#define AHEAD_MAX 512

/* Less than libxml2's own limit by more than it reads ahead: ours is met first. */
#define DEPTH_MAX 64

/* From this line on, libxml2 does not know a node's. */
#define LINES_MAX 65535

#define REPLACEMENT "\xef\xbf\xbd"

/* The longest character. */
#define CHAR_MAX_LEN 4

struct fg_xmlread {
	struct fg_diag *diag;
	struct fg_place at;
	xmlTextReader *xml;
	const xmlNode *node; /* of the event */
	bool open; /* it started an element that is empty: its end is next */
	unsigned depth;
	unsigned namespaces; /* declared so far */
	const char *fault; /* what our own checks found */
	struct fg_buf why; /* what libxml2 found */
	uint64_t fault_line;

	/* the input */
	struct fg_reader *reader;
	struct fg_str rest; /* of a block */
	struct fg_xmlscan scan;
	uint64_t lines; /* that libxml2 was given whole */
	bool failed;
};

/* ---- bytes for libxml2 */

/* Makes sure that there are bytes left: false at the end. */
static bool has_more(struct fg_xmlread *x)
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

/* How many bytes at the start are plain; at least those of whole words. */
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
static size_t add_char(struct fg_xmlread *x, char *to)
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

/*
 * Gives libxml2 a line at a time, or a part of one: where something is wrong, it
 * forgets what it has read ahead, and that then is of the same line. Blocks may end
 * anywhere, which must make no difference.
 */
static int read_bytes(void *context, char *to, int size)
{
	struct fg_xmlread *x = context;
	size_t max = size < AHEAD_MAX ? (size_t)size : AHEAD_MAX, len = 0;

	max = max > CHAR_MAX_LEN ? max - CHAR_MAX_LEN + 1 : 1;
	while (!x->fault && len < max && has_more(x)) {
		struct fg_str line = fg_str_before(x->rest, max - len);
		size_t newline = fg_str_find_char(line, '\n') + 1;
		size_t plain = plain_length(fg_str_before(line, newline));

		if (!plain) {
			len += add_char(x, to + len);
			continue;
		}
		memcpy(to + len, x->rest.ptr, plain);
		x->rest = fg_str_from_pos(x->rest, plain);
		len += plain;
		if (to[len - 1] == '\n')
			break;
	}
	if (!x->fault) {
		x->fault = fg_xmlscan_feed(&x->scan, fg_str_of(to, len));
		if (x->fault)
			x->fault_line = x->lines + 1;
		x->lines += len && to[len - 1] == '\n';
	}
	return x->fault || x->failed ? -1 : (int)len;
}

/* ---- events */

/* The first error counts; those after it come of it. */
static void note_error(void *context, xmlError *error)
{
	struct fg_xmlread *x = context;

	if (x->fault || x->why.len || error->level < XML_ERR_ERROR)
		return;
	if (error->line > 0)
		x->fault_line = (uint64_t)error->line;
	if (error->code == XML_ERR_TAG_NOT_FINISHED ||
	    error->code == XML_ERR_DOCUMENT_END ||
	    error->code == XML_ERR_DOCUMENT_EMPTY)
		fg_buf_addf(&x->why, "it ends early");
	else
		fg_buf_add_visible(&x->why, fg_str_trim(fg_str_from(error->message)),
				   FG_QUOTED_MAX);
}

struct fg_xmlread *fg_xmlread_new(struct fg_reader *reader,
				  const struct fg_block *start, struct fg_diag *diag)
{
	struct fg_xmlread *x = fg_xcalloc(1, sizeof(*x));

	x->diag = diag;
	x->at.input = start->input;
	x->reader = reader;
	x->rest = fg_utf8_skip_mark(start->bytes);
	x->scan.no_doctype = x->scan.no_hyphens = true;
	xmlInitParser(); /* without it, xmlCleanupParser leaves tables behind */
	/*
	 * Without XML_PARSE_HUGE depth, texts and values have libxml2's limits. Without
	 * XML_PARSE_NOENT "&amp;" in a value is a node of its own.
	 */
	x->xml = xmlReaderForIO(read_bytes, NULL, x, NULL, NULL,
				XML_PARSE_NONET | XML_PARSE_NOENT |
					XML_PARSE_IGNORE_ENC);
	if (!x->xml)
		fg_out_of_memory();
	xmlTextReaderSetStructuredErrorHandler(x->xml,
					       (xmlStructuredErrorFunc)note_error, x);
	return x;
}

void fg_xmlread_free(struct fg_xmlread *x)
{
	if (!x)
		return;
	xmlFreeTextReader(x->xml);
	xmlCleanupParser();
	fg_buf_release(&x->why);
	free(x);
}

static enum fg_xml_event report_fault(struct fg_xmlread *x)
{
	if (x->failed)
		return FG_XML_FAILED;
	x->at.line = x->fault_line;
	fg_warn(x->diag, &x->at, "the XML cannot be read from here on: %s",
		x->fault   ? x->fault :
		x->why.len ? fg_buf_cstr(&x->why) :
			     "it ends early");
	return FG_XML_DAMAGED;
}

static bool has_too_many_namespaces(struct fg_xmlread *x)
{
	for (const xmlNs *ns = x->node->nsDef; ns; ns = ns->next)
		x->namespaces++;
	return x->namespaces > NAMESPACES_MAX;
}

static enum fg_xml_event start_element(struct fg_xmlread *x)
{
	if (has_too_many_namespaces(x))
		x->fault = "it declares more than 256 namespaces";
	else if (x->depth >= DEPTH_MAX)
		x->fault = "its elements are nested more than 64 deep";
	if (x->fault) {
		x->fault_line = fg_xmlread_line(x);
		return report_fault(x);
	}
	x->open = xmlTextReaderIsEmptyElement(x->xml) == 1;
	return FG_XML_START;
}

enum fg_xml_event fg_xmlread_next(struct fg_xmlread *x)
{
	if (x->open) {
		x->open = false;
		return FG_XML_CLOSE;
	}
	for (;;) {
		int status = xmlTextReaderRead(x->xml);

		if (status <= 0)
			return status < 0 || x->fault || x->failed ? report_fault(x) :
								     FG_XML_END;
		x->node = xmlTextReaderCurrentNode(x->xml);
		x->depth = (unsigned)xmlTextReaderDepth(x->xml);
		switch (xmlTextReaderNodeType(x->xml)) {
		case XML_READER_TYPE_ELEMENT:
			return start_element(x);
		case XML_READER_TYPE_END_ELEMENT:
			return FG_XML_CLOSE;
		case XML_READER_TYPE_TEXT:
		case XML_READER_TYPE_CDATA:
			return FG_XML_TEXT;
		default:
			break;
		}
	}
}

unsigned fg_xmlread_depth(const struct fg_xmlread *x)
{
	return x->depth;
}

static struct fg_str text_of(const xmlChar *s)
{
	return fg_str_from((const char *)s);
}

struct fg_str fg_xmlread_name(const struct fg_xmlread *x)
{
	return text_of(x->node->name);
}

bool fg_xmlread_attribute(const struct fg_xmlread *x, const char *name,
			  struct fg_str *value)
{
	for (const xmlAttr *a = x->node->properties; a; a = a->next)
		if (!a->ns && !strcmp((const char *)a->name, name)) {
			*value = text_of(a->children ? a->children->content : NULL);
			return true;
		}
	return false;
}

struct fg_str fg_xmlread_text(const struct fg_xmlread *x)
{
	return text_of(x->node->content);
}

uint64_t fg_xmlread_line(const struct fg_xmlread *x)
{
	long line = xmlGetLineNo(x->node);

	if (line > 0 && line < LINES_MAX)
		return (uint64_t)line;
	return (uint64_t)xmlTextReaderGetParserLineNumber(x->xml);
}
