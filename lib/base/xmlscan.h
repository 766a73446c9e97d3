/*
 * What an XML text asks of a parser, seen before it is parsed.
 *
 * libxml2 compares each attribute of an element with all before it, and adds those that
 * a DTD declares to every element; its reader copies a comment for each "--" in it. So
 * a small file can keep it busy for minutes, and they are refused before it reads them.
 * The text is in UTF-8 or another encoding in which ASCII is ASCII; that it is
 * well-formed is not checked otherwise.
 */
#ifndef FG_LIB_BASE_XMLSCAN_H
#define FG_LIB_BASE_XMLSCAN_H

#include "lib/base/str.h"

/* The most attributes of an element, declarations of namespaces among them. */
#define FG_XMLSCAN_ATTRIBUTES_MAX 1000

/* A zeroed one is at the start of a text. */
struct fg_xmlscan {
	/* private */
	int state;
	char quote; /* that ends a value, or a literal of a declaration */
	unsigned attributes; /* of the element so far */
	unsigned ending; /* how much of what ends a comment or CDATA has come */
	char word[8]; /* after "<!" */
	unsigned word_len;
};

/*
 * Reads the next bytes: NULL, or what is wrong, as the end of a message; `*bytes` is
 * then what is left from there on, otherwise nothing.
 */
const char *fg_xmlscan_feed(struct fg_xmlscan *s, struct fg_str *bytes);

/* Whether the bytes so far end within a declaration, such as a DOCTYPE. */
bool fg_xmlscan_is_declaring(const struct fg_xmlscan *s);

#endif
