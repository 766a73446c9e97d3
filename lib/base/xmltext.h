/*
 * The characters of values and texts in XML: they may be written as references, and not
 * all bytes are such.
 */
#ifndef FG_LIB_BASE_XMLTEXT_H
#define FG_LIB_BASE_XMLTEXT_H

#include "lib/base/buf.h"

static inline bool fg_xml_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/*
 * The first byte that is `mark`, '&', '<', a control or not of ASCII, or `end`: those
 * before it stand for themselves.
 */
const char *fg_xmltext_special(const char *p, const char *end, char mark);

enum fg_xmltext {
	FG_XML_VALUE, /* of an attribute: all white space is blanks */
	FG_XML_TEXT,
	FG_XML_CDATA, /* no references */
};

/*
 * Appends what the bytes stand for, U+FFFD for what XML does not allow: NULL, or what
 * is wrong, as the end of a message.
 */
const char *fg_xmltext_add(struct fg_buf *to, struct fg_str s, enum fg_xmltext what);

#endif
